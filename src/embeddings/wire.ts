/** `POST /v1/embeddings` as OpenAI's clients ask it. */

import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../lib/nullable.ts";

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
  encoding_format: nullable(Type.Union([Type.Literal("float"), Type.Literal("base64")])),
  user: nullable(Type.String({ maxLength: 512 })),
});
export type EmbeddingBody = Static<typeof EmbeddingBody>;
