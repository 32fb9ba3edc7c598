/** Anthropic's Messages request, as its SDKs and Claude Code send it (unknown members are accepted), and the answer. */

import { type Static, Type } from "@sinclair/typebox";
import { OWN_FIELDS } from "../../chat/request/own-fields.ts";
import { Svc } from "../../chat/response/completion-schema.ts";
import { nullable, orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import { BOUNDS } from "../../limits/bounds.ts";

const TextBlock = Type.Object({ type: Type.Literal("text"), text: Type.String() });
const Base64Source = Type.Object({
  type: Type.Literal("base64"),
  media_type: Type.String(),
  data: Type.String({ minLength: 1 }),
});
const UrlSource = Type.Object({ type: Type.Literal("url"), url: Type.String({ minLength: 1 }) });
const FileSource = Type.Object({
  type: Type.Literal("file"),
  file_id: Type.String({ description: "Refused: files are not stored under such ids" }),
});
const ImageBlock = Type.Object({ type: Type.Literal("image"), source: Type.Union([Base64Source, UrlSource, FileSource]) });
/** Reported as ignored, because other vendors have no equivalent. */
const Citations = nullable(Type.Object({ enabled: nullable(Type.Boolean()) }));
const DocumentBlock = Type.Object({
  type: Type.Literal("document"),
  source: Type.Union([
    Base64Source,
    UrlSource,
    FileSource,
    Type.Object({ type: Type.Literal("text"), data: Type.String(), media_type: Type.Optional(Type.String()) }),
    Type.Object({
      type: Type.Literal("content"),
      content: Type.Union([Type.String(), Type.Array(Type.Union([TextBlock, ImageBlock]))]),
    }),
  ]),
  title: nullable(Type.String()),
  context: nullable(Type.String()),
  citations: Citations,
});
/** A result of the caller's own search. */
const SearchResultBlock = Type.Object({
  type: Type.Literal("search_result"),
  source: Type.String(),
  title: Type.String(),
  content: Type.Array(TextBlock),
  citations: Citations,
});
/** A tool found by a tool search; the model sees all tools in any case. */
const ToolReference = Type.Object({ type: Type.Literal("tool_reference"), tool_name: Type.String() });
const ToolUse = Type.Object({
  type: Type.Literal("tool_use"),
  id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  input: Type.Optional(Type.Unknown()),
});
/** What a browser shows after a call of Anthropic's tools for one, which are left out. */
const BrowserState = Type.Object({ type: Type.Literal("browser_state") });
const ToolResultPart = Type.Union([TextBlock, ImageBlock, DocumentBlock, SearchResultBlock, ToolReference, BrowserState]);
const ToolResult = Type.Object({
  type: Type.Literal("tool_result"),
  tool_use_id: Type.String({ minLength: 1 }),
  content: nullable(Type.Union([Type.String(), Type.Array(ToolResultPart)])),
  is_error: nullable(Type.Boolean()),
});
/** Earlier thinking. It goes back unchanged to those whose model thought it, and to nobody else; without its signature it is left out. */
const Thinking = Type.Object({
  type: Type.Literal("thinking"),
  thinking: nullable(Type.String()),
  signature: nullable(Type.String()),
});
const RedactedThinking = Type.Object({ type: Type.Literal("redacted_thinking"), data: nullable(Type.String()) });

const SERVER_BLOCKS = [
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "advisor_tool_result",
  "mcp_tool_use",
  "mcp_tool_result",
  "mcp_tool_listing",
  "compaction",
  "fallback",
] as const;
/** Results of server-side tools in an earlier answer; the model's own text about them stands beside. */
const ServerBlock = Type.Object({ type: oneOf(SERVER_BLOCKS) });

/** The caller's own tool, or one that Anthropic defines by its type. */
const Tool = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  description: nullable(Type.String()),
  input_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  type: nullable(Type.String()),
  strict: nullable(Type.Boolean()),
  input_examples: nullable(Type.Array(Type.Unknown())),
  eager_input_streaming: nullable(Type.Boolean()),
  allowed_domains: nullable(Type.Array(Type.String(), { description: "Of a search that `tool_choice` demands" })),
  blocked_domains: nullable(Type.Array(Type.String())),
});

/** Adds or removes a tool from here on, by name or as among `tools`. */
const ToolChange = Type.Object({
  type: oneOf(["tool_addition", "tool_removal"]),
  tool: Type.Object({ type: Type.String(), name: nullable(Type.String()), definition: nullable(Tool) }),
});

const Content = Type.Union([
  Type.String(),
  Type.Array(
    Type.Union([
      TextBlock,
      ImageBlock,
      DocumentBlock,
      SearchResultBlock,
      ToolUse,
      ToolResult,
      Thinking,
      RedactedThinking,
      ToolChange,
      ServerBlock,
    ]),
  ),
]);
const Message = Type.Object({
  role: oneOf(["user", "assistant", "system"]),
  content: Type.Optional(Content),
  clear_at: nullable(Type.String({ description: "`next_user_message`: a system message for its own turn only" })),
  output_config: nullable(Type.Object({}, { description: "Ignored" })),
});

const MESSAGE_FIELDS = {
  model: nullable(Type.String({ description: "Absent or `auto` routes; a catalog id pins it" })),
  messages: Type.Array(Message, { minItems: 1 }),
  system: nullable(Type.Union([Type.String(), Type.Array(TextBlock)])),
  tools: nullable(Type.Array(Tool, { maxItems: 512 })),
  tool_choice: nullable(
    Type.Union([
      Type.Object({
        type: oneOf(["auto", "any", "none"]),
        disable_parallel_tool_use: Type.Optional(Type.Boolean()),
      }),
      Type.Object({
        type: Type.Literal("tool"),
        name: Type.String({ minLength: 1 }),
        disable_parallel_tool_use: Type.Optional(Type.Boolean()),
      }),
    ]),
  ),
};

const OutputFormat = Type.Object({ type: Type.Literal("json_schema"), schema: Type.Record(Type.String(), Type.Unknown()) });

export const MessagesBody = Type.Object({
  ...MESSAGE_FIELDS,
  max_tokens: Type.Integer({ minimum: 1 }),
  temperature: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: nullable(Type.Integer({ minimum: 0 })),
  stop_sequences: nullable(Type.Array(Type.String(), { maxItems: 64 })),
  stream: nullable(Type.Boolean()),
  metadata: nullable(Type.Object({ user_id: nullable(Type.String({ maxLength: BOUNDS.nameCharacters })) })),
  thinking: nullable(
    Type.Object({
      type: Type.Optional(Type.String()),
      budget_tokens: Type.Optional(Type.Integer()),
      display: nullable(Type.String()),
      block_binding: nullable(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  output_config: nullable(
    Type.Object({
      effort: nullable(Type.String()),
      format: nullable(OutputFormat),
    }),
  ),
  output_format: nullable(OutputFormat),
  context_management: nullable(
    Type.Object({ edits: nullable(Type.Array(Type.Object({ type: Type.String() }), { maxItems: 16 })) }),
  ),
  mcp_servers: nullable(Type.Array(Type.Unknown())),
  cache_control: nullable(Type.Object({})),
  ...OWN_FIELDS,
});
export type MessagesBody = Static<typeof MessagesBody>;

export const CountBody = Type.Object(MESSAGE_FIELDS);
export type CountBody = Static<typeof CountBody>;
export type AnthropicMessage = Static<typeof Message> & { content: Static<typeof Content> };
export type DeclaredTool = Static<typeof Tool>;
export type AnthropicBlock = Exclude<AnthropicMessage["content"], string>[number];
export type AnthropicToolResult = Static<typeof ToolResult>;
export type AnthropicDocument = Static<typeof DocumentBlock>;
export type AnthropicSearchResult = Static<typeof SearchResultBlock>;

/** The answer: Anthropic's format with `svc`. */
export const MessageAnswer = Type.Object({
  id: Type.String(),
  type: Type.Literal("message"),
  role: Type.Literal("assistant"),
  model: Type.String(),
  content: Type.Array(
    Type.Object(
      { type: Type.String() },
      {
        additionalProperties: true,
        description: "text, tool_use, thinking, redacted_thinking; of a demanded search: server_tool_use, web_search_tool_result",
      },
    ),
  ),
  stop_reason: Type.String(),
  stop_sequence: orNull(Type.String()),
  stop_details: orNull(
    Type.Object(
      { type: Type.Literal("refusal"), category: Type.Null(), explanation: Type.Null() },
      { description: "Of a refusal" },
    ),
  ),
  usage: Type.Object({
    input_tokens: Type.Integer(),
    cache_creation_input_tokens: Type.Integer(),
    cache_creation: Type.Object({ ephemeral_5m_input_tokens: Type.Integer(), ephemeral_1h_input_tokens: Type.Integer() }),
    cache_read_input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    output_tokens_details: Type.Object({ thinking_tokens: Type.Integer() }),
    server_tool_use: Type.Optional(Type.Object({ web_search_requests: Type.Integer(), web_fetch_requests: Type.Integer() })),
  }),
  svc: Svc,
});
