/**
 * Reads Anthropic's messages, whole or event by event. Event names are not needed, since every event's JSON has its type. Blocks of
 * server-side tools are ignored: only text, thinking and our tool calls count.
 */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { ANSWER_TOOL, schemaBy } from "./build-request.ts";
import { mapAnthropicError } from "./map-error.ts";
import { finishReasonOf, hasUsage, readUsage } from "./read-message.ts";

type Content = Record<string, unknown>;
type OpenThought = { signature: string };
type OpenTool = {
  /** Undefined for the tool that carries the answer. */
  index: number | undefined;
  /** The arguments at the block's beginning, which count unless they come again in pieces; empty once some were sent. */
  input: string;
};
type OpenBlock = OpenThought | OpenTool;

type State = {
  provider: string;
  /** The answer comes as the arguments of a tool call. */
  answersByTool: boolean;
  blocks: Map<unknown, OpenBlock>;
  latestTool: OpenTool | undefined;
  toolCount: number;
  usage: TokenUsage | undefined;
  stopReason: unknown;
  stopSequence: unknown;
  started: boolean;
  /** Text before the answer tool is dropped, unless the tool never comes. */
  heldText: string;
  events: ChatEvent[];
};

const pushText = (state: State, text: string): void => {
  if (text === "") return;
  if (state.answersByTool) state.heldText += text;
  else state.events.push({ type: "text", text });
};

const pushThinking = (state: State, text: string): void => {
  if (text !== "") state.events.push({ type: "thinking", text });
};

/** Some servers write `null` for no arguments. */
const pushArguments = (state: State, tool: OpenTool, text: string): void => {
  if (text === "" || (text === "null" && tool.input !== "")) return;
  tool.input = "";
  state.events.push(tool.index === undefined ? { type: "text", text } : { type: "tool-arguments", index: tool.index, text });
};

const pushUsage = (state: State, reported: unknown): void => {
  if (!hasUsage(reported)) return;
  state.usage = readUsage(reported, state.usage);
  state.events.push({ type: "usage", usage: state.usage });
};

/** Sends the input of the tool before, whose pieces would have come by now: a flood of calls must not be held until its end. */
const sendInput = (state: State): void => {
  const tool = state.latestTool;
  if (tool && tool.input !== "{}") pushArguments(state, tool, tool.input);
};

/** Undefined for calls of nothing. Where a tool carries the answer the model knows no others, and one answer is enough. */
const startTool = (state: State, content: Content): OpenTool | undefined => {
  const { answersByTool, latestTool } = state;
  const name = textAt(content, "name");
  if (name === "" || (answersByTool && (latestTool || name !== ANSWER_TOOL))) return undefined;
  sendInput(state);
  const index = answersByTool ? undefined : state.toolCount++;
  if (index !== undefined) state.events.push({ type: "tool-start", index, id: textAt(content, "id") || newToolCallId(), name });
  state.latestTool = { index, input: argumentsText(content["input"]) };
  return state.latestTool;
};

/** Begins a block, with the content it may already have; undefined for blocks of which nothing is kept. */
const startBlock = (state: State, content: Content): OpenBlock | undefined => {
  switch (content["type"]) {
    case "text":
      pushText(state, textAt(content, "text"));
      return undefined;
    case "thinking":
      pushThinking(state, textAt(content, "thinking"));
      return { signature: textAt(content, "signature") };
    case "redacted_thinking": {
      const redacted = textAt(content, "data");
      if (redacted) state.events.push({ type: "thought", thought: { redacted } });
      return undefined;
    }
    case "tool_use":
      return startTool(state, content);
    default:
      return undefined;
  }
};

/** Text and thinking may come without the beginning of their block; arguments without one are those of server-side tools. */
const readDelta = (state: State, block: OpenBlock | undefined, delta: Content): void => {
  switch (delta["type"]) {
    case "text_delta":
      pushText(state, textAt(delta, "text"));
      break;
    case "thinking_delta":
      pushThinking(state, textAt(delta, "thinking"));
      break;
    case "signature_delta":
      if (block && "signature" in block) block.signature += textAt(delta, "signature");
      break;
    case "input_json_delta":
      if (block && "input" in block) pushArguments(state, block, textAt(delta, "partial_json"));
  }
};

const stopBlock = (state: State, block: OpenBlock): void => {
  if ("input" in block) pushArguments(state, block, block.input);
  else state.events.push({ type: "thinking-end", signature: block.signature });
};

/** A stream's message may begin with content, and a proxy may send its start twice. */
const startMessage = (state: State, message: Content): void => {
  if (state.started) return;
  state.started = true;
  pushUsage(state, message["usage"]);
  for (const content of recordsAt(message, "content")) {
    const block = startBlock(state, content);
    if (block) stopBlock(state, block);
  }
  state.stopReason = message["stop_reason"];
  state.stopSequence = message["stop_sequence"];
};

const finish = (state: State): void => {
  for (const block of state.blocks.values()) stopBlock(state, block);
  if (state.heldText && !state.latestTool) state.events.push({ type: "text", text: state.heldText });
  const stopSequence = textAt(state.stopSequence);
  const reason = finishReasonOf(state.stopReason, state.toolCount > 0);
  state.events.push({ type: "finish", reason, ...(stopSequence && { stopSequence }) });
};

const failWith = ({ provider, usage }: State, body: Content): never => {
  throw mapAnthropicError({ provider, status: 0, body, accepted: true, ...(usage && { usage }) });
};

const startOrStopBlock = (state: State, event: Content): void => {
  const { index, content_block: content } = event;
  // Some servers do not say that a block has stopped before they use its index again.
  const open = state.blocks.get(index);
  if (open) stopBlock(state, open);
  state.blocks.delete(index);
  if (event["type"] === "content_block_stop") return;
  const block = isRecord(content) ? startBlock(state, content) : undefined;
  if (block) state.blocks.set(index, block);
};

/** True for the last event. Unknown events are ignored. */
const readEvent = (state: State, event: Content): boolean => {
  switch (event["type"]) {
    case "content_block_delta":
      if (isRecord(event["delta"])) readDelta(state, state.blocks.get(event["index"]), event["delta"]);
      return false;
    case "content_block_start":
    case "content_block_stop":
      startOrStopBlock(state, event);
      return false;
    case "message_start":
      startMessage(state, recordAt(event, "message"));
      return false;
    case "message_delta":
      pushUsage(state, event["usage"]);
      state.stopReason = recordAt(event, "delta")["stop_reason"] ?? state.stopReason;
      state.stopSequence = recordAt(event, "delta")["stop_sequence"] ?? state.stopSequence;
      return false;
    case "message_stop":
      finish(state);
      return true;
    default:
      return event["type"] === "error" || event["error"] ? failWith(state, event) : false;
  }
};

export const createAnthropicReader = ({ provider, request, quirks }: ReadOptions): AnswerReader => {
  const state: State = {
    provider,
    answersByTool: schemaBy(request, quirks) === "forced_tool",
    blocks: new Map(),
    latestTool: undefined,
    toolCount: 0,
    usage: undefined,
    stopReason: undefined,
    stopSequence: undefined,
    started: false,
    heldText: "",
    events: [],
  };
  return {
    readWhole(body, events) {
      state.events = events;
      const message = recordAt(body);
      if (message["type"] === "error" || message["error"]) failWith(state, message);
      if (!Array.isArray(message["content"])) throw brokenAnswer("server", provider);
      startMessage(state, message);
      finish(state);
    },
    readFrame(frame, events) {
      state.events = events;
      const event = parseFrame(frame, provider, state.usage);
      return isRecord(event) && readEvent(state, event);
    },
    end() {
      throw brokenAnswer("truncated", provider, state.usage);
    },
  };
};
