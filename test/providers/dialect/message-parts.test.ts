/** What all dialects read from messages in the same way. */

import { expect, test } from "bun:test";
import { argumentsObject } from "../../../src/providers/dialect/message-parts.ts";

test("arguments that are no JSON object are kept as text, not lost", () => {
  expect(argumentsObject('{"a": 1}')).toEqual({ a: 1 });
  for (const none of ["", " ", "{}", "null"]) expect([none, argumentsObject(none)]).toEqual([none, {}]);
  for (const text of ['{"a": 1', "15 * 4", "[1]", '"a"']) expect(argumentsObject(text)).toEqual({ raw: text });
});
