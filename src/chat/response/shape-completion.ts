/** A chat answer as `chat.completion`, on spec.md's path and on OpenAI's. */

import { callIdAs } from "../../lib/ids.ts";
import type { ChatResult, Citation, FinishReason, TokenUsage, ToolCall } from "../../providers/provider.ts";
import { completionTokens, promptTokens } from "../../providers/provider.ts";
import { customToolsOf, type IsCustom, toInput } from "../custom-tools.ts";
import { hasFunctions } from "../request/functions-as-tools.ts";
import type { ChatBody } from "../wire.ts";
import type { Completion } from "./completion-schema.ts";
import type { Answer } from "./whole-answer.ts";

export const completionIdOf = (requestId: string): string => callIdAs("chatcmpl-", requestId);

/** The form of tool calls: custom tools have an `input`, and requests with `functions` get OpenAI's older form. */
export type CallForm = { isCustom: IsCustom; asFunction: boolean };

export const callFormOf = (body: ChatBody): CallForm => ({ isCustom: customToolsOf(body), asFunction: hasFunctions(body) });

export const completionOf = (answer: Answer, form: CallForm): Completion => ({
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
        ...(answer.result.reasoning && { reasoning_content: answer.result.reasoning }),
        ...(answer.result.pictures && { images: answer.result.pictures.map(toWirePicture) }),
        ...callsIn(answer.result, form),
        ...(answer.result.citations && { annotations: answer.result.citations.map(toAnnotation) }),
      },
      logprobs: null,
      finish_reason: toWireFinish(answer.result.finishReason, form),
    },
  ],
  usage: toWireUsage(answer.result.usage),
  svc: answer.svc,
});

/** As OpenAI's search models cite their sources. */
export const toAnnotation = ({ url, title, start, end }: Citation) => ({
  type: "url_citation" as const,
  url_citation: { url, title, start_index: start, end_index: end },
});

/** As OpenRouter and LiteLLM show what a model drew. */
export const toWirePicture = (url: string, index: number) => ({ type: "image_url" as const, index, image_url: { url } });

const callsIn = ({ toolCalls }: ChatResult, { isCustom, asFunction }: CallForm) => {
  const [first] = toolCalls;
  if (first === undefined) return {};
  return asFunction
    ? { function_call: { name: first.name, arguments: first.arguments } }
    : { tool_calls: toolCalls.map((call) => toWireToolCall(call, isCustom)) };
};

export const toWireFinish = (reason: FinishReason, { asFunction }: CallForm): FinishReason | "function_call" =>
  asFunction && reason === "tool_calls" ? "function_call" : reason;

export const toWireToolCall = ({ id, name, arguments: text }: ToolCall, isCustom: IsCustom) =>
  isCustom(name)
    ? { id, type: "custom" as const, custom: { name, input: toInput(text) } }
    : { id, type: "function" as const, function: { name, arguments: text } };

export const toWireUsage = (usage: TokenUsage) => ({
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
  total_tokens: promptTokens(usage) + completionTokens(usage),
  prompt_tokens_details: {
    cached_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    audio_tokens: usage.inputAudio ?? 0,
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});
