/** Reads a request's body within a bound and a deadline; a length that is announced above the bound is refused unread. */

import { ApiError, invalidRequest, requestTooLarge } from "../api-error.ts";

/** A body that drips in slower than this is given up (safety-notes T17). */
const BODY_DEADLINE_MS = 120_000;

/** Throws 413, or what `tooLarge` makes, above `maxBytes`; 400 for a body that breaks off or comes too slowly. */
export const readBody = async (
  request: Request,
  maxBytes: number,
  tooLarge: () => ApiError = () => requestTooLarge(maxBytes),
): Promise<Uint8Array> => {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge();
  // A body that is looked at becomes a stream: only where nobody says how long it is.
  if (announced === null && request.body === null) return new Uint8Array();
  let deadline: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(invalidRequest("The request body did not arrive in time.")), BODY_DEADLINE_MS);
  });
  try {
    // With an announced length the whole is bounded already; without one every piece is counted.
    return await Promise.race([announced !== null ? request.bytes() : readCounted(request.body!, maxBytes, tooLarge), late]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidRequest("The request body could not be read to its end.");
  } finally {
    clearTimeout(deadline);
  }
};

/** Pieces are copied together: kept by themselves, a body of millions of tiny ones would take a hundred times its size. */
const readCounted = async (body: ReadableStream<Uint8Array>, maxBytes: number, tooLarge: () => ApiError): Promise<Uint8Array> => {
  let whole = Buffer.alloc(0);
  let size = 0;
  for await (const piece of body) {
    const end = size + piece.byteLength;
    if (end > maxBytes) throw tooLarge();
    if (end > whole.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(end, 2 * whole.length)));
      whole.copy(larger, 0, 0, size);
      whole = larger;
    }
    whole.set(piece, size);
    size = end;
  }
  return whole.subarray(0, size);
};
