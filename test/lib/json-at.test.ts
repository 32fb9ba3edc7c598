import { expect, test } from "bun:test";
import { listAt, numberAt, recordAt, recordsAt, textAt, valueAt } from "../../src/lib/json-at.ts";

const json = { data: [{ url: "here", size: 3 }, "loose", { url: 7 }], empty: null };

test("what stands at a path is read", () => {
  expect(textAt(json, "data", 0, "url")).toBe("here");
  expect(numberAt(json, "data", 0, "size")).toBe(3);
  expect(recordAt(json, "data", 2)).toEqual({ url: 7 });
  expect(listAt(json, "data")).toHaveLength(3);
  expect(recordsAt(json, "data")).toEqual([{ url: "here", size: 3 }, { url: 7 }]);
  expect(valueAt(json, "empty")).toBeNull();
  expect([textAt("as it is"), valueAt(json)]).toEqual(["as it is", json]);
});

test("what is missing, or of another type, reads as empty", () => {
  for (const path of [["none"], ["empty", "deep"], ["data", "url"], ["data", 9], [0]]) {
    expect([valueAt(json, ...path), textAt(json, ...path), numberAt(json, ...path)]).toEqual([undefined, "", undefined]);
    expect([recordAt(json, ...path), listAt(json, ...path)]).toEqual([{}, []]);
  }
  expect([textAt(json, "data", 2, "url"), numberAt(json, "data", 0, "url"), textAt(undefined)]).toEqual(["", undefined, ""]);
});
