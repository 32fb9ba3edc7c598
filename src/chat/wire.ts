/** The body of a chat request (spec.md "Chat request", decisions §5), shared by `/v1/chat`, its stream and `/v1/chat/completions`. */

import { type Static, Type } from "@sinclair/typebox";
import { VERBOSITIES } from "../catalog/model.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { WireMessage } from "./message-wire.ts";
import { OPENAI_FIELDS } from "./request/openai-fields.ts";

const FunctionDefinition = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128 }),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  strict: nullable(Type.Boolean()),
});
const FunctionTool = Type.Object({ type: Type.Literal("function"), function: FunctionDefinition });

/** `format`: plain text, or a grammar with its syntax and definition. */
const CustomTool = Type.Object({
  type: Type.Literal("custom"),
  custom: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 128 }),
    description: nullable(Type.String()),
    format: nullable(
      Type.Object({
        type: Type.String(),
        grammar: nullable(Type.Object({ syntax: nullable(Type.String()), definition: nullable(Type.String()) })),
      }),
    ),
  }),
});
const OfferedTool = Type.Union([FunctionTool, CustomTool]);
export type OfferedTool = Static<typeof OfferedTool>;

const NamedFunction = Type.Object({
  type: Type.Literal("function"),
  function: Type.Object({ name: Type.String({ minLength: 1 }) }),
});
const NamedCustom = Type.Object({ type: Type.Literal("custom"), custom: Type.Object({ name: Type.String({ minLength: 1 }) }) });
export type NamedTool = Static<typeof NamedFunction> | Static<typeof NamedCustom>;

const ToolChoice = Type.Union([
  Type.Literal("none"),
  Type.Literal("auto"),
  Type.Literal("required"),
  Type.Literal("any", { description: "Mistral's name of `required`" }),
  NamedFunction,
  NamedCustom,
  Type.Object({
    type: Type.Literal("allowed_tools"),
    allowed_tools: Type.Object({
      mode: oneOf(["auto", "required"]),
      tools: Type.Array(Type.Union([NamedFunction, NamedCustom]), { minItems: 1, maxItems: 256 }),
    }),
  }),
]);

const ResponseFormat = Type.Union([
  Type.Object({ type: Type.Literal("text") }),
  Type.Object({ type: Type.Literal("json_object"), schema: nullable(Type.Record(Type.String(), Type.Unknown())) }),
  Type.Object({
    type: Type.Literal("json_schema"),
    json_schema: Type.Object({
      name: Type.Optional(Type.String()),
      description: nullable(Type.String()),
      schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      strict: nullable(Type.Boolean()),
    }),
  }),
]);

export const ChatBody = Type.Object({
  messages: Type.Array(WireMessage, { minItems: 1, description: "The conversation" }),
  ...OPENAI_FIELDS,
  schema: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema enforced on the output" })),
  schema_id: nullable(Type.String({ minLength: 1, description: "Id or slug of a saved schema" })),
  schema_strict: nullable(Type.Boolean({ description: "Answers are not repaired: any mismatch fails", default: false })),
  top_k: nullable(
    Type.Integer({ description: "For vendors that have it: Anthropic, Google, Ollama; below 1 (vLLM's -1) it has no effect" }),
  ),
  max_tokens: nullable(Type.Integer({ minimum: 1, description: "Tokens of the answer at most" })),
  max_completion_tokens: nullable(Type.Integer({ minimum: 1, description: "The newer name of `max_tokens`" })),
  stop: nullable(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 16 })])),
  seed: nullable(Type.Integer()),
  random_seed: nullable(Type.Integer({ description: "Mistral's name of `seed`" })),
  n: nullable(Type.Literal(1, { description: "Always one choice; for another, send the request again" })),
  presence_penalty: nullable(Type.Number({ minimum: -2, maximum: 2 })),
  frequency_penalty: nullable(Type.Number({ minimum: -2, maximum: 2 })),
  reasoning_effort: nullable(Type.String({ description: "Passed on to models that reason" })),
  verbosity: nullable(oneOf(VERBOSITIES)),
  response_format: nullable(ResponseFormat),
  tools: nullable(Type.Array(OfferedTool, { maxItems: 256 })),
  tool_choice: nullable(ToolChoice),
  functions: nullable(
    Type.Array(FunctionDefinition, {
      maxItems: 256,
      description: "The older form of `tools`; the answer has a single `function_call`",
    }),
  ),
  function_call: nullable(
    Type.Union([Type.Literal("none"), Type.Literal("auto"), NamedFunction.properties.function], {
      description: "The older form of `tool_choice`, for `functions`",
    }),
  ),
  store: nullable(Type.Boolean({ description: "Whether the answer can be fetched later from `/v1/chat/completions/{id}`" })),
  cache_control: nullable(Type.Object({}, { description: "The prompt is cached, if one of Anthropic's models answers" })),
  stream: nullable(
    Type.Boolean({ description: "On `/v1/chat/completions`: answer as Server-Sent Events; elsewhere the path decides" }),
  ),
  stream_options: nullable(Type.Object({ include_usage: Type.Optional(Type.Boolean()) })),
});
export type ChatBody = Static<typeof ChatBody>;
