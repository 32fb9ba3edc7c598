import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIMENSIONS } from "../../src/encoder/dimensions.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { openTokenTable, type TokenTable } from "../../src/encoder/token-table.ts";

const ROWS = 40;
const OFFSET = 5;
/** Each row holds its number. */
const CONTENT = Int8Array.from({ length: ROWS * DIMENSIONS }, (_, i) => Math.trunc(i / DIMENSIONS));

let folder: string;
let path: string;
let rows: Int8Array;
let table: TokenTable;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-table-"));
  path = join(folder, "table.bin");
  await Bun.write(path, new Blob([new Uint8Array(OFFSET).fill(99), CONTENT]));
  rows = new Int8Array(CONTENT.length);
  table = openTokenTable(path, rows, OFFSET)!;
});
afterEach(() => {
  table.close();
  rmSync(folder, { recursive: true });
});

const isThere = (row: number): boolean =>
  rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS).every((value, i) => value === CONTENT[row * DIMENSIONS + i]);

test("rows are there once they are needed, those of the last block too, and no others are read", () => {
  table.need(Int32Array.from([39, 17, 1]), 1);
  expect([isThere(39), isThere(17), isThere(1)]).toEqual([true, false, false]);
  table.need(Int32Array.from([39, 17, 1]), 3);
  expect([isThere(39), isThere(17), isThere(1)]).toEqual([true, true, true]);
});

test("a file that was cut meanwhile is no source of numbers", () => {
  table.need(Int32Array.from([1]), 1);
  truncateSync(path, OFFSET + DIMENSIONS);
  table.need(Int32Array.from([2]), 1);
  expect(() => table.need(Int32Array.from([20]), 1)).toThrow("was changed while it is in use");
});

test("where no file can be held open there is no such table", () => {
  expect(openTokenTable(join(folder, "missing.bin"), rows, OFFSET)).toBeUndefined();
});

test("an encoder that reads as needed gives the vectors of one that has read all", async () => {
  const whole = await loadEncoder();
  const asNeeded = await loadEncoder({ asNeeded: true });
  for (const text of ["A lever, a bell, a line set clear.", "Ørsted & Ångström — 12.5 µm", "鉄道の信号所", "", "zzyzx qwrtp"])
    expect(asNeeded.embed(text)).toEqual(whole.embed(text));
  asNeeded.close();
  whole.close();
});
