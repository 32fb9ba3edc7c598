/** Reads chat completions: a stream of chunks, or all of the answer in one, which has a message in place of the delta. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt, valueAt } from "../../lib/json-at.ts";
import { firstChoice } from "../dialect/first-choice.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import { createToolCallCounter } from "../dialect/tool-call-counter.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import { type ChatEvent, type Citation, promptTokens, type TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { type CallSigner, createCallSigner, isSigned } from "./gemini-signatures.ts";
import { mapOpenAiError } from "./map-error.ts";
import { callsOf, finishReasonOf, readContent, readReasoning, readUsage, stopSequenceOf } from "./read-choice.ts";
import { citationsBeside, citationsOfAnswer, citationsOfSearches, joinCitations } from "./read-citations.ts";
import { learnFrame, newRepeatedFrame, type RepeatedFrame, repeatedText } from "./repeated-frame.ts";
import { statedError } from "./stated-error.ts";
import { wantsThoughtBack } from "./thinking.ts";

/** Most characters of thinking to carry; more would be a flood. */
const MOST_CHARACTERS = 1_000_000;

type Json = Record<string, unknown>;

type State = ReadOptions & {
  events: ChatEvent[];
  /** Created at the first call; few streams have any. */
  tools: ReturnType<typeof createToolCallCounter> | undefined;
  /** Created at the first signature. */
  signer: CallSigner | undefined;
  usage: TokenUsage | undefined;
  finishReason: unknown;
  stopSequence: string | undefined;
  thought: string;
  /** Part of the answer has arrived. */
  hasBegun: boolean;
  citations: { beside: Citation[]; ofAnswer: Citation[] };
  repeated: RepeatedFrame;
};

const pushReasoning = (state: State, text: string): void => {
  if (text === "") return;
  state.events.push({ type: "reasoning", text });
  if (wantsThoughtBack(state.quirks) && state.thought.length < MOST_CHARACTERS) state.thought += text;
};

const pushText = ({ events }: State, text: string): void => {
  if (text !== "") events.push({ type: "text", text });
};

/** Thinking is passed on once, before the first call. */
const readCalls = (state: State, calls: readonly unknown[], isWhole: boolean): void => {
  if (state.thought !== "") state.events.push({ type: "thought", thought: { text: state.thought } });
  state.thought = "";
  state.tools ??= createToolCallCounter(
    state.events,
    state.request.tools?.map(({ name }) => name),
  );
  for (let place = 0; place < calls.length; place++)
    if (isWhole) state.tools.readWhole(calls[place]);
    else state.tools.readDelta(calls[place], calls.length > 1 ? place : undefined);
};

/** `isWhole`: it is not a delta, but a message. Some servers repeat a refusal or a transcript as content. */
const readDelta = (state: State, delta: Json, isWhole: boolean): void => {
  const { content, refusal } = delta;
  const { text, reasoning } = readContent(content);
  pushReasoning(state, reasoning || readReasoning(delta));
  if (text !== refusal) pushText(state, text);
  if (typeof refusal === "string" && refusal !== "") state.events.push({ type: "refusal", text: refusal });
  if (delta["images"]) readPictures(state, delta);
  const calls = callsOf(delta);
  if (delta["reasoning_details"] || calls.some(isSigned)) state.signer ??= createCallSigner();
  state.signer?.hear(delta);
  if (calls.length > 0) readCalls(state, state.signer?.sign(calls) ?? calls, isWhole);
  if (delta["audio"] && text === "") pushText(state, textAt(delta, "audio", "transcript"));
  if (delta["annotations"]) state.citations.beside.push(...citationsBeside(delta));
  if (delta["executed_tools"]) state.citations.ofAnswer.push(...citationsOfSearches(delta));
};

/** As OpenRouter sends them, and with it LiteLLM and others. */
const readPictures = ({ events }: State, delta: Json): void => {
  for (const picture of recordsAt(delta, "images")) {
    const url = textAt(picture, "image_url", "url");
    if (url !== "") events.push({ type: "picture", url });
  }
};

const failWith = ({ provider, usage }: State, body: Json): never => {
  throw mapOpenAiError({ provider, status: 0, body, accepted: true, usage });
};

const readChoice = (state: State, choice: Json): void => {
  const error = choice["error"] ? statedError(choice) : undefined;
  if (error) failWith(state, { error });
  const { delta, message } = choice;
  const before = state.events.length;
  // Some servers send the answer in one piece, others repeat all of it after its pieces (MiniMax).
  if (isRecord(delta)) readDelta(state, delta, false);
  else if (isRecord(message) && !state.hasBegun) readDelta(state, message, true);
  state.hasBegun ||= state.events.length > before;
  if (!choice["finish_reason"]) return;
  state.finishReason = choice["finish_reason"];
  state.stopSequence = stopSequenceOf(choice, state.request);
};

const countsTokens = (usage: TokenUsage): boolean => promptTokens(usage) + usage.output + usage.reasoning > 0;

const readChunk = (state: State, frame: Json, choice: Json | undefined): void => {
  if (frame["search_results"] || frame["citations"]) state.citations.ofAnswer = citationsOfAnswer(frame);
  const groq = frame["x_groq"] ? valueAt(frame, "x_groq", "usage") : undefined;
  const usage = readUsage(frame["usage"] ?? groq ?? choice?.["usage"]);
  // Zeros behind the true counts are those of a server that fills in the field of every piece.
  if (usage && (state.usage === undefined || countsTokens(usage))) {
    state.usage = usage;
    state.events.push({ type: "usage", usage });
  }
  const error = statedError(frame);
  // Behind the end of the answer it changes nothing (OpenRouter, where a bound was reached).
  if (error && state.finishReason === undefined) failWith(state, { error });
  if (choice) readChoice(state, choice);
};

const readFull = (state: State, frame: string, value: Json): void => {
  const { events, citations, repeated } = state;
  const before = events.length;
  readChunk(state, value, firstChoice(value["choices"]));
  const [told, ...more] = events.slice(before);
  const hasCitations = citations.beside.length + citations.ofAnswer.length > 0;
  const isTextAlone = told?.type === "text" && more.length === 0 && state.finishReason === undefined && !hasCitations;
  if (isTextAlone) learnFrame(repeated, frame, told.text);
};

/** The end is reported once, after usage that may follow the finish reason. */
const finish = (state: State): void => {
  const { events, tools, finishReason, stopSequence, provider, usage, citations } = state;
  // Proxies whose own upstream failed send nothing but the end mark, or an answer without choices.
  if (finishReason === undefined && !state.hasBegun && !tools) throw brokenAnswer("server", provider, usage);
  tools?.close();
  const reason = finishReasonOf(finishReason, tools !== undefined && tools.count() > 0, provider, usage);
  events.push({ type: "finish", reason, stopSequence, ...joinCitations(citations.beside, citations.ofAnswer) });
};

export const createOpenAiReader = (options: ReadOptions, events: ChatEvent[]): AnswerReader => {
  const state: State = {
    ...options,
    events,
    tools: undefined,
    signer: undefined,
    usage: undefined,
    finishReason: undefined,
    stopSequence: undefined,
    thought: "",
    hasBegun: false,
    citations: { beside: [], ofAnswer: [] },
    repeated: newRepeatedFrame(),
  };
  return {
    readWhole(body) {
      const choices = valueAt(body, "choices");
      const { delta: _, ...choice } = firstChoice(choices) ?? recordAt(choices, 0);
      readChunk(state, recordAt(body), choice);
      finish(state);
    },
    readFrame(frame) {
      const words = repeatedText(state.repeated, frame);
      if (words !== undefined) {
        pushText(state, words);
        return false;
      }
      const value = parseFrame(frame, state.provider, state.usage);
      if (isRecord(value)) readFull(state, frame, value);
      if (value !== undefined) return false;
      finish(state);
      return true;
    },
    end() {
      if (state.finishReason === undefined) throw brokenAnswer("truncated", state.provider, state.usage);
      finish(state);
    },
  };
};
