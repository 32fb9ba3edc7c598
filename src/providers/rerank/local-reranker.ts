/** The reranker that is always there: texts are scored as document search scores its passages, on this machine and for nothing. */

import type { Provider } from "../provider.ts";

/** 0-1 for each text. */
export type ScoreTexts = (query: string, texts: readonly string[], signal: AbortSignal) => Promise<number[]>;

/** One document is scored without a pause in which others have their turn. */
const MOST_TOKENS = 8_192;
/** Gap: a document is cut after so many for each token that is read of it. */
const CHARACTERS_PER_TOKEN = 4;

export const localReranker = (scoreTexts: ScoreTexts): Required<Pick<Provider, "rerank">> => ({
  rerank: async (_model, { query, documents, maxTokensPerDocument }, { signal }) => {
    const longest = Math.min(maxTokensPerDocument, MOST_TOKENS) * CHARACTERS_PER_TOKEN;
    const read = documents.map((text) => text.slice(0, longest));
    const scores = await scoreTexts(query, read, signal);
    return { ranked: scores.map((score, index) => ({ index, score })) };
  },
});
