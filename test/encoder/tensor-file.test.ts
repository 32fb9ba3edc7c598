import { expect, test } from "bun:test";
import { readTensorFile } from "../../src/encoder/tensor-file.ts";

function tensorFile(tensors: Record<string, { dtype: string; offset: number; bytes: number }>, body: Uint8Array): ArrayBuffer {
  const header = new TextEncoder().encode(JSON.stringify({ meta: { revision: "r1" }, tensors }).padEnd(248));
  const file = new Uint8Array(8 + header.length + body.length);
  file.set(new TextEncoder().encode("SBT1"));
  new DataView(file.buffer).setUint32(4, header.length, true);
  file.set(header, 8);
  file.set(body, 8 + header.length);
  return file.buffer;
}

test("numbers are read from their places, and places are told", () => {
  const file = readTensorFile(
    tensorFile(
      { bytes: { dtype: "int8", offset: 256, bytes: 3 }, words: { dtype: "utf8", offset: 259, bytes: 2 } },
      Uint8Array.from([1, 255, 128, 104, 105]),
    ),
  );
  expect([...file.int8("bytes")]).toEqual([1, -1, -128]);
  expect(file.placeOf("words")).toMatchObject({ offset: 259, bytes: 2 });
  expect(file.meta["revision"]).toBe("r1");
});

test("another kind of file and a missing tensor are told apart", () => {
  expect(() => readTensorFile(new TextEncoder().encode("PK\u0003\u0004........").buffer as ArrayBuffer)).toThrow(
    "not a tensor file",
  );
  const file = readTensorFile(tensorFile({}, new Uint8Array()));
  expect(() => file.int8("table")).toThrow('no int8 tensor "table"');
});
