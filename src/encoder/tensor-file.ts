/**
 * The container of the encoder's binary assets: "SBT1", the length of a JSON header, the header, then the tensors, each aligned
 * to 16 bytes. Written by eval/encoder/tensor_file.py; little-endian, as every platform Bun runs on.
 */

const MAGIC = "SBT1";

type Entry = { dtype: "int8" | "float32" | "utf8"; offset: number; bytes: number };

export type TensorFile = {
  /** Provenance and calibration constants, as the build script wrote them. */
  meta: Record<string, unknown>;
  int8(name: string): Int8Array;
  float32(name: string): Float32Array;
  /** The position of its bytes in the file. */
  placeOf(name: string): { offset: number; bytes: number };
};

/** Throws when the bytes are not such a file or lack a tensor: a broken build, never a caller's fault. */
export function readTensorFile(buffer: ArrayBuffer): TensorFile {
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, 4));
  if (magic !== MAGIC) throw new Error(`not a tensor file: it begins with "${magic}"`);
  const headerBytes = new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerBytes))) as {
    meta: Record<string, unknown>;
    tensors: Record<string, Entry>;
  };
  const entry = (name: string, dtype?: Entry["dtype"]): Entry => {
    const found = header.tensors[name];
    if (found === undefined || (dtype !== undefined && found.dtype !== dtype))
      throw new Error(`the tensor file holds no ${dtype ?? ""} tensor "${name}"`);
    return found;
  };
  return {
    meta: header.meta,
    int8: (name) => {
      const { offset, bytes } = entry(name, "int8");
      return new Int8Array(buffer, offset, bytes);
    },
    float32: (name) => {
      const { offset, bytes } = entry(name, "float32");
      return new Float32Array(buffer, offset, bytes / 4);
    },
    placeOf: (name) => entry(name),
  };
}
