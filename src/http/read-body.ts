/** Reads a request's body within a bound and a deadline. A `Content-Length` above the bound is refused unread. */

import { ApiError, invalidRequest, requestTooLarge, unsupportedMediaType } from "../api-error.ts";
import { compressionFormat } from "../lib/compression-formats.ts";
import { makeRoom, mayBeLarge } from "./body-room.ts";

/** A body that takes longer than this to arrive is given up (safety-notes T17). */
const BODY_DEADLINE_MS = 120_000;

/**
 * Unpacks a compressed body. Throws 413, or what `tooLarge` makes, above `maxBytes`; 415 for an unknown compression; 400 for a body that
 * breaks off or comes too slowly; 503 if it finds no room.
 */
export const readBody = async (
  request: Request,
  maxBytes: number,
  tooLarge: () => ApiError = () => requestTooLarge(maxBytes),
): Promise<Uint8Array> => {
  const format = formatOf(request);
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge();
  // Touching `body` turns it into a stream, so only without a `Content-Length`.
  const isCounted = announced === null || format !== undefined;
  if (isCounted && request.body === null) return new Uint8Array();
  if (!isCounted && mayBeLarge(request)) await makeRoom(request, Number(announced));
  let deadline: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(tooSlow()), BODY_DEADLINE_MS);
  });
  try {
    // A `Content-Length` already bounds the whole; without one, and of what is unpacked, every piece is counted.
    return await Promise.race([isCounted ? readCounted(request, format, maxBytes, tooLarge) : request.bytes(), late]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const cause = format === undefined ? "" : ", or is not compressed as its Content-Encoding says";
    throw invalidRequest(`The request body could not be read to its end${cause}.`);
  } finally {
    clearTimeout(deadline);
  }
};

/** Undefined for a body that is not compressed. */
const formatOf = ({ headers }: Request): CompressionFormat | undefined => {
  const encoding = headers.get("content-encoding");
  if (!encoding || encoding.toLowerCase() === "identity") return undefined;
  const format = compressionFormat(encoding);
  if (format === undefined)
    throw unsupportedMediaType("a body compressed with gzip, deflate, br or zstd, or not at all", encoding);
  return format;
};

const tooSlow = () => invalidRequest(`The request body did not arrive within ${BODY_DEADLINE_MS / 1000} seconds.`);

/**
 * A body of unknown length that grows beyond this makes room for the largest one at once. If it made room bit by bit, several such bodies
 * could each hold a part and wait for one another. Up to this size they cannot fill the room: as many as may wait take less than half of it.
 */
const SMALL_PART_BYTES = 512 * 1024;

/**
 * Makes room as the body grows. Copies pieces together, because kept separately a body of millions of tiny pieces would take a hundred
 * times its size.
 */
const readCounted = async (
  request: Request,
  format: CompressionFormat | undefined,
  maxBytes: number,
  tooLarge: () => ApiError,
): Promise<Uint8Array> => {
  const pieces = format === undefined ? request.body! : request.body!.pipeThrough(new DecompressionStream(format));
  let whole = Buffer.alloc(0);
  let size = 0;
  for await (const piece of pieces) {
    const end = size + piece.byteLength;
    if (end > maxBytes) throw tooLarge();
    if (end > whole.length) {
      const most = Math.min(maxBytes, Math.max(end, 2 * whole.length));
      await makeRoom(request, most <= SMALL_PART_BYTES ? most : maxBytes);
      const larger = Buffer.allocUnsafe(most);
      whole.copy(larger, 0, 0, size);
      whole = larger;
    }
    whole.set(piece, size);
    size = end;
  }
  await makeRoom(request, whole.length);
  return whole.subarray(0, size);
};
