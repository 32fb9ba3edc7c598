/**
 * Reads the blocks of Anthropic's messages, each of which begins, grows and ends. Blocks of server-side tools are ignored: only text,
 * thinking and our tool calls count.
 */

import { textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import type { ChatEvent } from "../provider.ts";
import { ANSWER_TOOL } from "./build-request.ts";

type Content = Record<string, unknown>;
type OpenThought = { signature: string };
type OpenTool = {
  /** Undefined for the tool that carries the answer. */
  index: number | undefined;
  /** The arguments at the block's beginning, which count unless they come again in pieces; empty once some were sent. */
  input: string;
};
type OpenBlock = OpenThought | OpenTool;

export type Blocks = {
  events: ChatEvent[];
  /** The answer comes as the arguments of a tool call. */
  answersByTool: boolean;
  /** By the vendor's index. */
  open: Map<unknown, OpenBlock>;
  latestTool: OpenTool | undefined;
  toolCount: number;
  /** Text before the answer tool is dropped, unless the tool never comes. */
  heldText: string;
};

export const newBlocks = (events: ChatEvent[], answersByTool: boolean): Blocks => ({
  events,
  answersByTool,
  open: new Map(),
  latestTool: undefined,
  toolCount: 0,
  heldText: "",
});

/** Begins a block, with the content it may already have. Some servers do not tell the end of the block that had its index before. */
export const startBlock = (blocks: Blocks, index: unknown, content: Content): void => {
  stopBlock(blocks, index);
  const block = begun(blocks, content);
  if (block) blocks.open.set(index, block);
};

/** Text and thinking may come without the beginning of their block; arguments without one are those of server-side tools. */
export const growBlock = (blocks: Blocks, index: unknown, delta: Content): void => {
  const block = blocks.open.get(index);
  switch (delta["type"]) {
    case "text_delta":
      pushText(blocks, textAt(delta, "text"));
      break;
    case "thinking_delta":
      pushThinking(blocks, textAt(delta, "thinking"));
      break;
    case "signature_delta":
      if (block && "signature" in block) block.signature += textAt(delta, "signature");
      break;
    case "input_json_delta":
      if (block && "input" in block) pushArguments(blocks.events, block, textAt(delta, "partial_json"));
  }
};

export const stopBlock = ({ open, events }: Blocks, index: unknown): void => {
  const block = open.get(index);
  if (!block) return;
  open.delete(index);
  if ("input" in block) pushArguments(events, block, block.input);
  else events.push({ type: "thinking-end", signature: block.signature });
};

/** Call it at the end of the message. */
export const closeBlocks = (blocks: Blocks): void => {
  for (const index of blocks.open.keys()) stopBlock(blocks, index);
  if (blocks.heldText && !blocks.latestTool) blocks.events.push({ type: "text", text: blocks.heldText });
};

/** Undefined for blocks of which nothing is kept. */
const begun = (blocks: Blocks, content: Content): OpenBlock | undefined => {
  switch (content["type"]) {
    case "text":
      pushText(blocks, textAt(content, "text"));
      return undefined;
    case "thinking":
      pushThinking(blocks, textAt(content, "thinking"));
      return { signature: textAt(content, "signature") };
    case "redacted_thinking": {
      const redacted = textAt(content, "data");
      if (redacted) blocks.events.push({ type: "thought", thought: { redacted } });
      return undefined;
    }
    case "tool_use":
      return begunTool(blocks, content);
    default:
      return undefined;
  }
};

/** Undefined for calls of nothing. Where a tool carries the answer the model knows no others, and one answer is enough. */
const begunTool = (blocks: Blocks, content: Content): OpenTool | undefined => {
  const { answersByTool, latestTool } = blocks;
  const name = textAt(content, "name");
  if (name === "" || (answersByTool && (latestTool || name !== ANSWER_TOOL))) return undefined;
  // The pieces of the tool before would have come by now: a flood of calls must not be held until its end.
  if (latestTool && latestTool.input !== "{}") pushArguments(blocks.events, latestTool, latestTool.input);
  const index = answersByTool ? undefined : blocks.toolCount++;
  if (index !== undefined) blocks.events.push({ type: "tool-start", index, id: textAt(content, "id") || newToolCallId(), name });
  blocks.latestTool = { index, input: argumentsText(content["input"]) };
  return blocks.latestTool;
};

const pushText = (blocks: Blocks, text: string): void => {
  if (text === "") return;
  if (blocks.answersByTool) blocks.heldText += text;
  else blocks.events.push({ type: "text", text });
};

const pushThinking = ({ events }: Blocks, text: string): void => {
  if (text !== "") events.push({ type: "thinking", text });
};

/** Some servers write `null` for no arguments. */
const pushArguments = (events: ChatEvent[], tool: OpenTool, text: string): void => {
  if (text === "" || (text === "null" && tool.input !== "")) return;
  tool.input = "";
  events.push(tool.index === undefined ? { type: "text", text } : { type: "tool-arguments", index: tool.index, text });
};
