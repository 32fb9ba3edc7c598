/** What a query string's texts are taken for, and what is said of those that fit nothing. */

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { ApiError } from "../../src/api-error.ts";
import { readQuery } from "../../src/http/read-query.ts";

const Query = Type.Object({ cost: Type.Optional(Type.Number()), limit: Type.Integer({ default: 50 }) });
const read = (query: string) => readQuery(new Request(`http://localhost/?${query}`), Query);
const refusal = (query: string): ApiError => {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`It was taken: ${query.slice(0, 100)}`);
};

test("numbers are read as they are commonly written", () => {
  const costs = ["0", "007", "1.", "1.5", ".5", "-2.25", "%2B3", "1e3", "1.5E-3", ".5e%2B2"].map(
    (text) => read(`cost=${text}`).cost,
  );
  expect(costs).toEqual([0, 7, 1, 1.5, 0.5, -2.25, 3, 1_000, 0.0015, 50]);
  expect(read("limit=-3").limit).toBe(-3);
  expect(read("limit=&limit=7&limit=8")).toEqual({ limit: 8 });
  expect(read("limit=")).toEqual({ limit: 50 });
});

test.each([".", "-", "e3", "1e", "1e.5", "1.2.3", "--1", "0x10", "1_000", "Infinity", "NaN", " 1", "1e999"])(
  "%s is no number",
  (text) => {
    const { status, options } = refusal(`cost=${encodeURIComponent(text)}`);
    expect([status, options.param]).toEqual([400, "cost"]);
  },
);

test("a text may look like a number or a yes", () => {
  const schema = Type.Object({ name: Type.Optional(Type.String()), on: Type.Optional(Type.Boolean()) });
  const told = (query: string) => readQuery(new Request(`http://localhost/?${query}`), schema);
  expect([told("name=1&on=1"), told("name=false&on=FALSE")]).toEqual([
    { name: "1", on: true },
    { name: "false", on: false },
  ]);
});

test("an integer is one that can be counted with", () => {
  expect(read("limit=9007199254740991").limit).toBe(Number.MAX_SAFE_INTEGER);
  for (const text of ["9007199254740993", "1e300", "1.5"]) expect(refusal(`limit=${text}`).options.param).toBe("limit");
});

test("digits without an end are read once: the refusal comes at all", () => {
  expect(refusal(`cost=${"1".repeat(100_000)}x`).options.param).toBe("cost");
});
