import { expect, test } from "bun:test";
import { asksForJson } from "../../src/lib/asks-for-json.ts";

test.each([
  [true, "Extract the names. Output JSON."],
  [true, "Return a JSON object with keys name and age"],
  [true, "List the towns as JSON"],
  [true, "Answer in this JSON format: {}"],
  [true, "Extract the ids as JSON from the following JSON"],
  [false, "Extract the names from the following JSON and list them"],
  [false, "Which keys does this JSON have?"],
  [false, "Extract the dates. Do not output JSON."],
  [false, "Give me a table instead of JSON"],
  [false, "Extract the names"],
  [false, "Greet Jsonia"],
])("%p: %s", (asks, text) => {
  expect(asksForJson(text)).toBe(asks);
});
