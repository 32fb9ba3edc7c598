/** Reads one line of Ollama's answer. */

import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { firstCount } from "../dialect/token-counts.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import type { ChatEvent, FinishReason, TokenUsage } from "../provider.ts";
import { mapOllamaError } from "./map-error.ts";

type Line = Record<string, unknown>;

/** A prompt that was entirely cached is missing from the counts. */
const readUsage = (line: Line): TokenUsage | undefined => {
  const prompt = firstCount(line, "prompt_eval_count");
  const output = firstCount(line, "eval_count");
  if (prompt === undefined && output === undefined) return undefined;
  return { input: prompt ?? 0, cacheRead: 0, cacheWrite: 0, output: output ?? 0, reasoning: 0 };
};

const finishReasonOf = (reason: unknown, sawToolCall: boolean): FinishReason =>
  reason === "length" ? "length" : sawToolCall ? "tool_calls" : "stop";

/** True for the last line. Ollama's indices of calls are all 0 and ids usually missing, so both are made here. */
export const readLine = (reading: { provider: string; toolCount: number }, line: Line, events: ChatEvent[]): boolean => {
  if (line["error"]) throw mapOllamaError({ provider: reading.provider, status: 0, body: line, accepted: true });
  const message = recordAt(line, "message");
  const reasoning = textAt(message, "thinking");
  const text = textAt(message, "content");
  if (reasoning) events.push({ type: "reasoning", text: reasoning });
  if (text) events.push({ type: "text", text });
  for (const call of recordsAt(message, "tool_calls")) {
    const target = recordAt(call, "function");
    const name = textAt(target, "name");
    if (name === "") continue;
    const index = reading.toolCount++;
    events.push({ type: "tool-start", index, id: textAt(call, "id") || newToolCallId(), name });
    events.push({ type: "tool-arguments", index, text: argumentsText(target["arguments"]) });
  }
  if (line["done"] !== true) return false;
  const usage = readUsage(line);
  if (usage) events.push({ type: "usage", usage });
  events.push({ type: "finish", reason: finishReasonOf(line["done_reason"], reading.toolCount > 0) });
  return true;
};
