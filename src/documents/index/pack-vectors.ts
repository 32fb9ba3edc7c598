/** Vectors as they are stored: a float32 scale and one int8 for each dimension. A quarter of the size, with an error of a thousandth. */

const SCALE_BYTES = 4;

/** A copy of length 1; all zeros, which are similar to nothing, if the vector is zero or holds NaN or infinity. */
export const unitVector = (vector: Float32Array | readonly number[]): Float32Array => {
  const unit = Float32Array.from(vector);
  let squares = 0;
  for (let at = 0; at < unit.length; at++) squares += unit[at]! * unit[at]!;
  if (!(squares > 1e-12) || squares === Number.POSITIVE_INFINITY) return unit.fill(0);
  const factor = 1 / Math.sqrt(squares);
  for (let at = 0; at < unit.length; at++) unit[at]! *= factor;
  return unit;
};

/** One after the other: `4 + dimensions` bytes each. */
export const packVectors = (vectors: readonly Float32Array[], dimensions: number): Uint8Array => {
  const packed = new DataView(new ArrayBuffer(vectors.length * (SCALE_BYTES + dimensions)));
  vectors.forEach((vector, index) => {
    let largest = 0;
    for (let at = 0; at < dimensions; at++) largest = Math.max(largest, Math.abs(vector[at]!));
    const start = index * (SCALE_BYTES + dimensions);
    packed.setFloat32(start, largest / 127, true);
    const factor = largest > 0 ? 127 / largest : 0;
    for (let at = 0; at < dimensions; at++) packed.setInt8(start + SCALE_BYTES + at, Math.round(vector[at]! * factor));
  });
  return new Uint8Array(packed.buffer);
};

/** The packed vectors as they are searched: all dimensions one after the other, and each vector's scale. */
export const unpackVectors = (
  packed: Uint8Array,
  dimensions: number,
  values: Int8Array,
  scales: Float32Array,
  position: number,
): void => {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const bytes = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  const stride = SCALE_BYTES + dimensions;
  for (let start = 0, at = position; start < packed.byteLength; start += stride, at++) {
    scales[at] = view.getFloat32(start, true);
    values.set(bytes.subarray(start + SCALE_BYTES, start + stride), at * dimensions);
  }
};
