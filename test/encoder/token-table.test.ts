import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIMENSIONS } from "../../src/encoder/dimensions.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { loadTokenTable, openTokenTable, type TokenTable } from "../../src/encoder/token-table.ts";

const ROWS = 40;
const OFFSET = 5;
const FIRST_ROWS = 4;
/** Each row holds its number, and each scale is a half. */
const CONTENT = Int8Array.from({ length: ROWS * DIMENSIONS }, (_, i) => Math.trunc(i / DIMENSIONS));
const OPTIONS = { scales: new Float32Array(ROWS).fill(0.5), mostIds: 100 };

let folder: string;
let path: string;
let table: TokenTable;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-table-"));
  path = join(folder, "table.bin");
  await Bun.write(path, new Blob([new Uint8Array(OFFSET).fill(99), CONTENT]));
  table = openTokenTable(path, OFFSET, OPTIONS, FIRST_ROWS)!;
});
afterEach(() => {
  table.close();
  rmSync(folder, { recursive: true });
});

/** What all numbers of the sum are. */
const sumOf = (from: TokenTable, ids: number[], count = ids.length): number => {
  const sum = from.sum(Int32Array.from(ids), count);
  expect(sum.length).toBe(DIMENSIONS);
  expect(new Set(sum).size).toBe(1);
  return sum[0]!;
};

test("the rows of the first tokens are added up, each times its scale and as often as it comes", () => {
  expect(sumOf(table, [39, 17, 1], 1)).toBe(19.5);
  expect(sumOf(table, [39, 17, 1])).toBe(28.5);
  expect(sumOf(table, [17, 39, 17])).toBe(36.5);
  expect(sumOf(table, [])).toBe(0);
});

test("there is room for every token, met one by one or all in one text", () => {
  const all = Array.from({ length: ROWS }, (_, id) => id);
  for (const id of all) expect(sumOf(table, [id, id])).toBe(id);
  expect(sumOf(table, all)).toBe(390);
  const other = openTokenTable(path, OFFSET, OPTIONS, FIRST_ROWS)!;
  expect(sumOf(other, all)).toBe(390);
  other.close();
});

test("a row is read from the file once", () => {
  sumOf(table, [1, 2, 3]);
  truncateSync(path, OFFSET);
  expect(sumOf(table, [3, 2, 1, 2])).toBe(4);
});

test("a file that was cut meanwhile is no source of numbers, then or later", () => {
  truncateSync(path, OFFSET + 2 * DIMENSIONS + 1);
  expect(sumOf(table, [1])).toBe(0.5);
  for (const id of [20, 2]) expect(() => table.sum(Int32Array.from([id]), 1)).toThrow("was changed while it is in use");
  expect(() => table.sum(Int32Array.from([2]), 1)).toThrow("was changed while it is in use");
});

test("where no file can be held open there is no such table", () => {
  expect(openTokenTable(join(folder, "missing.bin"), OFFSET, OPTIONS)).toBeUndefined();
});

test("a table that was loaded whole gives the same sums", async () => {
  const whole = await loadTokenTable(OPTIONS, async (rows) => rows.set(CONTENT));
  for (const ids of [[39], [17, 39, 17], []]) expect(sumOf(whole, ids)).toBe(sumOf(table, ids));
});

/** In a process of its own, where nothing else is counted. */
const LOAD_AND_COUNT = `
  const { heapStats } = require("bun:jsc");
  const { loadEncoder } = await import(${JSON.stringify(join(import.meta.dir, "../../src/encoder/encoder.ts"))});
  const encoder = await loadEncoder({ asNeeded: true });
  encoder.embed("A lever, a bell, a line set clear.");
  Bun.gc(true);
  console.log(heapStats().extraMemorySize);
`;

test("an encoder that reads as needed is no weight on the runtime's heap, which would let as much garbage pile up", () => {
  const { stdout } = Bun.spawnSync([process.execPath, "-e", LOAD_AND_COUNT]);
  const counted = Number(stdout.toString());
  expect(counted).toBeGreaterThan(2_000_000);
  expect(counted).toBeLessThan(10_000_000);
});

test("an encoder that reads as needed gives the vectors of one that has read all", async () => {
  const whole = await loadEncoder();
  const asNeeded = await loadEncoder({ asNeeded: true });
  for (const text of ["A lever, a bell, a line set clear.", "Ørsted & Ångström — 12.5 µm", "鉄道の信号所", "", "zzyzx qwrtp"])
    expect(asNeeded.embed(text)).toEqual(whole.embed(text));
  asNeeded.close();
  whole.close();
});
