/** A chat answer as `chat.completion`, on spec.md's path and on OpenAI's. */

import type { TokenUsage, ToolCall } from "../../providers/provider.ts";
import { completionTokens, promptTokens } from "../../providers/provider.ts";
import { customToolsOf, type IsCustom, toInput } from "../custom-tools.ts";
import type { ChatBody } from "../wire.ts";
import type { Completion } from "./completion-schema.ts";
import { plainThoughts } from "./place-thoughts.ts";
import type { Answer } from "./whole-answer.ts";

export const completionIdOf = (requestId: string): string => `chatcmpl-${requestId.replace(/^call_/, "")}`;

/** For what asked with this body. */
export const toCompletionFor = (body: ChatBody): ((answer: Answer) => Completion) => {
  const isCustom = customToolsOf(body);
  return (answer) => completionOf(answer, plainThoughts(answer.result), isCustom);
};

/** `reasoning`: what its vendor wants back with the calls, under the name that vendors have given it. */
const completionOf = (answer: Answer, reasoning: string, isCustom: IsCustom): Completion => ({
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
        ...(answer.result.toolCalls.length > 0 && {
          tool_calls: answer.result.toolCalls.map((call) => toWireToolCall(call, isCustom)),
        }),
      },
      logprobs: null,
      finish_reason: answer.result.finishReason,
    },
  ],
  usage: toWireUsage(answer.usage),
  svc: answer.svc,
});

const toWireToolCall = ({ id, name, arguments: text }: ToolCall, isCustom: IsCustom) =>
  isCustom(name)
    ? { id, type: "custom" as const, custom: { name, input: toInput(text) } }
    : { id, type: "function" as const, function: { name, arguments: text } };

export const toWireUsage = (usage: TokenUsage) => ({
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
  total_tokens: promptTokens(usage) + completionTokens(usage),
  prompt_tokens_details: { cached_tokens: usage.cacheRead },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});
