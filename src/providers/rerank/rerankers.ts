/**
 * Rerankers: Jina's format, which vLLM, llama.cpp, Infinity, LocalAI, OpenRouter, Together and others share (`POST /v1/rerank`), and what Cohere
 * (`POST /v2/rerank`) and Voyage (`top_k`, `data`) do otherwise. By their API references.
 */

import { numberAt, recordsAt, valueAt } from "../../lib/json-at.ts";
import { countOf } from "../dialect/token-counts.ts";
import { emptyAnswer } from "../media/media-error.ts";
import { type Adapter, bearer, type MediaEndpoint, sendForJson, vendorApi } from "../media/send-media-request.ts";
import type { Ranked, RerankRequest, RerankResult } from "../media-calls.ts";

type Dialect = {
  baseUrl(endpoint: MediaEndpoint): string;
  options(request: RerankRequest): Record<string, unknown>;
};

const reranker =
  ({ baseUrl, options }: Dialect): Adapter<"rerank"> =>
  (endpoint) => {
    const api = vendorApi({ ...endpoint, baseUrl: baseUrl(endpoint) }, "", bearer(endpoint));
    return {
      rerank: async (model, request, context) => {
        const { query, documents } = request;
        const json = { model, query, documents, ...options(request) };
        return readRanking(await sendForJson(api, { url: "/rerank", json }, context), documents.length);
      },
    };
  };

/** Jina sends the documents back unless told not to. */
export const rerank = reranker({
  baseUrl: ({ baseUrl }) => baseUrl,
  options: ({ topN }) => ({ top_n: topN, return_documents: false }),
});

export const voyageRerank = reranker({ baseUrl: ({ baseUrl }) => baseUrl, options: ({ topN }) => ({ top_k: topN }) });

/** Cohere's base URL is that of its endpoints in OpenAI's format, or the one that its own SDK takes. */
export const cohereRerank = reranker({
  baseUrl: ({ baseUrl }) => `${baseUrl.replace(/(?:\/compatibility)?\/v[12]$/, "")}/v2`,
  options: ({ topN, maxTokensPerDocument }) => ({ top_n: topN, max_tokens_per_doc: maxTokensPerDocument }),
});

/** Throws UpstreamError for an answer that ranks nothing, or something that was not sent. */
const readRanking = (json: unknown, count: number): RerankResult => {
  const rows = [...recordsAt(json, "results"), ...recordsAt(json, "data")];
  const found = rows.map((row) => ({ index: numberAt(row, "index"), score: numberAt(row, "relevance_score") }));
  const isRanked = ({ index, score }: (typeof found)[number]): boolean =>
    score !== undefined && Number.isInteger(index) && index! >= 0 && index! < count;
  const isEachOnce = new Set(found.map(({ index }) => index)).size === found.length;
  if (found.length === 0 || !isEachOnce || !found.every(isRanked)) throw emptyAnswer("ranking of the documents");
  const tokens = countAt(json, "usage", "total_tokens") ?? countAt(json, "meta", "tokens", "input_tokens");
  const searchUnits = countAt(json, "meta", "billed_units", "search_units") ?? countAt(json, "usage", "search_units");
  return {
    ranked: withinOne(found as Ranked[]),
    ...(tokens !== undefined && { tokens }),
    ...(searchUnits !== undefined && { searchUnits }),
  };
};

/** No text has no tokens: a server that says so has not counted. */
const countAt = (json: unknown, ...path: string[]): number | undefined => countOf(valueAt(json, ...path)) || undefined;

/** Rounding takes a cosine beyond 1 by less. */
const BEYOND_COSINES = 1.001;

/**
 * Gap: scores well beyond ±1 are log-odds (llama.cpp), of which the share is taken; a cosine below 0 (Jina) counts as 0. Best first, since
 * such scores may become equal.
 */
const withinOne = (ranked: readonly Ranked[]): Ranked[] => {
  const isLogOdds = ranked.some(({ score }) => Math.abs(score) > BEYOND_COSINES);
  const share = (score: number): number => (isLogOdds ? 1 / (1 + Math.exp(-score)) : Math.min(1, Math.max(0, score)));
  return ranked.toSorted((a, b) => b.score - a.score).map(({ index, score }) => ({ index, score: share(score) }));
};
