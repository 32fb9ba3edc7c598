/** `POST /v1/embeddings` in OpenAI's format. */

import { type Static, Type } from "@sinclair/typebox";
import { USER_FIELDS } from "../http/user-in-body.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";

const Tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });

export const EmbeddingBody = Type.Object({
  model: nullable(Type.String({ description: "auto, embed-local, or a catalog id" })),
  input: Type.Union([
    Type.String({ minLength: 1 }),
    Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2048 }),
    Tokens,
    Type.Array(Tokens, { minItems: 1, maxItems: 2048 }),
  ]),
  dimensions: nullable(Type.Integer({ minimum: 1, maximum: 8192 })),
  encoding_format: nullable(oneOf(["float", "base64"])),
  ...USER_FIELDS,
});
export type EmbeddingBody = Static<typeof EmbeddingBody>;

/** The answer: OpenAI's format with `svc`. */
export const Embeddings = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(
    Type.Object({
      object: Type.Literal("embedding"),
      index: Type.Integer(),
      embedding: Type.Union([Type.Array(Type.Number()), Type.String({ description: "base64 of little-endian float32" })]),
    }),
  ),
  model: Type.String(),
  usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
  svc: Type.Object({
    request_id: Type.String(),
    model_selected: Type.String(),
    cost_usd: Type.Number(),
    latency_ms: Type.Integer(),
  }),
});
