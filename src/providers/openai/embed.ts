/** Embeddings in OpenAI's form. */

import { listAt, recordAt, valueAt } from "../../lib/json-at.ts";
import { countOf, firstCount } from "../dialect/token-counts.ts";
import type { EmbedCall, ParsedEmbedding } from "../dialect/wire-dialect.ts";
import type { EmbeddingInput } from "../provider.ts";

export const buildOpenAiEmbedding = (
  model: string,
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
): EmbedCall => ({
  path: "/embeddings",
  // Numbers are every server's default; Voyage refuses them by name.
  body: { model, input: inputs, dimensions },
});

/** Some servers answer in base64 whatever was requested: little-endian float32, as the official clients want it. */
const numbersOf = (embedding: unknown): unknown => {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  return bytes.length % 4 === 0
    ? Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatLE(place * 4))
    : embedding;
};

const orderOf = (entry: unknown, place: number): number => countOf(valueAt(entry, "index")) ?? place;

export const parseOpenAiEmbedding = (body: unknown): ParsedEmbedding => {
  const ordered = listAt(body, "data")
    .map((entry, place) => ({ entry, order: orderOf(entry, place) }))
    .sort((a, b) => a.order - b.order);
  return {
    vectors: ordered.map(({ entry }) => numbersOf(valueAt(entry, "embedding"))),
    // No vector comes of no tokens: servers that do not count (LM Studio) report zero.
    inputTokens: firstCount(recordAt(body, "usage"), "prompt_tokens", "total_tokens") || undefined,
  };
};
