/** Runs one upstream stream: bytes to frames to events, in batches as the network delivers them. The hot path of every stream. */

import { isJson } from "../lib/is-json.ts";
import type { OpenCall } from "./call-upstream.ts";
import { type ChatEvent, type ChatResult, type TokenUsage, UpstreamError } from "./provider.ts";
import { createFrameParser } from "./read-events.ts";
import type { ReadOptions, StreamDecoder, WireDialect } from "./wire-dialect.ts";

export type StreamEnd = { ok: true } | { ok: false; error: unknown } | { ok: "abandoned" };

/** A whole answer as the events it would have been: some servers take `stream: true` and answer in one piece. */
const eventsOf = (result: ChatResult): ChatEvent[] => [
  ...(result.reasoning ? [{ type: "reasoning" as const, text: result.reasoning }] : []),
  ...(result.refusal
    ? [{ type: "refusal" as const, text: result.refusal }]
    : result.text
      ? [{ type: "text" as const, text: result.text }]
      : []),
  ...result.toolCalls.flatMap((call, index): ChatEvent[] => [
    { type: "tool-start", index, id: call.id, name: call.name },
    { type: "tool-arguments", index, text: call.arguments },
  ]),
  ...(result.usageSource === "provider" ? [{ type: "usage" as const, usage: result.usage }] : []),
  {
    type: "finish",
    reason: result.finishReason,
    ...(result.stopSequence !== undefined && { stopSequence: result.stopSequence }),
  },
];

const isWholeAnswer = ({ headers }: OpenCall["answer"]): boolean =>
  headers.get("content-type")?.startsWith("application/json") ?? false;

/** A stream that broke is billed for what was reported until then. */
const withUsage = (error: unknown, usage: TokenUsage | undefined): unknown => {
  if (!(error instanceof UpstreamError) || usage === undefined || error.details.usage) return error;
  return new UpstreamError(error.kind, error.message, { ...error.details, accepted: true, usage });
};

/** A large piece is decoded bit by bit: for a reader that stalls, all of it would be held in three forms. */
const DECODED_AT_ONCE_BYTES = 32 * 1024;
/** Until the first content: it leaves before what came with it is read. */
const DECODED_FIRST_BYTES = 1024;

/** What of its buffer a large piece may leave to others: the line that announces its length. */
const AROUND_A_PIECE_BYTES = 1024;

/** Its memory is free at once: of floods, the collector would let hundreds of megabytes pile up. Only what is its own. */
const giveBack = (piece: Uint8Array): void => {
  // The length first: asking for the buffer makes an object of it.
  if (piece.byteLength <= DECODED_AT_ONCE_BYTES) return;
  const buffer = piece.buffer as ArrayBuffer;
  if (buffer.byteLength - piece.byteLength < AROUND_A_PIECE_BYTES) buffer.transfer(0);
};

type Batch = { finished: boolean; failure?: unknown };

const isComplete = (frame: string): boolean => frame === "[DONE]" || isJson(frame);

/** Decodes one chunk (or the end, undefined) into `events`; what came before a failure is still handed on. */
const createBatchReader = (dialect: WireDialect, decoder: StreamDecoder) => {
  const parser = createFrameParser(dialect.framing);
  const frames: string[] = [];
  return (chunk: Uint8Array | undefined, events: ChatEvent[]): Batch => {
    frames.length = 0;
    events.length = 0;
    try {
      if (chunk) parser.push(chunk, frames);
      else parser.end(frames);
      for (const frame of frames) {
        // A last frame that breaks off in the middle is a cut stream, not a malformed one.
        if (!chunk && !isComplete(frame)) continue;
        if (decoder.decode(frame, events)) return { finished: true };
      }
      if (chunk) return { finished: false };
      decoder.end(events);
      return { finished: true };
    } catch (failure) {
      return { finished: true, failure };
    }
  };
};

/**
 * The events of the call that `open` makes, as many together as came together; a list is read before the next is asked for. Returning early, or an abort of the caller's signal, closes the upstream at once.
 * `onEnd` is told once how it ended.
 */
export async function* streamEvents(
  open: () => Promise<OpenCall>,
  dialect: WireDialect,
  options: ReadOptions,
  onEnd: (end: StreamEnd) => void,
): AsyncGenerator<readonly ChatEvent[]> {
  let call: OpenCall | undefined;
  let end: StreamEnd = { ok: "abandoned" };
  let usage: TokenUsage | undefined;
  try {
    call = await open();
    if (isWholeAnswer(call.answer)) {
      const events = eventsOf(dialect.parseResponse(await call.json(), options));
      end = { ok: true };
      yield events;
      return;
    }
    const readBatch = createBatchReader(dialect, dialect.createDecoder(options));
    const events: ChatEvent[] = [];
    let piece: Uint8Array | undefined;
    let rest: Uint8Array | undefined;
    let atOnce = DECODED_FIRST_BYTES;
    for (let finished = false; !finished; ) {
      let loss: unknown;
      if (rest === undefined) {
        try {
          piece = await call.read();
          rest = piece;
        } catch (error) {
          // Silence or a broken connection: an answer that has said its last word is complete all the same.
          if (!(error instanceof UpstreamError)) throw error;
          loss = error;
        }
      }
      const isLarge = rest !== undefined && rest.length > atOnce;
      const chunk = isLarge ? rest!.subarray(0, atOnce) : rest;
      rest = isLarge ? rest!.subarray(atOnce) : undefined;
      const batch = readBatch(chunk, events);
      if (piece !== undefined && rest === undefined) giveBack(piece);
      finished = batch.finished;
      if (finished && !batch.failure) {
        call.finish();
        end = { ok: true };
      }
      for (const event of events) {
        if (event.type === "usage") usage = event.usage;
        else call.contentSeen();
      }
      if (events.length > 0) yield events;
      if (batch.failure) throw loss ?? batch.failure;
      if (atOnce === DECODED_FIRST_BYTES && events.length > 0) {
        atOnce = DECODED_AT_ONCE_BYTES;
        // The runtime writes it at the end of this turn.
        if (rest !== undefined) await new Promise(setImmediate);
      }
    }
  } catch (error) {
    const failure = withUsage(error, usage);
    end = { ok: false, error: failure };
    throw failure;
  } finally {
    call?.close();
    onEnd(end);
  }
}
