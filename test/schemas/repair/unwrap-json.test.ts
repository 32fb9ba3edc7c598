/** Where JSON is asked for without a schema, the JSON alone is the answer, letter by letter as it was written. */

import { expect, test } from "bun:test";
import { unwrapJson } from "../../../src/schemas/repair/unwrap-json.ts";

test.each([
  ["as it stands", '{ "a": 1.0 }\n', '{ "a": 1.0 }\n'],
  ["fenced", '```json\n{ "a": 1.0 }\n```', '{ "a": 1.0 }'],
  ["in a fence without a name", "```\n[1, 2]\n```\n", "[1, 2]"],
  ["with a fence in a string", '```json\n{"code": "```js\\nrun()\\n```"}\n```', '{"code": "```js\\nrun()\\n```"}'],
  ["fenced within words", 'Here you are:\n\n```json\n{"a": 1}\n```\nAnything else?', '{"a": 1}'],
  ["after thinking", "<think>An object {} then.</think>\n{}", "{}"],
])("JSON %s", (_how, answer, json) => {
  expect(unwrapJson(answer)).toBe(json);
});

test.each([
  ["words", "Trains run on rails."],
  ["words around data", 'The object {"a": 1} is what you want.'],
  ["broken JSON", '```json\n{"a": 1,}\n```'],
  ["a fenced word", "```\ntrue\n```"],
  ["code", "```js\nrun();\n```"],
  ["nothing", ""],
])("no JSON in %s", (_what, answer) => {
  expect(unwrapJson(answer)).toBeUndefined();
});
