/** `/v1/embeddings` as OpenAI's clients speak it: floats, or the base64 that their Node SDK asks for by itself. */

import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../lib/nullable.ts";
import { promptTokens } from "../providers/provider.ts";
import type { Embedded } from "./embed.ts";

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

export const toWireEmbeddings = ({ vectors, model, usage, svc }: Embedded, format: EmbeddingBody["encoding_format"]) => ({
  object: "list" as const,
  data: vectors.map((vector, index) => ({
    object: "embedding" as const,
    index,
    embedding: format === "base64" ? littleEndianBase64(vector) : Array.from(vector),
  })),
  model,
  usage: { prompt_tokens: promptTokens(usage), total_tokens: promptTokens(usage) },
  svc,
});

const littleEndianBase64 = (vector: Float32Array): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
};
