/** RIFF/WAVE: the bytes of the data chunk over the bytes of a second. A size that does not fit what follows is not believed. */

import { fourCharacters } from "../../lib/mp4-boxes.ts";

export const wavSeconds = (bytes: Uint8Array): number | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = fourCharacters(bytes, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === "fmt " && body + 16 <= bytes.length) bytesPerSecond = rateOf(view, body);
    if (name === "data") return bytesPerSecond > 0 ? dataBytes(bytes, body, size) / bytesPerSecond : undefined;
    at = body + size + (size % 2);
  }
  return undefined;
};

/** PCM's rate follows from its frame size; a compressed WAV says it itself. */
const rateOf = (view: DataView, at: number): number => {
  const [format, blockAlign] = [view.getUint16(at, true), view.getUint16(at + 12, true)];
  const isPlain = [1, 3, 0xfffe].includes(format) && blockAlign > 0;
  return isPlain ? blockAlign * view.getUint32(at + 4, true) : view.getUint32(at + 8, true);
};

/** Streamed files carry 0 or the largest number as size. A smaller one holds only where another chunk follows, or the file ends. */
const dataBytes = (bytes: Uint8Array, body: number, size: number): number => {
  const present = bytes.length - body;
  if (size === 0 || size >= present) return present;
  const next = body + size + (size % 2);
  return next >= bytes.length || isChunkName(bytes, next) ? size : present;
};

const isChunkName = (bytes: Uint8Array, at: number): boolean =>
  at + 8 <= bytes.length && /^[\x20-\x7e]{4}$/.test(fourCharacters(bytes, at));
