/** Embedding models. Prices as of `PRICES_AS_OF` in chat-models.ts, from the vendors' price pages. */

import type { EmbeddingModel } from "./model.ts";
import { nanoUsdPerToken } from "./price.ts";

/** The encoder inside the executable: always there, free, no traffic. */
const LOCAL_EMBEDDING_ID = "embed-local";

export const EMBEDDING_MODELS: readonly EmbeddingModel[] = [
  embedding("openai", "text-embedding-3-small", "Text Embedding 3 Small", 1536, 8191, 0.02),
  embedding("openai", "text-embedding-3-large", "Text Embedding 3 Large", 3072, 8191, 0.13),
  // The default of LangChain for Python; its size is fixed.
  embedding("openai", "text-embedding-ada-002", "Text Embedding Ada 002", 1536, 8191, 0.1),
  embedding("google", "gemini-embedding-2", "Gemini Embedding 2", 3072, 8192, 0.2),
  embedding("google", "gemini-embedding-001", "Gemini Embedding 001", 3072, 2048, 0.15),
  embedding("mistral", "mistral-embed", "Mistral Embed", 1024, 8192, 0.1),
  // The encoder pools any length; the bound keeps one input's tokenizing short.
  embedding("local", LOCAL_EMBEDDING_ID, "Local encoder", 256, 8192, 0),
];

function embedding(
  provider: string,
  id: string,
  name: string,
  dimensions: number,
  maxInputTokens: number,
  usdPerMillion: number,
): EmbeddingModel {
  return {
    id,
    provider,
    upstreamModel: id,
    name,
    dimensions,
    maxInputTokens,
    inputNanoUsd: nanoUsdPerToken(usdPerMillion),
  };
}
