/** Embeddings by Ollama's /api/embed. */

import { recordAt } from "../../lib/json-at.ts";
import { firstCount } from "../dialect/token-counts.ts";
import type { EmbedCall } from "../dialect/wire-dialect.ts";
import { checkedVectors, estimatedTokens } from "../openai/embed.ts";
import type { EmbeddingInput, EmbeddingResult } from "../provider.ts";

export const buildOllamaEmbedding = (
  model: string,
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
): EmbedCall => ({
  path: "/api/embed",
  body: { model, input: inputs, truncate: false, dimensions },
});

export const parseOllamaEmbedding = (body: unknown, inputs: readonly EmbeddingInput[], provider: string): EmbeddingResult => {
  const record = recordAt(body);
  return {
    vectors: checkedVectors(Array.isArray(record["embeddings"]) ? record["embeddings"] : [], inputs, provider),
    inputTokens: firstCount(record, "prompt_eval_count") ?? estimatedTokens(inputs),
  };
};
