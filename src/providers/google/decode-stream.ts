/** Decodes Gemini's stream frames. Tool calls come whole, or in pieces that are passed on once the call is complete. */

import { isRecord } from "../../lib/is-record.ts";
import { textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { ReadOptions, StreamDecoder } from "../dialect/wire-dialect.ts";
import type { ChatEvent, FinishReason, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapGoogleError } from "./map-error.ts";
import { createPartialArguments } from "./partial-arguments.ts";
import {
  blockedPrompt,
  blockReasonOf,
  candidateOf,
  finishReasonOf,
  partsOfCandidate,
  readUsage,
  reasonOf,
  toolCallId,
} from "./read-candidate.ts";

type Json = Record<string, unknown>;

type State = {
  provider: string;
  toolCount: number;
  /** The call whose arguments are still incomplete. */
  partial: { index: number; pieces: ReturnType<typeof createPartialArguments> } | undefined;
  counts: Json;
  usage: TokenUsage | undefined;
  finishReason: string;
  blockReason: string;
  /** Part of the answer has arrived, so a block now concerns the answer, not the prompt. */
  hasBegun: boolean;
};

const closePartial = (state: State, events: ChatEvent[]): void => {
  if (state.partial) events.push({ type: "tool-arguments", index: state.partial.index, text: state.partial.pieces.toJson() });
  state.partial = undefined;
};

const startCall = (state: State, part: Json, call: Json, name: string, events: ChatEvent[]): void => {
  closePartial(state, events);
  const index = state.toolCount++;
  events.push({ type: "tool-start", index, id: toolCallId(part, call), name });
  if (call["willContinue"] === true || Array.isArray(call["partialArgs"]))
    state.partial = { index, pieces: createPartialArguments() };
  else events.push({ type: "tool-arguments", index, text: argumentsText(call["args"]) });
};

/** A piece with a name begins a call, pieces without one continue it, and the one without `willContinue` ends it. */
const readCall = (state: State, part: Json, call: Json, events: ChatEvent[]): void => {
  const name = textAt(call, "name");
  if (name) startCall(state, part, call, name, events);
  if (!state.partial) return;
  for (const piece of Array.isArray(call["partialArgs"]) ? call["partialArgs"] : []) state.partial.pieces.add(piece);
  if (call["willContinue"] !== true) closePartial(state, events);
};

const readPart = (state: State, part: Json, events: ChatEvent[]): void => {
  if (isRecord(part["functionCall"])) readCall(state, part, part["functionCall"], events);
  const text = textAt(part, "text");
  if (text) events.push({ type: part["thought"] === true ? "reasoning" : "text", text });
};

const readFrame = (state: State, frame: Json, events: ChatEvent[]): void => {
  const { provider, usage } = state;
  if (frame["error"]) throw mapGoogleError({ provider, status: 0, body: frame, accepted: true, ...(usage && { usage }) });
  const candidate = candidateOf(frame);
  if (candidate) {
    state.hasBegun = true;
    for (const part of partsOfCandidate(candidate)) readPart(state, part, events);
    state.finishReason = reasonOf(candidate) || state.finishReason;
  }
  state.blockReason ||= blockReasonOf(frame);
  // Each frame repeats the counts; missing ones keep their value.
  if (isRecord(frame["usageMetadata"])) state.counts = { ...state.counts, ...frame["usageMetadata"] };
  const reported = isRecord(frame["usageMetadata"]) ? readUsage(state.counts) : undefined;
  if (!reported) return;
  state.usage = reported;
  events.push({ type: "usage", usage: reported });
};

const endOf = (state: State): FinishReason => {
  const { provider, blockReason, hasBegun, finishReason, toolCount, usage } = state;
  if (blockReason && !hasBegun) throw blockedPrompt(provider, blockReason, usage);
  if (blockReason) return "content_filter";
  if (finishReason === "") throw brokenAnswer("truncated", provider, usage);
  return finishReasonOf(finishReason, toolCount > 0, provider, usage);
};

/** There is no closing frame: the stream is complete if it ends after a finish reason. */
export const createGoogleDecoder = ({ provider }: ReadOptions): StreamDecoder => {
  const state: State = {
    provider,
    toolCount: 0,
    partial: undefined,
    counts: {},
    usage: undefined,
    finishReason: "",
    blockReason: "",
    hasBegun: false,
  };
  return {
    decode(frame, events) {
      const value = parseFrame(frame, provider, state.usage);
      for (const record of Array.isArray(value) ? value : [value]) if (isRecord(record)) readFrame(state, record, events);
      return false;
    },
    end(events) {
      closePartial(state, events);
      events.push({ type: "finish", reason: endOf(state) });
    },
  };
};
