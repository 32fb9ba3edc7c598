/** Reads chat completions: a stream of chunks, or all of the answer in one, which has a message in place of the delta. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt, valueAt } from "../../lib/json-at.ts";
import { firstChoice } from "../dialect/first-choice.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import { createToolCallCounter } from "../dialect/tool-call-counter.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, Citation, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapOpenAiError } from "./map-error.ts";
import { callsOf, finishReasonOf, readContent, readReasoning, readUsage, stopSequenceOf } from "./read-choice.ts";
import { citationsBeside, citationsOfAnswer, citationsOfSearches, joinCitations } from "./read-citations.ts";
import { statedError } from "./stated-error.ts";
import { wantsThoughtBack } from "./thinking.ts";

/** Most characters of thinking to carry; more would be a flood. */
const MOST_CHARACTERS = 1_000_000;

type Json = Record<string, unknown>;

type State = ReadOptions & {
  /** Created at the first call; few streams have any. */
  tools: ReturnType<typeof createToolCallCounter> | undefined;
  usage: TokenUsage | undefined;
  finishReason: unknown;
  stopSequence: string | undefined;
  thought: string;
  /** Part of the answer has arrived. */
  hasBegun: boolean;
  citations: { beside: Citation[]; ofAnswer: Citation[] };
};

const pushReasoning = (state: State, text: string, events: ChatEvent[]): void => {
  if (text === "") return;
  events.push({ type: "reasoning", text });
  if (wantsThoughtBack(state.quirks) && state.thought.length < MOST_CHARACTERS) state.thought += text;
};

const pushText = (text: string, events: ChatEvent[]): void => {
  if (text !== "") events.push({ type: "text", text });
};

/** Thinking is passed on once, before the first call. */
const readCalls = (state: State, calls: readonly unknown[], isWhole: boolean, events: ChatEvent[]): void => {
  if (state.thought !== "") events.push({ type: "thought", thought: { text: state.thought } });
  state.thought = "";
  state.tools ??= createToolCallCounter(state.request.tools?.map(({ name }) => name));
  for (let place = 0; place < calls.length; place++)
    if (isWhole) state.tools.readWhole(calls[place], events);
    else state.tools.readDelta(calls[place], events, calls.length > 1 ? place : undefined);
};

/** `isWhole`: it is not a delta, but a message. Some servers repeat a refusal or a transcript as content. */
const readDelta = (state: State, delta: Json, isWhole: boolean, events: ChatEvent[]): void => {
  const { content, refusal } = delta;
  const { text, reasoning } = readContent(content);
  pushReasoning(state, reasoning || readReasoning(delta), events);
  if (text !== refusal) pushText(text, events);
  if (typeof refusal === "string" && refusal !== "") events.push({ type: "refusal", text: refusal });
  const calls = callsOf(delta);
  if (calls.length > 0) readCalls(state, calls, isWhole, events);
  if (delta["audio"] && text === "") pushText(textAt(delta, "audio", "transcript"), events);
  if (delta["annotations"]) state.citations.beside.push(...citationsBeside(delta));
  if (delta["executed_tools"]) state.citations.ofAnswer.push(...citationsOfSearches(delta));
};

const failWith = ({ provider, usage }: State, body: Json): never => {
  throw mapOpenAiError({ provider, status: 0, body, accepted: true, ...(usage && { usage }) });
};

const readChoice = (state: State, choice: Json, events: ChatEvent[]): void => {
  const error = choice["error"] ? statedError(choice) : undefined;
  if (error) failWith(state, { error });
  const { delta, message } = choice;
  const before = events.length;
  // Some servers send the answer in one piece, others repeat all of it after its pieces (MiniMax).
  if (isRecord(delta)) readDelta(state, delta, false, events);
  else if (isRecord(message) && !state.hasBegun) readDelta(state, message, true, events);
  state.hasBegun ||= events.length > before;
  if (!choice["finish_reason"]) return;
  state.finishReason = choice["finish_reason"];
  state.stopSequence = stopSequenceOf(choice, state.request);
};

const readChunk = (state: State, frame: Json, choice: Json | undefined, events: ChatEvent[]): void => {
  if (frame["search_results"] || frame["citations"]) state.citations.ofAnswer = citationsOfAnswer(frame);
  const groq = frame["x_groq"] ? valueAt(frame, "x_groq", "usage") : undefined;
  const usage = readUsage(frame["usage"] ?? groq ?? choice?.["usage"]);
  if (usage) {
    state.usage = usage;
    events.push({ type: "usage", usage });
  }
  const error = statedError(frame);
  if (error) failWith(state, { error });
  if (choice) readChoice(state, choice, events);
};

/** The end is reported once, after usage that may follow the finish reason. */
const finish = (
  { tools, finishReason, stopSequence, provider, usage, hasBegun, citations: { beside, ofAnswer } }: State,
  events: ChatEvent[],
): void => {
  // Proxies whose own upstream failed send nothing but the end mark, or an answer without choices.
  if (finishReason === undefined && !hasBegun && !tools) throw brokenAnswer("server", provider, usage);
  tools?.close(events);
  const reason = finishReasonOf(finishReason, tools !== undefined && tools.count() > 0, provider, usage);
  const more = { ...(stopSequence !== undefined && { stopSequence }), ...joinCitations(beside, ofAnswer) };
  events.push({ type: "finish", reason, ...more });
};

export const createOpenAiReader = (options: ReadOptions): AnswerReader => {
  const state: State = {
    ...options,
    tools: undefined,
    usage: undefined,
    finishReason: undefined,
    stopSequence: undefined,
    thought: "",
    hasBegun: false,
    citations: { beside: [], ofAnswer: [] },
  };
  return {
    readWhole(body, events) {
      const choices = valueAt(body, "choices");
      const { delta: _, ...choice } = firstChoice(choices) ?? recordAt(choices, 0);
      readChunk(state, recordAt(body), choice, events);
      finish(state, events);
    },
    readFrame(frame, events) {
      const value = parseFrame(frame, state.provider, state.usage);
      if (isRecord(value)) readChunk(state, value, firstChoice(value["choices"]), events);
      if (value !== undefined) return false;
      finish(state, events);
      return true;
    },
    end(events) {
      if (state.finishReason === undefined) throw brokenAnswer("truncated", state.provider, state.usage);
      finish(state, events);
    },
  };
};
