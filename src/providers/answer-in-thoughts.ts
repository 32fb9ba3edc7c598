/**
 * Servers of open models take an answer for thinking where the model was held to JSON from its first letter, so that the mark between the
 * two never came (vLLM, Azure's DeepSeek). JSON that was asked for and is all that came is told as the answer.
 */

import { jsonOf } from "../lib/is-json.ts";
import { isContainer } from "../lib/is-record.ts";
import type { ChatEvent, ChatRequest, TakeEvents } from "./provider.ts";

/** No answer in JSON is longer. */
const MOST_CHARACTERS = 1_000_000;

/** By any of these the answer has begun. */
const ANSWERS: ReadonlySet<ChatEvent["type"]> = new Set(["text", "refusal", "tool-start"]);

const isThinking = (event: ChatEvent): event is ChatEvent & { type: "reasoning" | "thinking" } =>
  event.type === "reasoning" || event.type === "thinking";

export const answerInThoughts = (take: TakeEvents, { outputFormat }: ChatRequest): TakeEvents => {
  if (outputFormat === undefined) return take;
  let thought = "";
  let hasAnswer = false;
  return (events) => {
    if (hasAnswer) return take(events);
    hasAnswer = events.some(({ type }) => ANSWERS.has(type));
    for (const event of events) if (isThinking(event) && thought.length < MOST_CHARACTERS) thought += event.text;
    const last = events.at(-1);
    if (hasAnswer || last?.type !== "finish" || last.reason !== "stop") return take(events);
    const text = thought.trim();
    return take(isContainer(jsonOf(text)) ? [...events.slice(0, -1), { type: "text", text }, last] : events);
  };
};
