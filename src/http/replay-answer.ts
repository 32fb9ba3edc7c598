/** Replays a stored answer. Replays count towards no limit, so the memory that those of a project may hold at once is bounded instead. */

import { ApiError } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { type EarlierAnswer, findAnswerBody, type IdempotencyPlace } from "./idempotency-store.ts";

/** Reserves memory; returns the function that releases it, to be called once. Throws 409 if the project's other replays hold too much. */
export type ReplayRoom = (projectId: string, bytes: number) => () => void;

/** Per project. A single replay may be larger. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;
/** Not reserved: the operating system buffers this much for a connection. */
const SMALL_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;

export const createReplayRoom = (): ReplayRoom => {
  const heldBytes = new Map<string, number>();
  return (projectId, bytes) => {
    if (bytes <= SMALL_BYTES) return () => {};
    const before = heldBytes.get(projectId) ?? 0;
    if (before > 0 && before + bytes > MOST_HELD_BYTES)
      throw new ApiError("idempotency_in_progress", "Too many large answers of this project are being replayed.", {
        retryAfterSeconds: 1,
      });
    heldBytes.set(projectId, before + bytes);
    return () => {
      const left = heldBytes.get(projectId)! - bytes;
      if (left > 0) heldBytes.set(projectId, left);
      else heldBytes.delete(projectId);
    };
  };
};

/** The response has the id of the original call, as its body and the log have it. */
export const replayAnswer = (
  { platform, room }: { platform: Platform; room: ReplayRoom },
  place: IdempotencyPlace,
  { status, headers: stored, bodyBytes }: EarlierAnswer,
  fresh: Record<string, string>,
): Response => {
  const headers = new Headers({ ...fresh, "x-svc-idempotent-replay": "true" });
  for (const [name, value] of stored) headers.set(name, value);
  if (bodyBytes <= SMALL_BYTES) return new Response(findAnswerBody(platform.db, place), { status, headers });
  const release = room(place.projectId, bodyBytes);
  try {
    return new Response(inPieces(findAnswerBody(platform.db, place), release), { status, headers });
  } catch (error) {
    release();
    throw error;
  }
};

/** `release` is called once: when all pieces have been read, or when the caller disconnects. */
const inPieces = (whole: Uint8Array, release: () => void): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < whole.length) {
          controller.enqueue(whole.subarray(at, at + PIECE_BYTES));
          at += PIECE_BYTES;
          return;
        }
        release();
        controller.close();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
};
