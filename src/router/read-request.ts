/**
 * What a request asks, apart from what it brings along: the instruction (short blocks around the longest pasted one), the pasted
 * document, the system prompt and the turn before. Classification reads these, never a whole prompt: its cost stays bounded.
 */
import type { ChatMessage, ContentPart } from "../providers/provider.ts";

/** A lone block of up to this many characters is all instruction. */
const SHORT_BLOCK = 280;
const INSTRUCTION_LIMIT = 600;
const SAMPLE_LIMIT = 300;

export type ReadRequest = {
  instruction: string;
  /** Head of what the instruction is about; empty when nothing was pasted. */
  documentHead: string;
  documentTail: string;
  system: string;
  previous: string;
  /** Length of the last user message, characters. */
  characters: number;
  hasImage: boolean;
  hasAudio: boolean;
};

const textOf = (content: string | ContentPart[]): string =>
  typeof content === "string"
    ? content
    : content
        .filter((part) => part.type === "text")
        .map((part) => part.text)
        .join("\n\n");

const holds = (messages: ChatMessage[], type: ContentPart["type"]): boolean =>
  messages.some((message) => Array.isArray(message.content) && message.content.some((part) => part.type === type));

export function readRequest(messages: ChatMessage[]): ReadRequest {
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const text = lastUser < 0 ? "" : textOf(messages[lastUser]!.content).trim();
  const earlier = messages.slice(0, Math.max(lastUser, 0));
  const previous = earlier.findLast((message) => message.role === "user");
  const system = messages.filter((message) => message.role === "system");
  return {
    ...splitPrompt(text),
    system: ends(system.map((message) => textOf(message.content)).join("\n"), SAMPLE_LIMIT),
    previous: previous ? textOf(previous.content).slice(0, SAMPLE_LIMIT) : "",
    characters: text.length,
    hasImage: holds(messages, "image"),
    hasAudio: holds(messages, "audio"),
  };
}

/** Head and tail of a text, `limit` characters in all. */
const ends = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit * 0.67)}\n${text.slice(text.length - limit * 0.33)}`;

type Split = Pick<ReadRequest, "instruction" | "documentHead" | "documentTail">;

export function splitPrompt(text: string): Split {
  const blocks = splitBlocks(text);
  const longest = blocks.reduce((best, block, i) => (block.length > blocks[best]!.length ? i : best), 0);
  const pasted = blocks[longest] ?? "";
  if (blocks.length < 2) return pasted.length <= SHORT_BLOCK ? whole(pasted) : splitLoneBlock(pasted);
  const around = blocks.filter((block, i) => i !== longest && block.length <= INSTRUCTION_LIMIT);
  const instruction = around.length > 0 ? [around[0]!, ...(around.length > 1 ? [around.at(-1)!] : [])].join("\n") : "";
  if (instruction === "") return splitLoneBlock(text);
  return {
    instruction: ends(instruction, INSTRUCTION_LIMIT),
    documentHead: pasted.slice(0, SAMPLE_LIMIT),
    documentTail: pasted.slice(-SAMPLE_LIMIT),
  };
}

const whole = (text: string): Split => ({ instruction: text, documentHead: "", documentTail: "" });

/** Without blank lines the instruction stands at the head, or at the tail, of the one block. */
const splitLoneBlock = (text: string): Split => ({
  instruction: `${text.slice(0, SHORT_BLOCK)}\n${text.slice(Math.max(SHORT_BLOCK, text.length - SHORT_BLOCK))}`,
  documentHead: text.slice(SHORT_BLOCK, SHORT_BLOCK + SAMPLE_LIMIT),
  documentTail: "",
});

const splitBlocks = (text: string): string[] =>
  text
    .split("\n\n")
    .map((block) => block.trim())
    .filter((block) => block !== "");
