import { expect, test } from "bun:test";
import { piiLine, readTypes } from "../../src/policies/pii-line.ts";

test("a line in gives its entities with offsets, the id echoed where it was given", () => {
  expect(piiLine({ id: 7, text: "IP 10.0.0.1" })).toEqual({
    id: 7,
    entities: [{ type: "ip_address", start: 3, end: 11, value: "10.0.0.1" }],
  });
  expect(piiLine({ text: "nothing" })).toEqual({ entities: [] });
});

test("--types narrows the search and refuses what it does not know", () => {
  expect(piiLine({ text: "a@b.co 10.0.0.1" }, readTypes("email, ssn")).entities.map(({ type }) => type)).toEqual(["email"]);
  expect(() => readTypes("email,passport")).toThrow('Unknown type "passport"; there are ssn, ');
});
