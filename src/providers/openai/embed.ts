/** Embeddings in OpenAI's form. */

import { listAt, recordAt, valueAt } from "../../lib/json-at.ts";
import { countOf, firstCount } from "../dialect/token-counts.ts";
import type { EmbedCall } from "../dialect/wire-dialect.ts";
import type { EmbeddingInput, EmbeddingResult } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";

export const buildOpenAiEmbedding = (
  model: string,
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
): EmbedCall => ({
  path: "/embeddings",
  // Numbers are every server's default; Voyage refuses them by name.
  body: { model, input: inputs, dimensions },
});

/** Gap: if a provider reports no token count, four characters count as one token. */
export const estimatedTokens = (inputs: readonly EmbeddingInput[]): number =>
  inputs.reduce((sum, input) => sum + (typeof input === "string" ? Math.ceil(input.length / 4) : input.length), 0);

/**
 * Checks that there are as many vectors as inputs, all of one length, and that all numbers fit a float32; anything else would be stored as
 * if it were valid.
 */
export const checkedVectors = (vectors: unknown[], inputs: readonly unknown[], provider: string): number[][] => {
  const dimensions = listAt(vectors, 0).length;
  const isVector = (value: unknown): value is number[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length === dimensions &&
    value.every((number) => typeof number === "number" && Number.isFinite(Math.fround(number)));
  if (vectors.length !== inputs.length || !vectors.every(isVector)) {
    throw brokenAnswer("server", provider);
  }
  return vectors;
};

/** Some servers answer in base64 whatever was requested: little-endian float32, as the official clients want it. */
const numbersOf = (embedding: unknown): unknown => {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  return bytes.length % 4 === 0
    ? Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatLE(place * 4))
    : embedding;
};

const orderOf = (entry: unknown, place: number): number => countOf(valueAt(entry, "index")) ?? place;

export const parseOpenAiEmbedding = (body: unknown, inputs: readonly EmbeddingInput[], provider: string): EmbeddingResult => {
  const ordered = listAt(body, "data")
    .map((entry, place) => ({ entry, order: orderOf(entry, place) }))
    .sort((a, b) => a.order - b.order);
  const vectors = ordered.map(({ entry }) => numbersOf(valueAt(entry, "embedding")));
  return {
    vectors: checkedVectors(vectors, inputs, provider),
    inputTokens: firstCount(recordAt(body, "usage"), "prompt_tokens", "total_tokens") ?? estimatedTokens(inputs),
  };
};
