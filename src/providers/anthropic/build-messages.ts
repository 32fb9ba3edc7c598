/** Converts messages to Anthropic's turns: alternating roles, tool results first, no empty text. */

import { textAt } from "../../lib/json-at.ts";
import { frameTurns, mergeTurns, type Turn } from "../dialect/merge-turns.ts";
import { argumentsObject, parseDataUrl, partsOf, systemText, unsupportedPart } from "../dialect/message-parts.ts";
import { portableId } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import type { ChatMessage, ContentPart, PastThought } from "../provider.ts";
import { withMark } from "./mark-cache.ts";

const DIALECT = "Anthropic";
const IMAGE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const MAX_TOOL_ID = 64;

export const textBlock = (text: string): WireBody => ({ type: "text", text });
const toolId = (id: string): string => portableId(id, MAX_TOOL_ID);

const imageBlock = (url: string): WireBody => {
  const data = parseDataUrl(url);
  if (!data) return { type: "image", source: { type: "url", url } };
  const mediaType = data.mediaType === "image/jpg" ? "image/jpeg" : data.mediaType;
  if (!IMAGE_TYPES.includes(mediaType))
    throw unsupportedPart(DIALECT, "image", " of this type: it takes JPEG, PNG, GIF and WebP");
  return { type: "image", source: { type: "base64", media_type: mediaType, data: data.data } };
};

const block = (part: ContentPart): WireBody[] => plainBlock(part).map((body) => withMark(body, part));

const plainBlock = (part: ContentPart): WireBody[] => {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [textBlock(part.text)];
    case "image":
      return [imageBlock(part.url)];
    case "document": {
      const source = { type: "base64", media_type: part.mediaType, data: part.data };
      return [{ type: "document", source, ...(part.name && { title: part.name }) }];
    }
    default:
      throw unsupportedPart(DIALECT, part.type);
  }
};

/** A document needs a text block beside it. */
const userBlocks = (content: string | ContentPart[]): WireBody[] => {
  const blocks = partsOf(content).flatMap(block);
  const needsText = blocks.some(({ type }) => type === "document") && !blocks.some(({ type }) => type === "text");
  return needsText ? [...blocks, textBlock("See the document.")] : blocks;
};

const thoughtBlock = ({ thought }: PastThought): WireBody[] => {
  if ("redacted" in thought) return [{ type: "redacted_thinking", data: thought.redacted }];
  const { text, signature } = thought;
  // Thinking without a signature is another vendor's.
  return signature ? [{ type: "thinking", thinking: text, signature }] : [];
};

export const isThought = ({ type }: WireBody): boolean => type === "thinking" || type === "redacted_thinking";

/** An earlier answer's text, calls and thinking in their original order. Content may not end with thinking. */
const answerBlocks = (message: Extract<ChatMessage, { role: "assistant" }>): WireBody[] => {
  const parts = partsOf(message.content);
  const calls = message.toolCalls ?? [];
  const blocks: WireBody[] = [];
  let part = 0;
  let call = 0;
  const moveTo = (partsBefore: number, callsBefore: number): void => {
    while (part < partsBefore) blocks.push(...block(parts[part++]!));
    for (; call < callsBefore; call++) {
      const { id, name, arguments: given, ...mark } = calls[call]!;
      blocks.push(withMark({ type: "tool_use", id: toolId(id), name, input: argumentsObject(given) }, mark));
    }
  };
  for (const thought of message.thoughts ?? []) {
    moveTo(thought.partsBefore, thought.callsBefore);
    blocks.push(...thoughtBlock(thought));
  }
  moveTo(parts.length, calls.length);
  return blocks.slice(0, blocks.findLastIndex((each) => !isThought(each)) + 1);
};

const toTurn = (message: ChatMessage): Turn<WireBody> => {
  switch (message.role) {
    case "assistant":
      return { role: "assistant", blocks: answerBlocks(message) };
    case "tool": {
      const content = partsOf(message.content).flatMap(block);
      const result = { type: "tool_result", tool_use_id: toolId(message.toolCallId), ...(content.length > 0 && { content }) };
      return { role: "user", blocks: [withMark(message.isError ? { ...result, is_error: true } : result, message)] };
    }
    default:
      return { role: "user", blocks: userBlocks(message.content) };
  }
};

/** All tool results of a turn go into one user message, before anything else in it. */
const resultsFirst = ({ role, blocks }: Turn<WireBody>): Turn<WireBody> => ({
  role,
  blocks: [...blocks.filter(({ type }) => type === "tool_result"), ...blocks.filter(({ type }) => type !== "tool_result")],
});

export type AnthropicTurn = { role: string; content: WireBody[] };

/**
 * System messages that stay in mid-conversation: those directly after a user's turn, and before an answer or at the end. Moved to the top
 * they would invalidate the prompt's cache and the signatures of thinking; elsewhere Anthropic refuses them.
 */
const stayingInPlace = (messages: readonly ChatMessage[]): Set<ChatMessage> => {
  const staying: ChatMessage[] = [];
  let before: ChatMessage["role"] | undefined;
  let waiting: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === "system") {
      if (before === "user" || before === "tool") waiting.push(message);
      continue;
    }
    if (message.role === "assistant") staying.push(...waiting);
    waiting = [];
    before = message.role;
  }
  return new Set([...staying, ...waiting]);
};

type Conversation = { system: string | WireBody[]; turns: AnthropicTurn[] };

/** Blocks where a mark for the cache stands between them, else one text. */
const topOf = (messages: ChatMessage[]): string | WireBody[] => {
  const parts = messages.flatMap(({ content }) => partsOf(content));
  return parts.some(({ cached }) => cached !== undefined) ? parts.flatMap(block) : systemText(messages);
};

/** The system's text or blocks, and more behind them. */
export const moreSystem = (system: unknown, blocks: WireBody[]): string | WireBody[] =>
  Array.isArray(system) ? [...system, ...blocks] : [system, ...blocks.map(({ text }) => text)].filter(Boolean).join("\n\n");

const holdsResult = ({ content }: AnthropicTurn): boolean => content.some(({ type }) => type === "tool_result");

/** Whether the answer being continued, over all its tool calls so far, began without thinking. */
export const beganWithoutThought = (conversation: readonly AnthropicTurn[]): boolean => {
  // User and assistant turns alternate.
  const turns = conversation.filter(({ role }) => role !== "system");
  let at = turns.length - 1;
  while (at > 1 && holdsResult(turns[at]!)) at -= 2;
  const begun = turns[at + 1];
  return begun !== undefined && !isThought(begun.content[0]!);
};

type Habits = {
  /** The model accepts system messages within the conversation. */
  inPlace: boolean;
  /** The model continues an answer that the conversation ends with. */
  continues: boolean;
};

/** Anthropic refuses an answer to be continued that ends with white space. */
const trimEnd = (turn: Turn<WireBody>): void => {
  const last = turn.blocks.at(-1)!;
  if (turn.role === "assistant" && last["type"] === "text") last["text"] = textAt(last, "text").trimEnd();
};

export const buildMessages = (messages: ChatMessage[], { inPlace, continues }: Habits): Conversation => {
  const staying = inPlace ? stayingInPlace(messages) : new Set<ChatMessage>();
  const isOnTop = (message: ChatMessage): boolean => message.role === "system" && !staying.has(message);
  const top = messages.filter(isOnTop);
  const turns = messages
    .filter((message) => !isOnTop(message))
    .map((message): Turn<WireBody> => {
      const turn = toTurn(message);
      return message.role === "system" ? { ...turn, role: "system" } : turn;
    });
  const framed = frameTurns(mergeTurns(turns).map(resultsFirst), textBlock, systemText(top), continues);
  trimEnd(framed.at(-1)!);
  return { system: topOf(top), turns: framed.map(({ role, blocks }) => ({ role, content: blocks })) };
};
