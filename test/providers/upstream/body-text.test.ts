/** What is sent is what all vendors read as JSON. */

import { expect, test } from "bun:test";
import { bodyText } from "../../../src/providers/upstream/body-text.ts";

test.each([
  ["half a pair at its end \ud83d", "half a pair at its end \ufffd"],
  ["\udc00 the second half first", "\ufffd the second half first"],
  ["\ud83d\ud83d\ude00", "\ufffd\u{1f600}"],
  ["whole \u{1f600}, and written out \\ud83d", "whole \u{1f600}, and written out \\ud83d"],
  ["a backslash before half a pair \\\ud83d", "a backslash before half a pair \\\ufffd"],
])("%j is sent as %j", (text, sent) => {
  expect(JSON.parse(bodyText({ [text]: [text] }))).toEqual({ [sent]: [sent] });
});
