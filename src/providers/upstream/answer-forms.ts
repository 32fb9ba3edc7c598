/** The two forms of an answer, whole and streamed. Some servers use the other form than was requested, and some models know only one. */

import type { WireDialect } from "../dialect/wire-dialect.ts";
import { type ChatEvent, type ChatResult, noUsage } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import type { AnswerHead } from "./open-call.ts";

const hasType = ({ headers }: AnswerHead, type: RegExp): boolean => type.test(headers.get("content-type") ?? "");

/** NDJSON counts as a stream whatever its content type, because a whole answer in it is simply its last line. */
export const isWhole = (head: AnswerHead, { framing }: WireDialect): boolean =>
  framing === "sse" && hasType(head, /^application\/json/i);
export const isStream = (head: AnswerHead, { framing }: WireDialect): boolean =>
  framing === "sse" && hasType(head, /^text\/event-stream/i);

/** A whole answer as the events of a stream. */
export const eventsOf = (result: ChatResult): ChatEvent[] => [
  ...(result.reasoning ? [{ type: "reasoning" as const, text: result.reasoning }] : []),
  ...(result.thoughts ?? []).map(({ thought }) => ({ type: "thought" as const, thought })),
  ...(result.refusal
    ? [{ type: "refusal" as const, text: result.refusal }]
    : result.text
      ? [{ type: "text" as const, text: result.text }]
      : []),
  ...result.toolCalls.flatMap((call, index): ChatEvent[] => [
    { type: "tool-start", index, id: call.id, name: call.name },
    { type: "tool-arguments", index, text: call.arguments },
  ]),
  ...(result.usageSource === "provider" ? [{ type: "usage" as const, usage: result.usage }] : []),
  {
    type: "finish",
    reason: result.finishReason,
    ...(result.stopSequence !== undefined && { stopSequence: result.stopSequence }),
    ...(result.citations && { citations: result.citations }),
  },
];

/** No honest answer is longer. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Collects the events of a stream in `result`, which is the whole answer once the stream has ended. Throws if it is too long. */
export const createCollector = (): { result: ChatResult; take(events: readonly ChatEvent[]): true } => {
  const result: ChatResult = { text: "", toolCalls: [], finishReason: "stop", usage: noUsage(), usageSource: "none" };
  let characters = 0;
  /** Thinking whose signature has not come yet. */
  let unsigned = "";
  const keepThought = (thought: NonNullable<ChatResult["thoughts"]>[number]["thought"]): void => {
    result.thoughts = [...(result.thoughts ?? []), { thought, textBefore: result.text.length }];
  };
  const keep = (event: ChatEvent): void => {
    switch (event.type) {
      case "text":
        result.text += event.text;
        break;
      case "refusal":
        result.refusal = (result.refusal ?? "") + event.text;
        result.text += event.text;
        break;
      case "thinking":
        unsigned += event.text;
        result.reasoning = (result.reasoning ?? "") + event.text;
        break;
      case "reasoning":
        result.reasoning = (result.reasoning ?? "") + event.text;
        break;
      case "thinking-end":
        keepThought({ text: unsigned, signature: event.signature });
        unsigned = "";
        break;
      case "thought":
        keepThought(event.thought);
        break;
      case "tool-start":
        result.toolCalls[event.index] = { id: event.id, name: event.name, arguments: "" };
        break;
      case "tool-arguments":
        result.toolCalls[event.index]!.arguments += event.text;
        break;
      case "usage":
        Object.assign(result, { usage: event.usage, usageSource: "provider" });
        break;
      case "finish": {
        const { type: _, reason, isCut: __, ...more } = event;
        Object.assign(result, { finishReason: reason, ...more });
      }
    }
  };
  return {
    result,
    take(events) {
      for (const event of events) {
        if ("text" in event) characters += event.text.length;
        if (characters > MOST_CHARACTERS)
          throw new UpstreamError("server", "The provider sent an answer beyond the size limit.", { accepted: true });
        keep(event);
      }
      return true;
    },
  };
};
