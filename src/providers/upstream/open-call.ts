/** An answer whose head has arrived: passes on its body within the deadlines, until it ends or is no longer wanted. */

import { parseJson } from "../../lib/is-json.ts";
import { type Piece, sizeOf, viewOf } from "../transport/piece.ts";
import type { TakePiece, TransportAnswer } from "../transport/transport.ts";
import { UpstreamError } from "../upstream-error.ts";
import { brokenAnswer, tooLong } from "./upstream-failure.ts";
import type { UpstreamRequest } from "./upstream-request.ts";
import { expectBefore, explainEnd, extendTo, stopWatching, type Watch } from "./watch-deadlines.ts";

export type AnswerHead = Pick<TransportAnswer, "status" | "headers">;

export type OpenCall = {
  /** Call it before `flow`, which lets go of the head. */
  head(): AnswerHead;
  /**
   * Passes on the body, as a transport does, until its end or until `finish`. Call it once. Rejects with an UpstreamError, or with whatever
   * `take` throws.
   */
  flow(take: TakePiece): Promise<void>;
  /** The whole body as JSON. */
  json(): Promise<unknown>;
  /** The first content has arrived: from here on only the idle and the total deadline apply. */
  contentSeen(): void;
  /** The answer is complete: lets the upstream finish, so that its connection can be used again. */
  finish(): void;
  /** Ends the call; aborts the upstream if the body has not ended. Safe to call twice. */
  close(): void;
};

const MAX_JSON_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 1000;

/** Reads at most `maxBytes`. A longer body is cut there (`cut`) or throws an UpstreamError. */
export const readBounded = async (
  call: OpenCall,
  maxBytes: number,
  onExcess: "cut" | "throw",
  provider: string,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await call.flow((chunk) => {
    size += sizeOf(chunk);
    chunks.push(viewOf(chunk));
    if (size <= maxBytes) return undefined;
    if (onExcess === "throw") throw tooLong("an answer", provider);
    call.close();
    return undefined;
  });
  return Bun.concatArrayBuffers(chunks, Number.POSITIVE_INFINITY, true);
};

const notJson = (provider: string): UpstreamError =>
  new UpstreamError("server", `${provider} sent an answer that is not JSON.`, { accepted: true });

const readJson = async (call: OpenCall, provider: string): Promise<unknown> =>
  parseJson(new TextDecoder().decode(await readBounded(call, MAX_JSON_BYTES, "throw", provider)));

/** What is known of the call while its body flows. */
type Flowing = {
  watch: Watch;
  provider: string;
  idleMs: number;
  contentCame: boolean;
  state: "open" | "draining" | "ended";
  /** Resolves the promise of `flow`. */
  leaveReader: (() => void) | undefined;
};

const explain = ({ watch, provider }: Flowing, error: unknown): unknown => {
  const explained = explainEnd(watch, error);
  return explained !== error || error instanceof UpstreamError ? explained : brokenAnswer("truncated", provider);
};

/** The idle deadline runs only while we wait for the upstream, not while a slow caller keeps us from reading. */
const awaitMore = ({ contentCame, state, watch, idleMs }: Flowing): void => {
  if (contentCame && state === "open") expectBefore(watch, performance.now() + idleMs);
};

const handOn = (flowing: Flowing, take: TakePiece, piece: Piece): Promise<void> | undefined => {
  const busy = take(piece);
  if (busy !== undefined && flowing.contentCame) extendTo(flowing.watch, flowing.watch.endsAt);
  else awaitMore(flowing);
  return busy?.then(() => awaitMore(flowing));
};

const flowOn = (flowing: Flowing, flow: TransportAnswer["flow"], take: TakePiece): Promise<void> =>
  new Promise((resolve, reject) => {
    flowing.leaveReader = resolve;
    const { watch } = flowing;
    /** An error thrown by `take` is passed on as it is. */
    const refuse = (error: unknown): never => {
      reject(error);
      throw error;
    };
    const over = (): void => {
      flowing.state = "ended";
      stopWatching(watch);
      resolve();
    };
    awaitMore(flowing);
    flow((piece) => {
      if (flowing.state !== "open") return undefined;
      if (watch.isAborted) throw watch.signal.reason;
      try {
        return handOn(flowing, take, piece)?.catch(refuse);
      } catch (error) {
        return refuse(error);
      }
    }).then(over, (error) => {
      reject(explain(flowing, error));
      if (flowing.state === "draining") over();
    });
  });

export const openCall = (answer: TransportAnswer, watch: Watch, { provider, timeouts }: UpstreamRequest): OpenCall => {
  let head: AnswerHead | undefined = answer;
  const { flow } = answer;
  const { idleMs } = timeouts;
  const flowing: Flowing = { watch, provider, idleMs, contentCame: false, state: "open", leaveReader: undefined };
  const call: OpenCall = {
    head: () => head!,
    flow: (take) => {
      head = undefined;
      return flowOn(flowing, flow, take);
    },
    async json() {
      try {
        return await readJson(call, provider);
      } catch (error) {
        throw error instanceof SyntaxError ? notJson(provider) : error;
      }
    },
    contentSeen() {
      if (flowing.contentCame) return;
      flowing.contentCame = true;
      extendTo(watch, watch.endsAt);
    },
    finish() {
      if (flowing.state !== "open") return;
      // The answer is complete; if the upstream does not end its stream soon, it only loses its connection.
      flowing.state = "draining";
      expectBefore(watch, performance.now() + DRAIN_MS);
      flowing.leaveReader?.();
    },
    close() {
      if (flowing.state === "draining") return;
      stopWatching(watch);
      if (flowing.state === "open") watch.abort();
      flowing.state = "ended";
      flowing.leaveReader?.();
    },
  };
  return call;
};
