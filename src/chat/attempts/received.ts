/** What one streamed attempt has received so far, as the provider sent it, and how much of it is billed. */

import { estimateTokens, MOST_CHARACTERS_A_TOKEN } from "../../lib/estimate-tokens.ts";
import {
  type ChatEvent,
  type ChatResult,
  type Citation,
  type FinishReason,
  noUsage,
  type TokenUsage,
  type ToolCall,
  type UsageSource,
} from "../../providers/provider.ts";
import { MOST_CHARACTERS } from "../../providers/upstream/collect-answer.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import { createKeptText, type KeptText, keepPiece, readKept } from "../output/kept-text.ts";
import { type Sent, TOKENS_OF_PICTURE, withinCeiling, withoutZeros } from "./billed-usage.ts";

export type Received = {
  text: KeptText;
  refusal: string;
  /** Tokens of text and thinking that were received but not kept. */
  beyondTokens: number;
  toolCalls: ToolCall[];
  pictures: string[];
  /** What has come and is not told yet. */
  held: string;
  /** Characters received in all, names of tools and encrypted thinking included; those of pictures are not of tokens, and counted apart. */
  characters: number;
  pictureCharacters: number;
  /** As the provider last reported it. */
  usage?: TokenUsage;
  finish?: FinishReason;
  /** The stream ended before the provider reported its whole usage. */
  isCut?: boolean;
  stopSequence?: string;
  /** The model showed what it thought, or sealed it. */
  hasThought?: true;
  citations?: Citation[];
};

export const newReceived = (): Received => ({
  text: createKeptText(),
  refusal: "",
  beyondTokens: 0,
  toolCalls: [],
  pictures: [],
  held: "",
  characters: 0,
  pictureCharacters: 0,
});

/** Counts an event as the provider sent it, before a code fence and what follows it are left out. */
export const count = (received: Received, event: ChatEvent): void => {
  if ("text" in event) received.characters += event.text.length;
  else if (event.type === "picture") received.pictureCharacters += event.url.length;
  else if (event.type === "tool-start") received.characters += CHARACTERS_OF_CALL + event.name.length;
  else if (event.type === "thought" && "redacted" in event.thought) received.characters += event.thought.redacted.length;
};

export const receive = (received: Received, event: ChatEvent): void => {
  switch (event.type) {
    case "text":
      keep(received, event.text);
      break;
    case "refusal":
      received.refusal += event.text;
      keep(received, event.text);
      break;
    case "reasoning":
    case "thinking":
      received.beyondTokens += estimateTokens(event.text);
      received.hasThought = true;
      break;
    case "thought":
      received.hasThought = true;
      break;
    case "tool-start":
      received.toolCalls[event.index] = { id: event.id, name: event.name, arguments: "" };
      break;
    case "tool-arguments":
      received.toolCalls[event.index]!.arguments += event.text;
      break;
    case "picture":
      received.pictures.push(event.url);
      break;
    case "held":
      received.held = event.soFar;
      break;
    case "usage":
      received.usage = event.usage;
      break;
    case "finish":
      received.finish = event.reason;
      if (event.isCut) received.isCut = true;
      if (event.stopSequence !== undefined) received.stopSequence = event.stopSequence;
      if (event.citations !== undefined) received.citations = event.citations;
  }
};

/** A margin for bounds of a few tokens. */
const ALWAYS_TAKEN = 8_000;
/** What a call takes beside its name and arguments. */
const CHARACTERS_OF_CALL = 100;

/**
 * Whether a provider ignores the output bound that the ceiling left and it was given: going on would cost the caller more than the ceiling.
 * Or whether it has sent more than a whole answer may have: calls of tools are kept, and the Responses API repeats the text at its end.
 */
export const isFlood = ({ characters, pictureCharacters }: Received, { mostOutputTokens }: Sent): boolean =>
  pictureCharacters > MOST_CHARACTERS ||
  characters > Math.min(MOST_CHARACTERS, mostOutputTokens * MOST_CHARACTERS_A_TOKEN + ALWAYS_TAKEN);

/** Beyond a length that no honest answer reaches, text is counted but not kept, so that a flood cannot fill the memory. */
const keep = (received: Received, text: string): void => {
  if (!keepPiece(received.text, text)) received.beyondTokens += estimateTokens(text);
};

export const isEmpty = ({ text, toolCalls, pictures }: Received): boolean =>
  toolCalls.length === 0 && pictures.length === 0 && !/\S/.test(readKept(text));

/** The provider's figures if it reported them to the end; else an estimate: the prompt, once it was accepted, and the text received. */
export const usageOf = (
  received: Received,
  sent: Sent,
  failure: UpstreamError | undefined,
): { usage: TokenUsage; usageSource: UsageSource } => {
  const reported = failure?.details.usage ?? received.usage;
  if (received.finish !== undefined && !received.isCut && reported !== undefined) {
    const usage = isEmpty(received) ? reported : withoutZeros(reported, sent, () => outputTokens(received));
    return { usage, usageSource: usage === reported ? "provider" : "estimated" };
  }
  const wasAccepted = failure === undefined || failure.details.accepted === true || reported !== undefined || !isEmpty(received);
  if (!wasAccepted) return { usage: noUsage(), usageSource: "none" };
  const known = reported ?? { ...noUsage(), input: sent.promptTokens };
  const output = withinCeiling(outputTokens(received), sent) - known.reasoning;
  return { usage: { ...known, output: Math.max(known.output, output) }, usageSource: "estimated" };
};

/** The whole answer as the provider sent it, with the usage that is billed. */
export const resultOf = (
  { text, refusal, toolCalls, pictures, finish = "stop", stopSequence, citations }: Received,
  { usage, usageSource }: Pick<ChatResult, "usage" | "usageSource">,
): ChatResult => ({
  text: readKept(text),
  toolCalls,
  finishReason: finish,
  usage,
  usageSource,
  ...(pictures.length > 0 && { pictures }),
  ...(refusal !== "" && { refusal }),
  ...(stopSequence !== undefined && { stopSequence }),
  ...(citations && { citations }),
});

const outputTokens = ({ text, beyondTokens, toolCalls, pictures, held }: Received): number =>
  toolCalls.reduce(
    (sum, call) => sum + estimateTokens(call.arguments) + estimateTokens(call.name),
    estimateTokens(readKept(text)) + beyondTokens + estimateTokens(held) + pictures.length * TOKENS_OF_PICTURE,
  );
