import { expect, test } from "bun:test";
import {
  newToolCallId,
  nineCharacterId,
  portableId,
  splitSignature,
  withSignature,
} from "../../../src/providers/dialect/tool-call-ids.ts";

test("a new id is valid for every vendor", () => {
  const ids = Array.from({ length: 1000 }, newToolCallId);
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect([id, nineCharacterId(id), portableId(id, 40)]).toEqual([id, id, id]);
});

test("a signature of any characters survives the way out and back", () => {
  for (const signature of ["EtoF+/==", "ünïcode ✓", "a".repeat(5000)]) {
    const id = withSignature("call_1", "google", signature);
    expect(id).toMatch(/^[\w-]+$/);
    expect(splitSignature(id)).toEqual({ id: "call_1", google: signature });
  }
  expect(splitSignature(withSignature("call_1", "google", undefined))).toEqual({ id: "call_1" });
});

test("what one vendor wants back is another's to cut off, not to read", () => {
  const id = withSignature("call_1", "openai", "sealed");
  expect(splitSignature(id)).toEqual({ id: "call_1", openai: "sealed" });
  expect(portableId(id, 40)).toBe("call_1");
});

test("an id another vendor would refuse becomes another, always the same one, and different ids stay different", () => {
  for (const id of ["has space", "x".repeat(65), "dots.and:colons", ""]) {
    expect(portableId(id, 64)).toMatch(/^[\w-]{1,64}$/);
    expect(portableId(id, 64)).toBe(portableId(id, 64));
    expect(nineCharacterId(id)).toMatch(/^[A-Za-z0-9]{9}$/);
  }
  expect(portableId("a b", 64)).not.toBe(portableId("a c", 64));
});
