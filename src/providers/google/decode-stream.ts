/** Reads Gemini's stream frames. Tool calls come whole, or in pieces that are handed on once the call is complete. */

import { isRecord } from "../../lib/is-record.ts";
import { argumentsText } from "../message-parts.ts";
import { type ChatEvent, type TokenUsage, UpstreamError } from "../provider.ts";
import { failureMessage, textOf } from "../upstream-failure.ts";
import type { ReadOptions, StreamDecoder } from "../wire-dialect.ts";
import { mapGoogleError } from "./map-error.ts";
import { createPartialArguments } from "./partial-arguments.ts";
import { candidateOf, finishReasonOf, isBlocked, partsOfCandidate, readUsage, toolCallId } from "./read-candidate.ts";

export const createGoogleDecoder = ({ provider }: ReadOptions): StreamDecoder => {
  let toolCount = 0;
  let partial: { index: number; pieces: ReturnType<typeof createPartialArguments> } | undefined;
  let usage: TokenUsage | undefined;
  let finishReason = "";
  let blocked = false;

  const closePartial = (events: ChatEvent[]): void => {
    if (partial) events.push({ type: "tool-arguments", index: partial.index, text: partial.pieces.toJson() });
    partial = undefined;
  };

  const startCall = (part: Record<string, unknown>, call: Record<string, unknown>, name: string, events: ChatEvent[]): void => {
    closePartial(events);
    const index = toolCount++;
    events.push({ type: "tool-start", index, id: toolCallId(part, call), name });
    if (call["willContinue"] === true || Array.isArray(call["partialArgs"]))
      partial = { index, pieces: createPartialArguments() };
    else events.push({ type: "tool-arguments", index, text: argumentsText(call["args"]) });
  };

  /** A named call opens, nameless pieces continue it, and the piece that announces no more closes it. */
  const readCall = (part: Record<string, unknown>, call: Record<string, unknown>, events: ChatEvent[]): void => {
    const name = textOf(call["name"]);
    if (name) startCall(part, call, name, events);
    if (!partial) return;
    for (const piece of Array.isArray(call["partialArgs"]) ? call["partialArgs"] : []) partial.pieces.add(piece);
    if (call["willContinue"] !== true) closePartial(events);
  };

  const readPart = (part: Record<string, unknown>, events: ChatEvent[]): void => {
    if (isRecord(part["functionCall"])) readCall(part, part["functionCall"], events);
    const text = textOf(part["text"]);
    if (text) events.push({ type: part["thought"] === true ? "reasoning" : "text", text });
  };

  const readFrame = (frame: Record<string, unknown>, events: ChatEvent[]): void => {
    if (frame["error"]) throw mapGoogleError({ provider, status: 0, body: frame, accepted: true, ...(usage && { usage }) });
    const candidate = candidateOf(frame);
    if (candidate) {
      for (const part of partsOfCandidate(candidate)) readPart(part, events);
      finishReason = textOf(candidate["finishReason"]) || finishReason;
    }
    blocked ||= isBlocked(frame);
    const reported = readUsage(frame["usageMetadata"]);
    if (!reported) return;
    usage = reported;
    events.push({ type: "usage", usage });
  };

  return {
    decode(frame, events) {
      let value: unknown;
      try {
        value = JSON.parse(frame);
      } catch {
        if (frame === "[DONE]") return false;
        throw new UpstreamError("server", failureMessage(provider, "server"), { accepted: true, ...(usage && { usage }) });
      }
      const record = Array.isArray(value) ? value[0] : value;
      if (isRecord(record)) readFrame(record, events);
      return false;
    },
    end(events) {
      closePartial(events);
      if (finishReason === "" && !blocked) {
        throw new UpstreamError("truncated", failureMessage(provider, "truncated"), { accepted: true, ...(usage && { usage }) });
      }
      const reason = finishReason === "" ? "content_filter" : finishReasonOf(finishReason, toolCount > 0, provider, usage);
      events.push({ type: "finish", reason });
    },
  };
};
