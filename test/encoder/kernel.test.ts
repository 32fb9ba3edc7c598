import { expect, test } from "bun:test";
import { DIMENSIONS } from "../../src/encoder/dimensions.ts";
import { createKernel } from "../../src/encoder/kernel.ts";
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
  const pooled = fill(Float64Array, DIMENSIONS, 8, () => 1);
  const weights = fill(Float64Array, 37 * 16, 8, () => random() - 0.5);
  const inputs = fill(Float64Array, 37, 8, () => random() - 0.5);
  const units = fill(Float64Array, 16, 8, random);
  const before = [...units];
  kernel.pool(table.byteOffset, scales.byteOffset, ids.byteOffset, ids.byteOffset + 4 * ids.length, pooled.byteOffset);
  kernel.addProducts(weights.byteOffset, inputs.byteOffset, inputs.byteOffset + 8 * inputs.length, units.byteOffset, 16);
  return { table, scales, ids, weights, inputs, before, pooled: [...pooled], units: [...units] };
};

test("two doubles at a time give to the last bit what one by one gives", () => {
  const one = run(false);
  const two = run(true);
  expect(two.pooled).toEqual(one.pooled);
  expect(two.units).toEqual(one.units);
});

test("rows are added with their scales, and weights times inputs to what was there", () => {
  const { table, scales, ids, weights, inputs, before, pooled, units } = run(true);
  for (const d of [0, 15, 16, 255]) {
    let sum = 0;
    for (const id of ids) sum += table[id * DIMENSIONS + d]! * scales[id]!;
    expect(pooled[d]).toBe(sum);
  }
  for (const unit of [0, 7, 8, 15]) {
    let sum = before[unit]!;
    const first = unit < 8 ? unit : 37 * 8 + unit - 8;
    for (let i = 0; i < 37; i++) sum += weights[first + i * 8]! * inputs[i]!;
    expect(units[unit]).toBe(sum);
  }
});

test("what does not fit is refused", () => {
  expect(() => createKernel(65_536).take(65_537)).toThrow("room");
});
