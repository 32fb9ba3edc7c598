/**
 * OpenAI's Responses request, as its SDKs, the Vercel AI SDK, OpenAI's Agents SDK and Codex send it (unknown members are accepted), and the
 * answer.
 */

import { type Static, Type } from "@sinclair/typebox";
import { OPENAI_FIELDS } from "../../chat/request/openai-fields.ts";
import { Svc } from "../../chat/response/completion-schema.ts";
import { nullable } from "../../lib/nullable.ts";
import { Item, SETTINGS } from "./input-wire.ts";
import { Tool, ToolChoice } from "./tool-wire.ts";

export const ResponsesBody = Type.Object({
  input: Type.Union([Type.String(), Type.Array(Item)], { description: "The conversation, or what is new in it" }),
  ...OPENAI_FIELDS,
  instructions: nullable(Type.String({ description: "A system message before `input`" })),
  max_output_tokens: nullable(Type.Integer({ minimum: 1 })),
  tools: nullable(
    Type.Array(Tool, {
      maxItems: 256,
      description:
        "Tools of type `function` or `custom`, a `namespace` of these, or the caller's own `tool_search`; others are left out",
    }),
  ),
  tool_choice: nullable(ToolChoice),
  ...SETTINGS,
  stream: nullable(Type.Boolean()),
  store: nullable(Type.Boolean({ description: "If `false`, the response can be neither fetched nor continued from" })),
  previous_response_id: nullable(Type.String({ description: "Continues from that response, while the log has it unchanged" })),
  conversation: nullable(Type.Union([Type.String(), Type.Object({})], { description: "Refused: conversations are not stored" })),
  background: nullable(Type.Boolean({ description: "`true` is refused" })),
  prompt: nullable(Type.Object({}, { description: "Refused: prompts are not stored" })),
});
export type ResponsesBody = Static<typeof ResponsesBody>;

const Usage = Type.Object({
  input_tokens: Type.Integer(),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer(), cache_write_tokens: Type.Integer() }),
  output_tokens: Type.Integer(),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
});

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
    usage: Usage,
    svc: Svc,
  },
  { additionalProperties: true },
);

export const CompactionAnswer = Type.Object({
  id: Type.String(),
  object: Type.Literal("response.compaction"),
  created_at: Type.Integer(),
  output: Type.Array(Type.Object({ id: Type.String(), type: Type.Literal("compaction"), encrypted_content: Type.String() })),
  usage: Usage,
  svc: Svc,
});
