/** A chat answer as `chat.completion`, on spec.md's path and on OpenAI's. */

import type { TokenUsage, ToolCall } from "../../providers/provider.ts";
import { completionTokens, promptTokens } from "../../providers/provider.ts";
import type { Completion } from "./completion-schema.ts";
import { plainThoughts } from "./place-thoughts.ts";
import type { Answer } from "./whole-answer.ts";

export const completionIdOf = (requestId: string): string => `chatcmpl-${requestId.replace(/^call_/, "")}`;

export const toCompletion = (answer: Answer): Completion => completionOf(answer, plainThoughts(answer.result));

/** `reasoning`: what its vendor wants back with the calls, under the name that vendors have given it. */
const completionOf = (answer: Answer, reasoning: string): Completion => ({
  id: completionIdOf(answer.requestId),
  object: "chat.completion",
  created: Math.floor(answer.createdAtMs / 1000),
  model: answer.model,
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: answer.result.text === "" && answer.result.toolCalls.length > 0 ? null : answer.result.text,
        refusal: answer.result.refusal ?? null,
        ...(reasoning !== "" && { reasoning_content: reasoning }),
        ...(answer.result.toolCalls.length > 0 && { tool_calls: answer.result.toolCalls.map(toWireToolCall) }),
      },
      logprobs: null,
      finish_reason: answer.result.finishReason,
    },
  ],
  usage: toWireUsage(answer.usage),
  svc: answer.svc,
});

const toWireToolCall = (call: ToolCall) => ({
  id: call.id,
  type: "function" as const,
  function: { name: call.name, arguments: call.arguments },
});

export const toWireUsage = (usage: TokenUsage) => ({
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
  total_tokens: promptTokens(usage) + completionTokens(usage),
  prompt_tokens_details: { cached_tokens: usage.cacheRead },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});
