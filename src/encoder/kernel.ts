/**
 * The encoder's inner loops and the memory they work in: four numbers at a time where the machine can, else one by one. Sums run in the
 * same order either way, so vectors and logits are the same everywhere.
 * The module is kernel.wat as `bunx --package wabt wat2wasm kernel.wat --output=- | base64 -w 0` gives it.
 */

import { DIMENSIONS } from "./dimensions.ts";

const MODULE =
  "AGFzbQEAAAABEAJgBX9/f39/AGAEf39/fwACEwEHZW5jb2RlcgZtZW1vcnkCAAEDBAMAAQAHIAMEcG9vbAAAB2FkZFJvd3MAAQthZGRQcm9kdWN0cwACCooFA64CAgN/CHsDQP0MAAAAAAAAAAAAAAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAAAAIQ39DAAAAAAAAAAAAAAAAAAAAAAhDv0MAAAAAAAAAAAAAAAAAAAAACEPIAIhBgJAA0AgBiADTw0BIAYoAgAhByABIAdBAnRq/QkCACEIIAAgB0EIdGogBWr9AAAAIQkgCf2HASEKIAn9iAEhCyAMIAggCv2nAf36Af3mAf3kASEMIA0gCCAK/agB/foB/eYB/eQBIQ0gDiAIIAv9pwH9+gH95gH95AEhDiAPIAggC/2oAf36Af3mAf3kASEPIAZBBGohBgwACwsgBCAM/QsEACAEIA39CwQQIAQgDv0LBCAgBCAP/QsEMCAEQcAAaiEEIAVBEGohBSAFQYACSQ0ACwuJAQEHewJAA0AgASACTw0BIAAgASgCAEEEdGr9AAQAIQQgBP2HASEFIAT9iAEhBiAHIAX9pwH9rgEhByAIIAX9qAH9rgEhCCAJIAb9pwH9rgEhCSAKIAb9qAH9rgEhCiABQQRqIQEMAAsLIAMgB/0LBAAgAyAI/QsEECADIAn9CwQgIAMgCv0LBDALzAECAX8FewNAIAP9AAQAIQcgA/0ABBAhCCAD/QAEICEJIAP9AAQwIQogASEFA0AgBf0JAgAhBiAHIAD9AAQAIAb95gH95AEhByAIIAD9AAQQIAb95gH95AEhCCAJIAD9AAQgIAb95gH95AEhCSAKIAD9AAQwIAb95gH95AEhCiAAQcAAaiEAIAVBBGohBSAFIAJJDQALIAMgB/0LBAAgAyAI/QsEECADIAn9CwQgIAMgCv0LBDAgA0HAAGohAyAEQRBrIQQgBEEASg0ACws=";

/** Places are offsets in bytes; each array begins at a multiple of the size of its numbers. */
type Loops = {
  /** Adds up rows of the int8 table, each times its float32 scale, into DIMENSIONS float32. The rows' numbers are int32. */
  pool(table: number, scales: number, ids: number, idsEnd: number, sums: number): void;
  /** Adds up rows of LANES int8 into LANES int32. The table begins at a multiple of LANES; the rows' numbers are int32. */
  addRows(table: number, rows: number, rowsEnd: number, sums: number): void;
  /**
   * Adds to each of `units` sums its weights times the inputs, all float32. Units form groups of TOGETHER; a group's weights lie input by
   * input, one for each of its units. `units` is a multiple of TOGETHER; there is at least one input.
   */
  addProducts(weights: number, inputs: number, inputsEnd: number, sums: number, units: number): void;
};

export const LANES = 16;
export const TOGETHER = 16;

export type Kernel = Loops & {
  buffer: ArrayBuffer;
  /** Sets bytes aside for good; where they begin. Throws RangeError when there is no room left. */
  take(bytes: number): number;
};

const PAGE_BYTES = 65_536;

/** With room for so many bytes. `vectorised` false does without what some machines lack. */
export const createKernel = (bytes: number, vectorised = true): Kernel => {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const buffer = memory.buffer as ArrayBuffer;
  let taken = 0;
  return {
    ...((vectorised ? loopsOfModule(memory) : undefined) ?? loopsInScript(buffer)),
    buffer,
    take: (wanted) => {
      const at = taken;
      taken += Math.ceil(wanted / 16) * 16;
      if (taken > buffer.byteLength) throw new RangeError(`the kernel has room for ${buffer.byteLength} bytes, not ${taken}`);
      return at;
    },
  };
};

const loopsOfModule = (memory: WebAssembly.Memory): Loops | undefined => {
  const bytes = Buffer.from(MODULE, "base64");
  if (!WebAssembly.validate(bytes)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { encoder: { memory } });
  const { pool, addRows, addProducts } = exports as unknown as Loops;
  return { pool, addRows, addProducts };
};

const loopsInScript = (buffer: ArrayBuffer): Loops => {
  const bytes = new Int8Array(buffer);
  const integers = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  const { fround } = Math;
  return {
    pool: (table, scales, ids, idsEnd, sums) => {
      const into = floats.subarray(sums / 4, sums / 4 + DIMENSIONS).fill(0);
      for (let at = ids / 4; at < idsEnd / 4; at++) {
        const row = table + integers[at]! * DIMENSIONS;
        const scale = floats[scales / 4 + integers[at]!]!;
        for (let d = 0; d < DIMENSIONS; d++) into[d]! += fround(bytes[row + d]! * scale);
      }
    },
    addRows: (table, rows, rowsEnd, sums) => {
      const into = integers.subarray(sums / 4, sums / 4 + LANES).fill(0);
      for (let at = rows / 4; at < rowsEnd / 4; at++) {
        const row = table + integers[at]! * LANES;
        for (let lane = 0; lane < LANES; lane++) into[lane]! += bytes[row + lane]!;
      }
    },
    addProducts: (weights, inputs, inputsEnd, sums, units) => {
      const count = (inputsEnd - inputs) / 4;
      for (let unit = 0; unit < units; unit++) {
        let sum = floats[sums / 4 + unit]!;
        const first = weights / 4 + (unit - (unit % TOGETHER)) * count + (unit % TOGETHER);
        for (let i = 0; i < count; i++) sum = fround(sum + fround(floats[first + i * TOGETHER]! * floats[inputs / 4 + i]!));
        floats[sums / 4 + unit] = sum;
      }
    },
  };
};
