/** Shared by Ollama's whole answer and the lines of its stream. */

import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { firstCount } from "../dialect/token-counts.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import type { FinishReason, TokenUsage, ToolCall } from "../provider.ts";

/** A prompt that was entirely cached is missing from the counts. */
export const readUsage = (line: Record<string, unknown>): TokenUsage | undefined => {
  const prompt = firstCount(line, "prompt_eval_count");
  const output = firstCount(line, "eval_count");
  if (prompt === undefined && output === undefined) return undefined;
  return { input: prompt ?? 0, cacheRead: 0, cacheWrite: 0, output: output ?? 0, reasoning: 0 };
};

/** Ollama's indices are all 0 and ids usually missing, so both are made here. */
export const readToolCalls = (message: Record<string, unknown>): ToolCall[] => {
  const calls = recordsAt(message, "tool_calls");
  return calls.flatMap((call) => {
    const target = recordAt(call, "function");
    const name = textAt(target, "name");
    return name ? [{ id: textAt(call, "id") || newToolCallId(), name, arguments: argumentsText(target["arguments"]) }] : [];
  });
};

export const finishReasonOf = (reason: unknown, sawToolCall: boolean): FinishReason =>
  reason === "length" ? "length" : sawToolCall ? "tool_calls" : "stop";
