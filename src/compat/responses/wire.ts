/**
 * OpenAI's Responses request, as its SDKs, the Vercel AI SDK, OpenAI's Agents SDK and Codex send it (unknown members are accepted), and the
 * answer.
 */

import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { OWN_FIELDS } from "../../chat/request/own-fields.ts";
import { Svc } from "../../chat/response/completion-schema.ts";
import { nullable } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";

const text = <Name extends string>(type: Name) => Type.Object({ type: Type.Literal(type), text: Type.String() });
const Refusal = Type.Object({ type: Type.Literal("refusal"), refusal: Type.String() });
const InputImage = Type.Object({
  type: Type.Literal("input_image"),
  image_url: nullable(Type.String({ minLength: 1, description: "a data: or https: URL" })),
  file_id: nullable(Type.String()),
  detail: nullable(oneOf(["low", "high", "auto", "original"])),
});
const InputFile = Type.Object({
  type: Type.Literal("input_file"),
  file_data: nullable(
    Type.String({ minLength: 1, description: "a PDF in base64, bare or as a data: URL, or text as a data: URL" }),
  ),
  filename: nullable(Type.String()),
  file_id: nullable(Type.String()),
  file_url: nullable(Type.String()),
});
const InputAudio = Type.Object({
  type: Type.Literal("input_audio"),
  input_audio: Type.Object({
    data: Type.String({ minLength: 1, description: "base64" }),
    format: oneOf(["wav", "mp3"]),
  }),
});
const Part = Type.Union([text("input_text"), text("output_text"), Refusal, InputImage, InputFile, InputAudio]);

const Message = Type.Object({
  type: nullable(Type.Literal("message")),
  role: oneOf(["user", "assistant", "system", "developer"]),
  content: Type.Union([Type.String(), Type.Array(Part)]),
});
const FunctionCall = Type.Object({
  type: Type.Literal("function_call"),
  call_id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  namespace: nullable(Type.String()),
  arguments: Type.String(),
});
/** A call of a tool that takes free text. */
const CustomCall = Type.Object({
  type: Type.Literal("custom_tool_call"),
  call_id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  namespace: nullable(Type.String()),
  input: Type.String(),
});
const CallOutput = Type.Object({
  type: oneOf(["function_call_output", "custom_tool_call_output"]),
  call_id: Type.String({ minLength: 1 }),
  output: Type.Union([Type.String(), Type.Array(Part)]),
});
/** Accepted by the schema; left out or refused later, with what to do instead. */
const otherThan = (...known: readonly string[]) =>
  Type.Object({ type: Type.String({ pattern: `^(?!(?:${known.join("|")})$)` }) });
const FunctionTool = Type.Object({
  type: Type.Literal("function"),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  description: nullable(Type.String()),
  parameters: nullable(Type.Record(Type.String(), Type.Unknown())),
  strict: nullable(Type.Boolean()),
});
/** `format`: plain text, or a grammar with its syntax and definition. */
const CustomTool = Type.Object({
  type: Type.Literal("custom"),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  description: nullable(Type.String()),
  format: nullable(Type.Object({ type: Type.String(), syntax: nullable(Type.String()), definition: nullable(Type.String()) })),
});
/** A group of the caller's functions, such as Codex makes of an MCP server. */
const NamespaceTool = Type.Object({
  type: Type.Literal("namespace"),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  tools: Type.Array(Type.Union([FunctionTool, CustomTool, otherThan("function", "custom")]), { maxItems: 256 }),
});
const Tool = Type.Union([FunctionTool, CustomTool, NamespaceTool, otherThan("function", "custom", "namespace")]);
const NamedTool = Type.Object({ type: oneOf(["function", "custom"]), name: Type.String({ minLength: 1 }) });
const AllowedTools = Type.Object({
  type: Type.Literal("allowed_tools"),
  mode: oneOf(["auto", "required"]),
  tools: Type.Array(Type.Union([NamedTool, otherThan("function", "custom")]), { minItems: 1 }),
});

const Format = Type.Union([
  Type.Object({ type: Type.Literal("text") }),
  Type.Object({ type: Type.Literal("json_object") }),
  Type.Object({
    type: Type.Literal("json_schema"),
    name: nullable(Type.String()),
    description: nullable(Type.String()),
    schema: Type.Record(Type.String(), Type.Unknown()),
    strict: nullable(Type.Boolean()),
  }),
]);
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Tools added in mid-conversation, or found by a tool search. */
const MoreTools = Type.Object({
  type: oneOf(["additional_tools", "tool_search_output"]),
  tools: nullable(Type.Array(Tool, { maxItems: 256 })),
});
/** Settings that apply from here on, until the next update. */
const ConfigurationUpdate = Type.Object({
  type: Type.Literal("configuration_update"),
  reasoning: nullable(Type.Object({ effort: nullable(oneOf(EFFORTS)) })),
  text: nullable(Type.Object({ format: nullable(Format) })),
});
/**
 * Ignored items: reasoning, which other models cannot use, and results of OpenAI's own tools, about which the model's text stands beside.
 */
const PASSED_BY = [
  "reasoning",
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
  "tool_search_call",
  "program",
  "program_output",
  "computer_call",
  "computer_call_output",
  "local_shell_call",
  "local_shell_call_output",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "apply_patch_call_output",
  "ghost_snapshot",
] as const;
const PassedBy = Type.Object({ type: oneOf(PASSED_BY), call_id: nullable(Type.String()) });
/** A reference to an item of an earlier answer. */
const Reference = Type.Object({ type: Type.Literal("item_reference"), id: Type.String({ minLength: 1 }) });
const KnownItem = Type.Union([
  Message,
  Reference,
  FunctionCall,
  CustomCall,
  CallOutput,
  MoreTools,
  ConfigurationUpdate,
  PassedBy,
]);
/** The words that an item's `type` may be. */
const typesOf = ({ properties }: TObject): string[] => {
  const type = properties["type"]!;
  return ((type["anyOf"] as TSchema[] | undefined) ?? [type]).flatMap((variant) => variant["const"] ?? []);
};
const KNOWN_ITEMS: readonly string[] = KnownItem.anyOf.flatMap(typesOf);
const Item = Type.Union([...KnownItem.anyOf, otherThan(...KNOWN_ITEMS)]);

export const ResponsesBody = Type.Object({
  input: Type.Union([Type.String(), Type.Array(Item)], { description: "The conversation, or what is new in it" }),
  model: nullable(Type.String({ description: "absent or `auto` routes; a catalog id pins it" })),
  instructions: nullable(Type.String({ description: "A system message before `input`" })),
  max_output_tokens: nullable(Type.Integer({ minimum: 1 })),
  temperature: nullable(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  tools: nullable(
    Type.Array(Tool, {
      maxItems: 256,
      description: "Tools of type `function` or `custom`, or a `namespace` of these; others are left out",
    }),
  ),
  tool_choice: nullable(
    Type.Union([
      Type.Literal("none"),
      Type.Literal("auto"),
      Type.Literal("required"),
      NamedTool,
      AllowedTools,
      otherThan("function", "custom", "allowed_tools"),
    ]),
  ),
  parallel_tool_calls: nullable(Type.Boolean()),
  text: nullable(Type.Object({ format: nullable(Format) })),
  reasoning: nullable(Type.Object({ effort: nullable(oneOf(EFFORTS)) })),
  metadata: nullable(
    Type.Record(Type.String(), Type.String({ maxLength: 512 }), { description: "Stored with the call as `custom`" }),
  ),
  user: nullable(Type.String({ maxLength: 512 })),
  prompt_cache_key: nullable(
    Type.String({
      maxLength: 512,
      description: "A key shared by calls with the same beginning; passed on to OpenAI if one of its models answers",
    }),
  ),
  stream: nullable(Type.Boolean()),
  store: nullable(Type.Boolean({ description: "Accepted, but no response is stored in this form" })),
  previous_response_id: nullable(Type.String({ description: "Continues from that response, while the log has it unchanged" })),
  conversation: nullable(Type.Union([Type.String(), Type.Object({})], { description: "Refused: conversations are not stored" })),
  background: nullable(Type.Boolean({ description: "`true` is refused" })),
  prompt: nullable(Type.Object({}, { description: "Refused: prompts are not stored" })),
  ...OWN_FIELDS,
});
export type ResponsesBody = Static<typeof ResponsesBody>;
export type ResponsesPart = Static<typeof Part>;
export type ResponsesItem = Static<typeof Item>;
export type ResponsesTool = Static<typeof Tool>;
export type ResponsesMessage = Static<typeof Message>;
export const isKnownItem = (item: ResponsesItem): item is Static<typeof KnownItem> =>
  KNOWN_ITEMS.includes(item.type ?? "message");
export const isReference = (item: ResponsesItem): item is Static<typeof Reference> => item.type === "item_reference";
export const bringsTools = (item: Static<typeof KnownItem>): item is Static<typeof MoreTools> =>
  item.type === "additional_tools" || item.type === "tool_search_output";
export const isNamespaceTool = (tool: ResponsesTool): tool is Static<typeof NamespaceTool> => tool.type === "namespace";
type Choice = Exclude<ResponsesBody["tool_choice"], string | null | undefined>;
export const isNamed = (tool: { type: string }): tool is Static<typeof NamedTool> =>
  tool.type === "function" || tool.type === "custom";
export const isAllowedTools = (choice: Choice): choice is Static<typeof AllowedTools> => choice.type === "allowed_tools";
export type OwnTool = Static<typeof FunctionTool> | Static<typeof CustomTool>;
export const isOwnTool = (tool: ResponsesTool): tool is OwnTool => tool.type === "function" || tool.type === "custom";

/** The answer: OpenAI's format with `svc`, and the request echoed. */
export const ResponseAnswer = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal("response"),
    created_at: Type.Integer(),
    status: Type.String(),
    model: Type.String(),
    output: Type.Array(
      Type.Object({ id: Type.String(), type: Type.String(), status: Type.String() }, { additionalProperties: true }),
    ),
    usage: Type.Object({
      input_tokens: Type.Integer(),
      input_tokens_details: Type.Object({ cached_tokens: Type.Integer(), cache_write_tokens: Type.Integer() }),
      output_tokens: Type.Integer(),
      output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
      total_tokens: Type.Integer(),
    }),
    svc: Svc,
  },
  { additionalProperties: true },
);
