/** Reads Gemini's answers: a stream of frames, or one frame, or a list of them. Tool calls come whole, or in pieces that are passed on once the call is complete. */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { firstChoice } from "../dialect/first-choice.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, FinishReason, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapGoogleError } from "./map-error.ts";
import { createPartialArguments } from "./partial-arguments.ts";
import { blockedPrompt, blockReasonOf, finishReasonOf, readUsage, reasonOf, toolCallId } from "./read-candidate.ts";

type Json = Record<string, unknown>;

type Reading = {
  events: ChatEvent[];
  provider: string;
  toolCount: number;
  /** The call whose arguments are still incomplete. */
  partial: { index: number; pieces: ReturnType<typeof createPartialArguments> } | undefined;
  counts: Json;
  usage: TokenUsage | undefined;
  finishReason: string;
  /** Why the prompt was rejected; empty if it was not. If no model saw it there are no candidates; some filters act later. */
  blockReason: string;
  /** Part of the answer has arrived, so a block now concerns the answer, not the prompt. */
  hasBegun: boolean;
};

const newReading = (provider: string, events: ChatEvent[]): Reading => ({
  events,
  provider,
  toolCount: 0,
  partial: undefined,
  counts: {},
  usage: undefined,
  finishReason: "",
  blockReason: "",
  hasBegun: false,
});

const closePartial = (reading: Reading): void => {
  const { partial, events } = reading;
  if (partial) events.push({ type: "tool-arguments", index: partial.index, text: partial.pieces.toJson() });
  reading.partial = undefined;
};

const startCall = (reading: Reading, part: Json, call: Json, name: string): void => {
  closePartial(reading);
  const { events } = reading;
  const index = reading.toolCount++;
  events.push({ type: "tool-start", index, id: toolCallId(part, call), name });
  if (call["willContinue"] === true || Array.isArray(call["partialArgs"]))
    reading.partial = { index, pieces: createPartialArguments() };
  else events.push({ type: "tool-arguments", index, text: argumentsText(call["args"]) });
};

/** A piece with a name begins a call, pieces without one continue it, and the one without `willContinue` ends it. */
const readCall = (reading: Reading, part: Json, call: Json): void => {
  const name = textAt(call, "name");
  if (name) startCall(reading, part, call, name);
  if (!reading.partial) return;
  for (const piece of listAt(call, "partialArgs")) reading.partial.pieces.add(piece);
  if (call["willContinue"] !== true) closePartial(reading);
};

const readPart = (reading: Reading, part: Json): void => {
  if (isRecord(part["functionCall"])) readCall(reading, part, part["functionCall"]);
  const isThought = part["thought"] === true;
  const text = textAt(part, "text");
  if (text) reading.events.push({ type: isThought ? "reasoning" : "text", text });
  // Drafts, among its thoughts, are not the answer's.
  if (isRecord(part["inlineData"]) && !isThought) readPicture(reading, part["inlineData"]);
};

const readPicture = ({ events }: Reading, file: Json): void => {
  const mediaType = textAt(file, "mimeType");
  if (mediaType.startsWith("image/")) events.push({ type: "picture", url: `data:${mediaType};base64,${textAt(file, "data")}` });
};

const readFrame = (reading: Reading, frame: Json): void => {
  const { provider, usage } = reading;
  if (frame["error"]) throw mapGoogleError({ provider, status: 0, body: frame, accepted: true, usage });
  const candidate = firstChoice(frame["candidates"]);
  if (candidate) {
    reading.hasBegun = true;
    for (const part of recordsAt(candidate, "content", "parts")) readPart(reading, part);
    reading.finishReason = reasonOf(candidate) || reading.finishReason;
  }
  reading.blockReason ||= blockReasonOf(frame);
  // Each frame repeats the counts; missing ones keep their value.
  if (isRecord(frame["usageMetadata"])) reading.counts = { ...reading.counts, ...frame["usageMetadata"] };
  const reported = isRecord(frame["usageMetadata"]) ? readUsage(reading.counts) : undefined;
  if (!reported) return;
  reading.usage = reported;
  reading.events.push({ type: "usage", usage: reported });
};

const endOf = (reading: Reading): FinishReason => {
  const { provider, blockReason, hasBegun, finishReason, toolCount, usage } = reading;
  if (blockReason && !hasBegun) throw blockedPrompt(provider, blockReason, usage);
  if (blockReason) return "content_filter";
  if (finishReason === "") throw brokenAnswer("truncated", provider, usage);
  return finishReasonOf(finishReason, toolCount > 0, provider, usage);
};

/** Throws UpstreamError `truncated` if there was no finish reason. */
const finishReading = (reading: Reading): void => {
  closePartial(reading);
  reading.events.push({ type: "finish", reason: endOf(reading) });
};

export const createGoogleReader = ({ provider }: ReadOptions, events: ChatEvent[]): AnswerReader => {
  const reading = newReading(provider, events);
  return {
    readWhole(body) {
      for (const frame of Array.isArray(body) ? recordsAt(body) : [recordAt(body)]) readFrame(reading, frame);
      if (!reading.hasBegun && reading.blockReason === "") throw brokenAnswer("server", provider, reading.usage);
      // Unlike a stream, it cannot end too early.
      reading.finishReason ||= "STOP";
      finishReading(reading);
    },
    readFrame(frame) {
      const value = parseFrame(frame, provider, reading.usage);
      for (const record of Array.isArray(value) ? value : [value]) if (isRecord(record)) readFrame(reading, record);
      return false;
    },
    /** There is no closing frame: the stream is complete if it ends after a finish reason. */
    end: () => finishReading(reading),
  };
};
