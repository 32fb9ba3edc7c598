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

const readCounted = async (body: ReadableStream<Uint8Array>, maxBytes: number, tooLarge: () => ApiError): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size);
};
