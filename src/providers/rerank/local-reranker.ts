/** The reranker that is always there: texts are scored as document search scores its passages, on this machine and for nothing. */

import { CHARACTERS_PER_TOKEN } from "../../lib/guess-tokens.ts";
import type { Provider } from "../provider.ts";

/** 0-1 for each text. */
export type ScoreTexts = (query: string, texts: readonly string[], signal: AbortSignal) => Promise<number[]>;

export const localReranker = (scoreTexts: ScoreTexts): Required<Pick<Provider, "rerank">> => ({
  rerank: async (_model, { query, documents, maxTokensPerDocument }, { signal }) => {
    const read = documents.map((text) => text.slice(0, maxTokensPerDocument * CHARACTERS_PER_TOKEN));
    const scores = await scoreTexts(query, read, signal);
    return { ranked: scores.map((score, index) => ({ index, score })) };
  },
});
