/** What has come of one streamed attempt so far, as the provider sent it, and what of it is to be paid for. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import {
  type ChatEvent,
  type Citation,
  type FinishReason,
  noUsage,
  type TokenUsage,
  type ToolCall,
  type UsageSource,
} from "../../providers/provider.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import { createKeptText, type KeptText } from "../output/kept-text.ts";
import { type Sent, withinCeiling } from "./billed-usage.ts";

export type Received = {
  text: KeptText;
  refusal: string;
  /** Of the text and the thoughts that were not kept. */
  beyondTokens: number;
  toolCalls: ToolCall[];
  /** Of all that came. */
  characters: number;
  usage?: TokenUsage;
  finish?: FinishReason;
  /** It ended before the provider had told all it used. */
  isCut?: boolean;
  stopSequence?: string;
  citations?: Citation[];
};

export const newReceived = (): Received => ({
  text: createKeptText(),
  refusal: "",
  beyondTokens: 0,
  toolCalls: [],
  characters: 0,
});

export const receive = (received: Received, event: ChatEvent): void => {
  if ("text" in event) received.characters += event.text.length;
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
      break;
    case "tool-start":
      received.toolCalls[event.index] = { id: event.id, name: event.name, arguments: "" };
      break;
    case "tool-arguments":
      received.toolCalls[event.index]!.arguments += event.text;
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

/** No text has as many for each token, however much of it is blank; and a little more, for bounds of a few tokens. */
const MOST_CHARACTERS_A_TOKEN = 16;
const ALWAYS_TAKEN = 8_000;

/** A provider that goes on far beyond what the ceiling left room for, and it was told, would do so at the caller's cost. */
export const isFlood = ({ characters }: Received, { mostOutputTokens = Number.POSITIVE_INFINITY }: Sent): boolean =>
  characters > mostOutputTokens * MOST_CHARACTERS_A_TOKEN + ALWAYS_TAKEN;

/** What no honest answer reaches is counted, not kept: a flood must not fill the memory. */
const keep = (received: Received, text: string): void => {
  if (!received.text.add(text)) received.beyondTokens += estimateTokens(text);
};

export const isEmpty = ({ text, toolCalls }: Received): boolean => toolCalls.length === 0 && !/\S/.test(text.read());

/** By the provider where it said so to the end; else what can be known: the prompt once it was accepted, and what came. */
export const usageOf = (
  received: Received,
  sent: Sent,
  failure: UpstreamError | undefined,
): { usage: TokenUsage; usageSource: UsageSource } => {
  const reported = failure?.details.usage ?? received.usage;
  if (received.finish !== undefined && !received.isCut && reported !== undefined)
    return { usage: reported, usageSource: "provider" };
  const wasAccepted = failure === undefined || failure.details.accepted === true || reported !== undefined || !isEmpty(received);
  if (!wasAccepted) return { usage: noUsage(), usageSource: "none" };
  const known = reported ?? { ...noUsage(), input: sent.promptTokens };
  const output = withinCeiling(outputTokens(received), sent) - known.reasoning;
  return { usage: { ...known, output: Math.max(known.output, output) }, usageSource: "estimated" };
};

const outputTokens = ({ text, beyondTokens, toolCalls }: Received): number =>
  toolCalls.reduce(
    (sum, call) => sum + estimateTokens(call.arguments) + estimateTokens(call.name),
    estimateTokens(text.read()) + beyondTokens,
  );
