/** Parses a response: its items in the order in which the model made them. */

import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import type { ReadOptions } from "../dialect/wire-dialect.ts";
import { finishReasonOf, readUsage } from "../openai/parse-response.ts";
import { citationsBeside, joinCitations } from "../openai/read-citations.ts";
import { type ChatResult, type Citation, type FinishReason, noUsage, type TokenUsage, type ToolCall } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import type { UpstreamError } from "../upstream-error.ts";
import { mapResponsesError } from "./map-error.ts";
import { sealedCallId, sealOf } from "./sealed-thoughts.ts";

type Item = Record<string, unknown>;

/** Separates two messages of one answer: commentary and the final text. */
export const BETWEEN_MESSAGES = "\n\n";

/** How a response ended. Throws if it failed, with the usage to bill. */
export const endOf = (response: Item, sawCall: boolean, provider: string): FinishReason => {
  const usage = readUsage(response["usage"]);
  const status = textAt(response, "status");
  if (status === "incomplete") {
    const reason = finishReasonOf(textAt(response, "incomplete_details", "reason"), false, provider, usage);
    // Whatever the reason, something is missing.
    return reason === "stop" ? "length" : reason;
  }
  if (status === "completed" || status === "") return finishReasonOf("stop", sawCall, provider, usage);
  throw failureOf(response, provider, usage);
};

const failureOf = ({ error }: Item, provider: string, usage: TokenUsage | undefined): UpstreamError => {
  if (!error) return brokenAnswer("server", provider, usage);
  return mapResponsesError({ provider, status: 0, body: { error }, accepted: true, ...(usage && { usage }) });
};

/** The text, or the refusal, of the messages among these items. */
export const partsIn = (items: Item[], type: string, field: string): string =>
  items
    .filter((item) => item["type"] === "message")
    .map((item) => recordsAt(item, "content").map((part) => (part["type"] === type ? textAt(part, field) : "")))
    .map((texts) => texts.join(""))
    .filter((text) => text !== "")
    .join(BETWEEN_MESSAGES);

/** Web pages that the messages cite, with their places in the whole text. */
export const citationsIn = (items: Item[]): Citation[] => {
  let before = 0;
  const ofPart = (part: Item): Citation[] => {
    const start = before;
    before += textAt(part, "text").length;
    return citationsBeside(part).map((cited) => ({ ...cited, start: start + cited.start, end: start + cited.end }));
  };
  return items.flatMap((item) => {
    if (partsIn([item], "output_text", "text") === "") return [];
    if (before > 0) before += BETWEEN_MESSAGES.length;
    return recordsAt(item, "content").flatMap(ofPart);
  });
};

const reasoningIn = (items: Item[]): string =>
  items
    .flatMap((item) => [...recordsAt(item, "summary"), ...recordsAt(item, "content")])
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== "")
    .join(BETWEEN_MESSAGES);

/** The calls, each with the reasoning since the one before. */
const callsIn = (items: Item[]): ToolCall[] => {
  let seals: string[] = [];
  return items.flatMap((item) => {
    if (item["type"] === "reasoning") seals.push(sealOf(item));
    const name = textAt(item, "name");
    if (item["type"] !== "function_call" || name === "") return [];
    const id = sealedCallId(item, seals);
    seals = [];
    return [{ id, name, arguments: argumentsText(item["arguments"]) }];
  });
};

export const parseResponsesAnswer = (body: unknown, { provider }: ReadOptions): ChatResult => {
  const response = recordAt(body);
  const usage = readUsage(response["usage"]);
  if (!Array.isArray(response["output"])) throw failureOf(response, provider, usage);
  const items = recordsAt(response, "output");
  const refusal = partsIn(items, "refusal", "refusal");
  const reasoning = reasoningIn(items.filter(({ type }) => type === "reasoning"));
  const toolCalls = callsIn(items);
  return {
    text: partsIn(items, "output_text", "text") || refusal,
    ...(reasoning && { reasoning }),
    ...(refusal && { refusal }),
    toolCalls,
    ...joinCitations(citationsIn(items), []),
    finishReason: endOf(response, toolCalls.length > 0, provider),
    usage: usage ?? noUsage(),
    usageSource: usage ? "provider" : "none",
  };
};
