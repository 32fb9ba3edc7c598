/** Embeddings by Ollama's /api/embed. */

import { listAt, recordAt } from "../../lib/json-at.ts";
import { firstCount } from "../dialect/token-counts.ts";
import type { EmbedCall, ParsedEmbedding } from "../dialect/wire-dialect.ts";
import type { EmbeddingInput } from "../provider.ts";

export const buildOllamaEmbedding = (
  model: string,
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
): EmbedCall => ({
  path: "/api/embed",
  body: { model, input: inputs, truncate: false, dimensions },
});

export const parseOllamaEmbedding = (body: unknown): ParsedEmbedding => ({
  vectors: listAt(body, "embeddings"),
  inputTokens: firstCount(recordAt(body), "prompt_eval_count"),
});
