/** Collects the events of an answer into the whole of it. */

import { type ChatEvent, type ChatResult, isPlain, noUsage, type Thought } from "../provider.ts";
import { tooLong } from "./upstream-failure.ts";

/** No honest answer is longer. */
export const MOST_CHARACTERS = 16 * 1024 * 1024;

/** `unsigned`: thinking whose signature has not come yet. */
type Collecting = { result: ChatResult; unsigned: string; characters: number };

/** Collects the events of an answer in `result`, which is whole once the last has come. `take` throws if it is too long. */
export const createCollector = (): { result: ChatResult; take(events: readonly ChatEvent[]): true } => {
  const result: ChatResult = { text: "", toolCalls: [], finishReason: "stop", usage: noUsage(), usageSource: "none" };
  const collecting: Collecting = { result, unsigned: "", characters: 0 };
  const take = (events: readonly ChatEvent[]): true => {
    for (const event of events) collect(collecting, event);
    return true;
  };
  return { result, take };
};

/** How many characters an event adds to the answer. Counts of tokens replace each other, and so does what is held. */
const sizeOf = (event: ChatEvent): number => {
  if ("text" in event) return event.text.length;
  if (event.type === "picture") return event.url.length;
  return event.type === "usage" || event.type === "held" ? 0 : JSON.stringify(event).length;
};

const collect = (collecting: Collecting, event: ChatEvent): void => {
  const { result } = collecting;
  collecting.characters += sizeOf(event);
  if (collecting.characters > MOST_CHARACTERS) throw tooLong("an answer");
  switch (event.type) {
    case "text":
      result.text += event.text;
      break;
    case "refusal":
      result.text += event.text;
      result.refusal = (result.refusal ?? "") + event.text;
      break;
    case "reasoning":
      result.reasoning = (result.reasoning ?? "") + event.text;
      break;
    case "thinking":
      result.reasoning = (result.reasoning ?? "") + event.text;
      collecting.unsigned += event.text;
      break;
    case "thinking-end":
      // The vendor wants no thinking back that it did not sign.
      if (event.signature !== "") collectThought(result, { text: collecting.unsigned, signature: event.signature });
      collecting.unsigned = "";
      break;
    case "thought":
      collectThought(result, event.thought);
      break;
    case "tool-start":
      result.toolCalls[event.index] = { id: event.id, name: event.name, arguments: "" };
      break;
    case "tool-arguments":
      result.toolCalls[event.index]!.arguments += event.text;
      break;
    case "picture":
      result.pictures ??= [];
      result.pictures.push(event.url);
      break;
    case "usage":
      Object.assign(result, { usage: event.usage, usageSource: "provider" });
      break;
    case "finish":
      Object.assign(result, finished(event));
  }
};

const collectThought = (result: ChatResult, thought: Thought): void => {
  result.thoughts ??= [];
  // What nobody signed is told before the text, wherever it came.
  result.thoughts.push({ thought, textBefore: isPlain(thought) ? 0 : result.text.length });
};

/** What was used until the answer was cut says nothing of the whole. */
const finished = ({ reason, stopSequence, citations, isCut }: ChatEvent & { type: "finish" }): Partial<ChatResult> => ({
  finishReason: reason,
  ...(isCut && { usage: noUsage(), usageSource: "none" }),
  ...(stopSequence !== undefined && { stopSequence }),
  ...(citations && { citations }),
});
