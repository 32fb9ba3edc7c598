/** Replays a stored answer. Replays count towards no limit; a large one takes its room among the project's large bodies until it is read. */

import type { Caller } from "../../accounts/authenticate.ts";
import { serviceUnavailable } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import { makeRoom, SMALL_BYTES } from "../body-room.ts";
import { type EarlierAnswer, findAnswerBody, type IdempotencyPlace } from "./store.ts";

const PIECE_BYTES = 256 * 1024;

type Replay = {
  request: Request;
  caller: Caller;
  place: IdempotencyPlace;
  answer: EarlierAnswer;
  /** Headers that are set anew. The others are those of the original answer, also its id, which its body and the log have too. */
  fresh: Record<string, string>;
};

/** Waits until there is room. Throws 503 after a minute, or if too many wait. */
export const replayAnswer = async (platform: Platform, { request, caller, place, answer, fresh }: Replay): Promise<Response> => {
  const { status, headers: stored, bodyBytes } = answer;
  const headers = new Headers({ ...fresh, "x-svc-idempotent-replay": "true" });
  for (const [name, value] of stored) headers.set(name, value);
  if (bodyBytes <= SMALL_BYTES) return new Response(readBody(platform, place), { status, headers });
  // The request's own body was only needed to compare it; replays that kept theirs would wait for one another.
  platform.exchanges.of(request).freeBody?.();
  const release = platform.bodyRoom(request, caller);
  await makeRoom(request, bodyBytes);
  try {
    return new Response(inPieces(readBody(platform, place), release), { status, headers });
  } catch (error) {
    release();
    throw error;
  }
};

/** Throws 503 if the day ended, or the project was deleted, while the replay waited. */
const readBody = ({ db }: Platform, place: IdempotencyPlace): Uint8Array<ArrayBuffer> => {
  const body = findAnswerBody(db, place);
  if (body === undefined) throw serviceUnavailable("The stored answer has just expired. Send the request again.", 1);
  return body;
};

/** `release` is called when all pieces have been read, or when the caller disconnects. */
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
