/** What a ranking is estimated to cost, before it is made and where the upstream does not say what it counted. */

import type { RerankModel } from "../catalog/media-models.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import type { RerankRequest } from "../providers/media-calls.ts";

/** Cohere's search: a query with up to 100 documents, where a longer document counts once for each so many tokens with the query. */
const DOCUMENTS_PER_SEARCH = 100;
const TOKENS_PER_DOCUMENT = 500;

export type Counted = { tokens: number; searchUnits: number };

/** Rerankers read the query once for each document, and vendors bill it so. Those that bill tokens take no bound for a document. */
export const countRanking = (model: RerankModel, { query, documents, maxTokensPerDocument }: RerankRequest): Counted => {
  const most = model.nanoUsdPerToken > 0 ? Number.POSITIVE_INFINITY : maxTokensPerDocument;
  const queryTokens = estimateTokens(query);
  const pairs = documents.map((text) => queryTokens + Math.min(most, estimateTokens(text)));
  const pieces = pairs.reduce((sum, tokens) => sum + Math.ceil(tokens / TOKENS_PER_DOCUMENT), 0);
  return { tokens: pairs.reduce((sum, tokens) => sum + tokens, 0), searchUnits: Math.ceil(pieces / DOCUMENTS_PER_SEARCH) };
};

export const rankingNanoUsd = (model: RerankModel, { tokens, searchUnits }: Counted): number =>
  Math.ceil(model.nanoUsdPerSearch * searchUnits + model.nanoUsdPerToken * tokens);
