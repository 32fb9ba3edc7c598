/** The body and the answer of OpenAI's older completions API, which has a `prompt` instead of messages. */

import { type Static, Type } from "@sinclair/typebox";
import { Completion } from "../../chat/response/completion-schema.ts";
import { ChatBody } from "../../chat/wire.ts";
import { nullable } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";

/** Fields with the same meaning as in chat: this API has neither messages nor tools. */
const SHARED = Type.Omit(ChatBody, [
  "messages",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "functions",
  "function_call",
  "store",
]);

export const CompletionsBody = Type.Object({
  prompt: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1 })], {
    description: "One text, or a list of one text",
  }),
  ...SHARED.properties,
  best_of: nullable(Type.Literal(1, { description: "Only 1, like `n`" })),
  suffix: nullable(Type.Literal("", { description: "Only empty: no model here fills in the middle of a text" })),
});
export type CompletionsBody = Static<typeof CompletionsBody>;

/** The fields that are passed on to chat: without this API's own, and without unknown ones, among them tools. */
export const sharedFields = (body: CompletionsBody) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(SHARED.properties, name))) as Static<typeof SHARED>;

export const TextCompletion = Type.Object({
  id: Type.String(),
  object: Type.Literal("text_completion"),
  created: Type.Integer(),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      text: Type.String(),
      index: Type.Integer(),
      logprobs: Type.Null(),
      finish_reason: oneOf(["stop", "length", "content_filter"]),
    }),
  ),
  usage: Completion.properties.usage,
  svc: Completion.properties.svc,
});
export type TextCompletion = Static<typeof TextCompletion>;
