/** Reads a stream of chat completion chunks. */

import { isRecord } from "../../lib/is-record.ts";
import { textAt } from "../../lib/json-at.ts";
import { createToolCallCounter } from "../dialect/tool-call-counter.ts";
import type { ReadOptions, StreamDecoder } from "../dialect/wire-dialect.ts";
import { type ChatEvent, type TokenUsage, UpstreamError } from "../provider.ts";
import { failureMessage } from "../upstream/upstream-failure.ts";
import { mapOpenAiError } from "./map-error.ts";
import {
  callsOf,
  finishReasonOf,
  readContent,
  readReasoning,
  readUsage,
  stopSequenceOf,
  wantsThoughtBack,
} from "./parse-response.ts";

/** Of a thought that is carried; more would be a flood. */
const MOST_CHARACTERS = 1_000_000;

export const createOpenAiDecoder = ({ provider, request, quirks }: ReadOptions): StreamDecoder => {
  /** Few streams have calls. */
  let tools: ReturnType<typeof createToolCallCounter> | undefined;
  let usage: TokenUsage | undefined;
  let finishReason: unknown;
  let stopSequence: string | undefined;
  let thought = "";

  const reason = (text: string, events: ChatEvent[]): void => {
    events.push({ type: "reasoning", text });
    if (wantsThoughtBack(quirks) && thought.length < MOST_CHARACTERS) thought += text;
  };
  /** Once, before the first call. */
  const handThoughtOn = (events: ChatEvent[]): void => {
    if (thought !== "") events.push({ type: "thought", thought: { text: thought } });
    thought = "";
  };

  /** The end is told once, after the usage that may follow the finish reason. */
  const finish = (events: ChatEvent[]): true => {
    tools?.close(events);
    const reason = finishReasonOf(finishReason, tools !== undefined && tools.count() > 0, provider, usage);
    events.push({ type: "finish", reason, ...(stopSequence !== undefined && { stopSequence }) });
    return true;
  };

  const readDelta = (delta: Record<string, unknown>, events: ChatEvent[]): void => {
    const { content, refusal } = delta;
    const reasoning = readReasoning(delta);
    if (reasoning) reason(reasoning, events);
    if (typeof content === "string") {
      if (content !== "") events.push({ type: "text", text: content });
    } else if (content) {
      const parts = readContent(content);
      if (parts.reasoning) reason(parts.reasoning, events);
      if (parts.text) events.push({ type: "text", text: parts.text });
    }
    if (typeof refusal === "string" && refusal !== "") events.push({ type: "refusal", text: refusal });
    const calls = callsOf(delta);
    if (calls.length > 0) handThoughtOn(events);
    for (let place = 0; place < calls.length; place++) {
      tools ??= createToolCallCounter();
      tools.readDelta(calls[place], events, calls.length > 1 ? place : undefined);
    }
    const transcript = textAt(delta, "audio", "transcript");
    if (transcript) events.push({ type: "text", text: transcript });
  };

  const readFrame = (frame: unknown, events: ChatEvent[]): void => {
    if (!isRecord(frame)) return;
    const groq = isRecord(frame["x_groq"]) ? frame["x_groq"] : undefined;
    const choice = Array.isArray(frame["choices"]) ? frame["choices"][0] : undefined;
    const reported = readUsage(frame["usage"] ?? groq?.["usage"] ?? (isRecord(choice) ? choice["usage"] : undefined));
    if (reported) {
      usage = reported;
      events.push({ type: "usage", usage });
    }
    const error = frame["error"] ?? groq?.["error"] ?? (frame["object"] === "error" ? frame : undefined);
    if (error) throw mapOpenAiError({ provider, status: 0, body: { error }, accepted: true, ...(usage && { usage }) });
    // One answer is asked for; a second that comes all the same is not mixed into the first.
    if (!isRecord(choice) || Number(choice["index"] ?? 0) !== 0) return;
    if (isRecord(choice["error"]))
      throw mapOpenAiError({ provider, status: 0, body: choice, accepted: true, ...(usage && { usage }) });
    const delta = choice["delta"] ?? choice["message"];
    if (isRecord(delta)) readDelta(delta, events);
    if (choice["finish_reason"]) {
      finishReason = choice["finish_reason"];
      stopSequence = stopSequenceOf(choice, request);
    }
  };

  return {
    decode(frame, events) {
      if (frame === "[DONE]") return finish(events);
      try {
        readFrame(JSON.parse(frame), events);
      } catch (error) {
        if (frame.trim() === "[DONE]") return finish(events);
        if (error instanceof SyntaxError)
          throw new UpstreamError("server", failureMessage(provider, "server"), { accepted: true, ...(usage && { usage }) });
        throw error;
      }
      return false;
    },
    end(events) {
      if (finishReason === undefined) {
        throw new UpstreamError("truncated", failureMessage(provider, "truncated"), { accepted: true, ...(usage && { usage }) });
      }
      finish(events);
    },
  };
};
