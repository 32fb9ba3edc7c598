/** What parts of a response mean: its end, and its items in the order in which the model made them. */

import { recordsAt, textAt } from "../../lib/json-at.ts";
import { finishReasonOf, readUsage } from "../openai/read-choice.ts";
import { citationsBeside } from "../openai/read-citations.ts";
import type { Citation, FinishReason, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import type { UpstreamError } from "../upstream-error.ts";
import { mapResponsesError } from "./map-error.ts";

type Item = Record<string, unknown>;

/** Separates two messages of one answer, commentary and the final text, and two parts of the thinking. */
export const BETWEEN = "\n\n";

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

export const failureOf = ({ error }: Item, provider: string, usage: TokenUsage | undefined): UpstreamError => {
  if (!error) return brokenAnswer("server", provider, usage);
  return mapResponsesError({ provider, status: 0, body: { error }, accepted: true, usage });
};

/** The text, or the refusal, of the messages among these items. */
export const partsIn = (items: Item[], type: string, field: string): string =>
  items
    .filter((item) => item["type"] === "message")
    .map((item) => recordsAt(item, "content").map((part) => (part["type"] === type ? textAt(part, field) : "")))
    .map((texts) => texts.join(""))
    .filter((text) => text !== "")
    .join(BETWEEN);

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
    if (before > 0) before += BETWEEN.length;
    return recordsAt(item, "content").flatMap(ofPart);
  });
};

/** What the items tell of the thinking. */
export const reasoningIn = (items: Item[]): string =>
  items
    .filter((item) => item["type"] === "reasoning")
    .flatMap((item) => [...recordsAt(item, "summary"), ...recordsAt(item, "content")])
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== "")
    .join(BETWEEN);
