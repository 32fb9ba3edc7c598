import { expect, test } from "bun:test";
import { DIMENSIONS } from "../../src/encoder/dimensions.ts";
import { createKernel, LANES, TOGETHER } from "../../src/encoder/kernel.ts";
import { randomFrom } from "../support/random.ts";

/** The same made-up numbers through either form of the loops. */
const run = (vectorised: boolean) => {
  const { next: random } = randomFrom(7);
  const kernel = createKernel(200_000, vectorised);
  const fill = <Values extends Int8Array | Int32Array | Float32Array | Float64Array>(
    make: new (buffer: ArrayBuffer, at: number, count: number) => Values,
    count: number,
    width: number,
    next: () => number,
  ): Values => {
    const values = new make(kernel.buffer, kernel.take(count * width), count);
    for (let i = 0; i < count; i++) values[i] = next();
    return values;
  };
  const table = fill(Int8Array, 50 * DIMENSIONS, 1, () => random() * 255 - 127);
  const scales = fill(Float32Array, 50, 4, () => random() / 50);
  const ids = fill(Int32Array, 21, 4, () => Math.floor(random() * 50));
  const pooled = fill(Float32Array, DIMENSIONS, 4, () => 1);
  const rows = fill(Int8Array, 50 * LANES, 1, () => random() * 255 - 127);
  const lanes = fill(Int32Array, LANES, 4, () => 1);
  const weights = fill(Float32Array, 37 * 2 * TOGETHER, 4, () => random() - 0.5);
  const inputs = fill(Float32Array, 37, 4, () => random() - 0.5);
  const units = fill(Float32Array, 2 * TOGETHER, 4, random);
  const before = [...units];
  const idsEnd = ids.byteOffset + ids.byteLength;
  kernel.pool(table.byteOffset, scales.byteOffset, ids.byteOffset, idsEnd, pooled.byteOffset);
  kernel.addRows(rows.byteOffset, ids.byteOffset, idsEnd, lanes.byteOffset);
  kernel.addProducts(
    weights.byteOffset,
    inputs.byteOffset,
    inputs.byteOffset + inputs.byteLength,
    units.byteOffset,
    units.length,
  );
  return { table, scales, ids, rows, weights, inputs, before, pooled: [...pooled], lanes: [...lanes], units: [...units] };
};

test("four numbers at a time give to the last bit what one by one gives", () => {
  const one = run(false);
  const four = run(true);
  expect(four.pooled).toEqual(one.pooled);
  expect(four.lanes).toEqual(one.lanes);
  expect(four.units).toEqual(one.units);
});

test("rows are added, with their scales or plainly, and weights times inputs to what was there", () => {
  const { table, scales, ids, rows, weights, inputs, before, pooled, lanes, units } = run(true);
  const { fround } = Math;
  for (const d of [0, 15, 16, 255]) {
    let sum = 0;
    for (const id of ids) sum = fround(sum + fround(table[id * DIMENSIONS + d]! * scales[id]!));
    expect(pooled[d]).toBe(sum);
  }
  for (const lane of [0, 3, 4, 15]) expect(lanes[lane]).toBe(ids.reduce((sum, id) => sum + rows[id * LANES + lane]!, 0));
  for (const unit of [0, 15, 16, 31]) {
    let sum = before[unit]!;
    const first = unit < TOGETHER ? unit : 37 * TOGETHER + unit - TOGETHER;
    for (let i = 0; i < 37; i++) sum = fround(sum + fround(weights[first + i * TOGETHER]! * inputs[i]!));
    expect(units[unit]).toBe(sum);
  }
});

test("no rows add up to zero", () => {
  for (const vectorised of [false, true]) {
    const kernel = createKernel(65_536, vectorised);
    const sums = new Int32Array(kernel.buffer, kernel.take(LANES * 4), LANES).fill(7);
    kernel.addRows(0, 0, 0, sums.byteOffset);
    expect([...sums]).toEqual(new Array(LANES).fill(0));
  }
});

test("what does not fit is refused", () => {
  expect(() => createKernel(65_536).take(65_537)).toThrow("room");
});
