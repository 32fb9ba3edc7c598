/**
 * The encoder's two inner loops and the memory they work in: two doubles at a time where the machine can, else one by one. Sums run in the
 * same order either way, so vectors and logits are the same everywhere.
 * The module is kernel.wat as `bunx --package wabt wat2wasm kernel.wat --output=- | base64 -w 0` gives it.
 */

import { DIMENSIONS } from "./dimensions.ts";

const MODULE =
  "AGFzbQEAAAABCQFgBX9/f39/AAITAQdlbmNvZGVyBm1lbW9yeQIAAQMDAgAABxYCBHBvb2wAAAthZGRQcm9kdWN0cwABCpUGAsQEAgN/DnsDQP0MAAAAAAAAAAAAAAAAAAAAACEO/QwAAAAAAAAAAAAAAAAAAAAAIQ/9DAAAAAAAAAAAAAAAAAAAAAAhEP0MAAAAAAAAAAAAAAAAAAAAACER/QwAAAAAAAAAAAAAAAAAAAAAIRL9DAAAAAAAAAAAAAAAAAAAAAAhE/0MAAAAAAAAAAAAAAAAAAAAACEU/QwAAAAAAAAAAAAAAAAAAAAAIRUgAiEGAkADQCAGIANPDQEgBigCACEHIAEgB0ECdGoqAgC7/RQhCCAAIAdBCHRqIAVq/QAAACEJIAn9iAEhDCAJ/YcBIQogCv2oASELIAr9pwEhCiAM/agBIQ0gDP2nASEMIA4gCv3+ASAI/fIB/fABIQ4gDyAKIAr9DQgJCgsMDQ4PCAkKCwwNDg/9/gEgCP3yAf3wASEPIBAgC/3+ASAI/fIB/fABIRAgESALIAv9DQgJCgsMDQ4PCAkKCwwNDg/9/gEgCP3yAf3wASERIBIgDP3+ASAI/fIB/fABIRIgEyAMIAz9DQgJCgsMDQ4PCAkKCwwNDg/9/gEgCP3yAf3wASETIBQgDf3+ASAI/fIB/fABIRQgFSANIA39DQgJCgsMDQ4PCAkKCwwNDg/9/gEgCP3yAf3wASEVIAZBBGohBgwACwsgBCAO/QsEACAEIA/9CwQQIAQgEP0LBCAgBCAR/QsEMCAEIBL9CwRAIAQgE/0LBFAgBCAU/QsEYCAEIBX9CwRwIARBgAFqIQQgBUEQaiEFIAVBgAJJDQALC8wBAgF/BXsDQCAD/QAEACEHIAP9AAQQIQggA/0ABCAhCSAD/QAEMCEKIAEhBQNAIAX9CgMAIQYgByAA/QAEACAG/fIB/fABIQcgCCAA/QAEECAG/fIB/fABIQggCSAA/QAEICAG/fIB/fABIQkgCiAA/QAEMCAG/fIB/fABIQogAEHAAGohACAFQQhqIQUgBSACSQ0ACyADIAf9CwQAIAMgCP0LBBAgAyAJ/QsEICADIAr9CwQwIANBwABqIQMgBEEIayEEIARBAEoNAAsL";

/** Places are offsets in bytes; vectors of doubles begin at multiples of eight. */
type Loops = {
  /** Adds up rows of the int8 table, each times its float32 scale, into DIMENSIONS doubles. The rows' numbers are int32. */
  pool(table: number, scales: number, ids: number, idsEnd: number, sums: number): void;
  /**
   * Adds to each of `units` sums its weights times the inputs, all doubles. The weights of eight units stand together: for each input
   * eight. `units` is a multiple of eight.
   */
  addProducts(weights: number, inputs: number, inputsEnd: number, sums: number, units: number): void;
};

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
  const { pool, addProducts } = exports as unknown as Loops;
  return { pool, addProducts };
};

const loopsInScript = (buffer: ArrayBuffer): Loops => {
  const bytes = new Int8Array(buffer);
  const integers = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  const doubles = new Float64Array(buffer);
  return {
    pool: (table, scales, ids, idsEnd, sums) => {
      const into = doubles.subarray(sums / 8, sums / 8 + DIMENSIONS).fill(0);
      for (let at = ids / 4; at < idsEnd / 4; at++) {
        const row = table + integers[at]! * DIMENSIONS;
        const scale = floats[scales / 4 + integers[at]!]!;
        for (let d = 0; d < DIMENSIONS; d++) into[d]! += bytes[row + d]! * scale;
      }
    },
    addProducts: (weights, inputs, inputsEnd, sums, units) => {
      const count = (inputsEnd - inputs) / 8;
      for (let unit = 0; unit < units; unit++) {
        let sum = doubles[sums / 8 + unit]!;
        const first = weights / 8 + (unit - (unit % 8)) * count + (unit % 8);
        for (let i = 0; i < count; i++) sum += doubles[first + i * 8]! * doubles[inputs / 8 + i]!;
        doubles[sums / 8 + unit] = sum;
      }
    },
  };
};
