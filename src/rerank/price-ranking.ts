/** What a ranking is estimated to cost, before it is made and where the upstream does not say what it counted. */

import type { RerankModel } from "../catalog/media-models.ts";
import type { RerankRequest } from "../providers/media-calls.ts";

/** Gap: as many characters count as one token, as for embeddings whose provider does not count them. */
const CHARACTERS_PER_TOKEN = 4;
/** Cohere's search: a query with up to 100 documents, where a longer document counts once for each so many tokens with the query. */
const DOCUMENTS_PER_SEARCH = 100;
const TOKENS_PER_DOCUMENT = 500;

export type Counted = { tokens: number; searchUnits: number };

/** Rerankers read the query once for each document, and vendors bill it so. */
export const countRanking = ({ query, documents, maxTokensPerDocument }: Omit<RerankRequest, "topN">): Counted => {
  const queryTokens = tokensOf(query);
  const pairs = documents.map((text) => queryTokens + Math.min(maxTokensPerDocument, tokensOf(text)));
  const pieces = pairs.reduce((sum, tokens) => sum + Math.ceil(tokens / TOKENS_PER_DOCUMENT), 0);
  return { tokens: pairs.reduce((sum, tokens) => sum + tokens, 0), searchUnits: Math.ceil(pieces / DOCUMENTS_PER_SEARCH) };
};

const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

export const rankingNanoUsd = (model: RerankModel, { tokens, searchUnits }: Counted): number =>
  Math.ceil(model.nanoUsdPerSearch * searchUnits + model.nanoUsdPerToken * tokens);
