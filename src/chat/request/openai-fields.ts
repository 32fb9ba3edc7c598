/** Fields with one meaning in chat completions and in the Responses API. */

import { type Static, type TObject, Type } from "@sinclair/typebox";
import { invalidRequest } from "../../api-error.ts";
import { given } from "../../lib/given.ts";
import { nullable } from "../../lib/nullable.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { ChatRequest, OutputFormat } from "../../providers/provider.ts";
import type { ChatInput } from "./chat-input.ts";
import { OWN_FIELDS, type OwnInput, readOwnFields } from "./own-fields.ts";

export const OPENAI_FIELDS = {
  model: nullable(Type.String({ description: "`auto` or absent: the router chooses; a catalog id pins that model" })),
  ...OWN_FIELDS,
  temperature: nullable(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  parallel_tool_calls: nullable(Type.Boolean()),
  user: nullable(
    Type.String({
      maxLength: BOUNDS.nameCharacters,
      description: "The user who makes the call; logs can be filtered and deleted by it",
    }),
  ),
  safety_identifier: nullable(
    Type.String({ maxLength: BOUNDS.nameCharacters, description: "What vendors are told of the user, where `user` is absent" }),
  ),
  metadata: nullable(
    Type.Record(Type.String(), Type.String({ maxLength: BOUNDS.nameCharacters }), {
      description: "Stored with the call as `custom`",
    }),
  ),
  prompt_cache_key: nullable(
    Type.String({
      maxLength: BOUNDS.nameCharacters,
      description: "The same for calls whose prompts begin alike; passed on if one of OpenAI's or Mistral's models answers",
    }),
  ),
};
type OpenAiBody = Static<TObject<typeof OPENAI_FIELDS>>;

/** Throws 400 with `param` `metadata`. */
export const readOpenAiFields = (body: OpenAiBody): OwnInput & Pick<ChatInput, "pinnedModel" | "userId" | "custom"> => {
  const { model, user, metadata } = body;
  return {
    ...readOwnFields(body),
    ...given({
      pinnedModel: model === "auto" ? null : model || null,
      userId: user || metadata?.["user_id"] || null,
      custom: metadata && checkMetadata(metadata),
    }),
  };
};

type Asked = Pick<ChatRequest, "temperature" | "topP" | "parallelToolCalls" | "user" | "cacheKey">;

export const readOpenAiRequest = (body: OpenAiBody): Asked =>
  given({
    temperature: body.temperature,
    topP: body.top_p,
    parallelToolCalls: body.parallel_tool_calls,
    user: body.user || body.safety_identifier || null,
    cacheKey: body.prompt_cache_key || null,
  });

type WireSchema = {
  name?: string | null;
  description?: string | null | undefined;
  schema?: Record<string, unknown>;
  strict?: boolean | null | undefined;
};

/** Without a schema any JSON will do. Only OpenAI has a place for a description beside it, so that becomes the schema's own. */
export const schemaFormat = ({ name, description, schema = {}, strict }: WireSchema): OutputFormat => ({
  type: "schema",
  name: name ?? "answer",
  schema: description ? { description, ...schema } : schema,
  strict: strict ?? false,
});

/** It is returned with every page of the log, so it is bounded like a document's. */
const MOST_METADATA_CHARACTERS = 16_384;

const checkMetadata = (metadata: Record<string, string>): Record<string, string> => {
  if (JSON.stringify(metadata).length > MOST_METADATA_CHARACTERS)
    throw invalidRequest(`\`metadata\` may have at most ${MOST_METADATA_CHARACTERS} characters as JSON.`, "metadata");
  return metadata;
};
