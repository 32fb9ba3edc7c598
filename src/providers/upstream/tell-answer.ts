/**
 * Tells an upstream's answer in events: one that comes whole at once, a stream in batches as the network delivers them. The hot path of
 * every call.
 */

import { isJson } from "../../lib/is-json.ts";
import type { AnswerReader, ReadOptions, WireDialect } from "../dialect/wire-dialect.ts";
import type { CallContext, ChatEvent, TakeEvents, TokenUsage } from "../provider.ts";
import { type Piece, sizeOf } from "../transport/piece.ts";
import { UpstreamError, withUsage } from "../upstream-error.ts";
import { comesWhole } from "./answer-form.ts";
import type { OpenCall } from "./open-call.ts";
import { createFrameParser, endFrames, type FrameParser, parseFrames } from "./read-events.ts";
import { tooLong } from "./upstream-failure.ts";
import type { AnswerForm } from "./upstream-request.ts";

/** `form`: the one that was asked for. `hear` gets what comes as a stream, too, before `take`. */
type Asked = ReadOptions & { dialect: WireDialect; form: AnswerForm; hear?: CallContext["hear"] };

/** Larger pieces are decoded in steps: for a reader that stalls, all of it would be held in three forms at once. */
const DECODED_AT_ONCE_BYTES = 32 * 1024;
/** The same until the first content, so that it is sent before the rest of its packet is read. */
const DECODED_FIRST_BYTES = 1024;

/** Most bytes in a row without content. What a reader holds until it is complete (a call without a name) must not fill the memory. */
const MOST_SILENT_BYTES = 64 * 1024 * 1024;

/** Bytes around a large piece in its buffer (its chunk-size line) that belong to nobody else. */
const AROUND_A_PIECE_BYTES = 1024;

/**
 * Frees a piece's memory at once, because in a flood the garbage collector lets hundreds of megabytes pile up. Only for a buffer that the
 * piece has to itself.
 */
const giveBack = (piece: Piece): void => {
  // The length is checked first, because reading `buffer` creates an object.
  if (sizeOf(piece) <= DECODED_AT_ONCE_BYTES) return;
  const buffer = piece.bytes.buffer as ArrayBuffer;
  if (buffer.byteLength - sizeOf(piece) < AROUND_A_PIECE_BYTES) buffer.transfer(0);
};

type Batch = { finished: boolean; failure?: unknown };
const FLOWING: Batch = { finished: false };
const FINISHED: Batch = { finished: true };

const isComplete = (frame: string): boolean => frame === "[DONE]" || isJson(frame);

/** Decodes one chunk (undefined: the end) into the reader's events. What was decoded before a failure is still passed on. */
const readBatch = (parser: FrameParser, reader: AnswerReader, chunk: Piece | undefined): Batch => {
  const frames: string[] = [];
  try {
    if (chunk) parseFrames(parser, chunk, frames);
    else endFrames(parser, frames);
    for (const frame of frames) {
      // An incomplete last frame means a cut stream, not a malformed one.
      if (!chunk && !isComplete(frame)) continue;
      if (reader.readFrame(frame)) return FINISHED;
    }
    if (chunk) return FLOWING;
    reader.end();
    return FINISHED;
  } catch (failure) {
    return { finished: true, failure };
  }
};

/** The state of a stream. */
type Progress = { state: "flowing" | "finished" | "failed" | "unwanted"; usage?: TokenUsage };

/**
 * Passes the events of the call that `open` makes to `take`. If it wants no more, or the caller's signal aborts, the upstream is closed at
 * once. Resolves with whether the answer was told to its end.
 */
export const tellAnswer = async (open: () => Promise<OpenCall>, asked: Asked, take: TakeEvents): Promise<boolean> => {
  const { dialect, form, hear } = asked;
  const progress: Progress = { state: "flowing" };
  let call: OpenCall | undefined;
  try {
    call = await open();
    const events: ChatEvent[] = [];
    const reader = dialect.createReader(asked, events);
    if (comesWhole(call.head(), form, dialect)) {
      reader.readWhole(await call.json());
      progress.state = "finished";
      await take(events);
    } else {
      const tell: TakeEvents = (events) => {
        hear?.(events);
        return take(events);
      };
      const parser = createFrameParser(dialect.framing);
      const stream = { call, parser, reader, events, progress, take: hear ? tell : take };
      await relay({ ...stream, atOnce: DECODED_FIRST_BYTES, silentBytes: 0 });
    }
    return progress.state === "finished";
  } catch (error) {
    throw withUsage(error, progress.usage);
  } finally {
    call?.close();
  }
};

/**
 * What the pieces of a stream pass through, and how far it has come. One record, here and further down the stream's path: with many
 * streams at once, fetching each object of another stream from memory costs more than the work on a piece.
 */
type Relay = {
  call: OpenCall;
  parser: FrameParser;
  reader: AnswerReader;
  events: ChatEvent[];
  progress: Progress;
  take: TakeEvents;
  /** Larger pieces are decoded in steps. */
  atOnce: number;
  silentBytes: number;
};

/** Decodes and passes on bytes in the same turn in which they arrive, unless the reader is busy. */
const relay = async (stream: Relay): Promise<void> => {
  const { call, progress } = stream;
  let loss: UpstreamError | undefined;
  try {
    await call.flow((piece) => (sizeOf(piece) > stream.atOnce ? takeLarge(stream, piece) : handOn(stream, piece)));
  } catch (error) {
    // If the answer was already complete, silence or a broken connection afterwards is no failure.
    if (progress.state !== "flowing" || !(error instanceof UpstreamError)) throw error;
    loss = error;
  }
  if (progress.state === "flowing") await handOn(stream, undefined, loss);
};

const handOn = (stream: Relay, chunk: Piece | undefined, loss?: UpstreamError): Promise<void> | undefined => {
  const { call, events, progress, take } = stream;
  const { finished, failure } = readBatch(stream.parser, stream.reader, chunk);
  if (events.length > 0) stream.atOnce = DECODED_AT_ONCE_BYTES;
  if (chunk !== undefined) stream.silentBytes += sizeOf(chunk);
  for (const event of events) noteEvent(stream, event);
  if (stream.silentBytes > MOST_SILENT_BYTES) throw tooLong("a stream without content");
  if (finished) progress.state = failure ? "failed" : "finished";
  if (progress.state === "finished") call.finish();
  const goesOn = events.length === 0 || take(events);
  events.length = 0;
  return goesOn === true && !failure ? undefined : settle(stream, goesOn, failure && (loss ?? failure));
};

const noteEvent = (stream: Relay, event: ChatEvent): void => {
  if (event.type === "usage") {
    stream.progress.usage = event.usage;
    return;
  }
  stream.silentBytes = 0;
  stream.call.contentSeen();
};

const settle = async ({ call, progress }: Relay, goesOn: boolean | Promise<boolean>, failure: unknown): Promise<void> => {
  const isWanted = await goesOn;
  if (failure) throw failure;
  if (isWanted || progress.state === "finished") return;
  progress.state = "unwanted";
  call.close();
};

const takeLarge = async (stream: Relay, piece: Piece): Promise<void> => {
  for (let { from } = piece; from < piece.to && stream.progress.state === "flowing"; ) {
    const chunk = { ...piece, from, to: Math.min(piece.to, from + stream.atOnce) };
    from = chunk.to;
    const isLast = from === piece.to;
    const isFirst = stream.atOnce === DECODED_FIRST_BYTES;
    const busy = handOn(stream, chunk);
    if (isLast) giveBack(piece);
    await busy;
    // After the first content, waits one turn: the runtime writes to the socket at the end of a turn.
    if (isFirst && stream.atOnce !== DECODED_FIRST_BYTES && !isLast) await new Promise(setImmediate);
  }
};
