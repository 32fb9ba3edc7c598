/**
 * A piece of a body, within the bytes of the packet in which it came. A view of them would cost the runtime more than reading most pieces.
 */

export type Piece = { bytes: Buffer; from: number; to: number };

export const pieceOf = (bytes: Uint8Array): Piece => ({
  bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  from: 0,
  to: bytes.byteLength,
});

export const sizeOf = ({ from, to }: Piece): number => to - from;

export const viewOf = ({ bytes, from, to }: Piece): Buffer<ArrayBuffer> =>
  (to - from === bytes.length ? bytes : bytes.subarray(from, to)) as Buffer<ArrayBuffer>;
