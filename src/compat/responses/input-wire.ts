/** The items of a Responses request's `input`, and the settings that may come among them. */

import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { EFFORTS, VERBOSITIES } from "../../catalog/model.ts";
import { nullable } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import { otherThan, Tool } from "./tool-wire.ts";

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
/** What Codex takes to be sealed; a model that answered here worded it in plain text. */
const Sealed = Type.Object({ type: Type.Literal("encrypted_content"), encrypted_content: Type.String() });
const Part = Type.Union([text("input_text"), text("output_text"), Refusal, Sealed, InputImage, InputFile, InputAudio]);

const Message = Type.Object({
  type: nullable(Type.Literal("message")),
  role: oneOf(["user", "assistant", "system", "developer"]),
  content: Type.Union([Type.String(), Type.Array(Part)]),
});
/** What Codex's agents tell each other. */
const AgentMessage = Type.Object({ type: Type.Literal("agent_message"), content: Type.Array(Part) });
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

/** Beside the input, or in a `configuration_update`. */
export const SETTINGS = {
  text: nullable(Type.Object({ format: nullable(Format), verbosity: nullable(oneOf(VERBOSITIES)) })),
  reasoning: nullable(
    Type.Object({
      effort: nullable(oneOf(EFFORTS)),
      summary: nullable(oneOf(["auto", "concise", "detailed", "none"], { description: "Unless `none`: thinking is shown" })),
    }),
  ),
};

/** In mid-conversation. */
const MoreTools = { tools: nullable(Type.Array(Tool, { maxItems: 256 })) };
const AdditionalTools = Type.Object({ type: Type.Literal("additional_tools"), ...MoreTools });
/** A search for tools, which OpenAI made unless `execution` is `client`. */
const Searched = { call_id: nullable(Type.String()), execution: nullable(oneOf(["client", "server"])) };
const SearchCall = Type.Object({ type: Type.Literal("tool_search_call"), ...Searched, arguments: nullable(Type.Unknown()) });
const SearchOutput = Type.Object({ type: Type.Literal("tool_search_output"), ...Searched, ...MoreTools });
/** Settings that apply from here on, until the next update. */
const ConfigurationUpdate = Type.Object({
  type: Type.Literal("configuration_update"),
  ...SETTINGS,
});
/** Earlier thinking, which goes back with the calls after it, to vendors that need it. */
const Reasoning = Type.Object({
  type: Type.Literal("reasoning"),
  summary: nullable(Type.Array(Type.Object({ text: nullable(Type.String()) }))),
});
/** What a model drew before. */
const Drawn = Type.Object({ type: Type.Literal("image_generation_call"), result: nullable(Type.String()) });
/** A conversation's summary, and the wish for one. */
const Compaction = Type.Object({ type: Type.Literal("compaction"), encrypted_content: Type.String() });
const CompactionTrigger = Type.Object({ type: Type.Literal("compaction_trigger") });
/** Ignored items: results of OpenAI's own tools, about which the model's text stands beside. */
const PASSED_BY = [
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
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
/** A reference to an item of an earlier answer; clients may leave its type out. */
const Reference = Type.Object({ type: nullable(Type.Literal("item_reference")), id: Type.String({ minLength: 1 }) });
const KnownItem = Type.Union([
  Message,
  AgentMessage,
  Reference,
  FunctionCall,
  CustomCall,
  CallOutput,
  AdditionalTools,
  SearchCall,
  SearchOutput,
  ConfigurationUpdate,
  Compaction,
  CompactionTrigger,
  Reasoning,
  Drawn,
  PassedBy,
]);
/** The words that an item's `type` may be. */
const typesOf = ({ properties }: TObject): string[] => {
  const type = properties["type"]!;
  return ((type["anyOf"] as TSchema[] | undefined) ?? [type]).flatMap((variant) => variant["const"] ?? []);
};
const KNOWN_ITEMS: readonly string[] = KnownItem.anyOf.flatMap(typesOf);
export const Item = Type.Union([...KnownItem.anyOf, otherThan(...KNOWN_ITEMS)]);

export type ResponsesPart = Static<typeof Part>;
export type ResponsesItem = Static<typeof Item>;
export type ResponsesMessage = Static<typeof Message>;
export const isKnownItem = (item: ResponsesItem): item is Static<typeof KnownItem> =>
  KNOWN_ITEMS.includes(item.type ?? "message");
export const isReference = (item: ResponsesItem): item is Static<typeof Reference> =>
  item.type === "item_reference" || (item.type == null && !("role" in item));
export type ToolSearchOutput = Static<typeof SearchOutput>;
export const bringsTools = (item: Static<typeof KnownItem>): item is Static<typeof AdditionalTools> | ToolSearchOutput =>
  item.type === "additional_tools" || item.type === "tool_search_output";
