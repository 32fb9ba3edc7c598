/** The story of one ranking: the first configured upstream of the reranker that answers, or the gateway itself; the best come first. */

import type { Caller } from "../accounts/authenticate.ts";
import type { RerankModel } from "../catalog/media-models.ts";
import { type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { Ranked, RerankRequest, RerankResult } from "../providers/media-calls.ts";
import type { ReadTokens } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";
import { type Counted, countRanking, rankingNanoUsd } from "./price-ranking.ts";

export type RerankOrder = RerankRequest & { model: RerankModel; userId?: string; route: string; signal: AbortSignal };

export type RerankAnswer = {
  /** Best first. */
  ranked: Ranked[];
  model: string;
  tokens: ReadTokens;
  /** Of a reranker that is billed by them. */
  searchUnits?: number;
  costNanoUsd: number;
};

/** Throws 400, 403 or 503. */
export const rerank = (platform: Platform, caller: Caller, order: RerankOrder): Promise<Served<RerankAnswer>> => {
  const { model, query, documents, topN, userId, route, signal } = order;
  return servePromptCall(platform, caller, {
    route,
    model,
    texts: [query, ...documents],
    userId,
    asked: { documents: documents.length, top_n: topN },
    estimateNanoUsd: rankingNanoUsd(model, countRanking(model, order)),
    make: ({ prompt, texts: [, ...others], targets }) => {
      const request = { ...order, query: prompt, documents: others };
      return tryTargets(platform, {
        caller,
        signal,
        what: model.id,
        targets,
        service: "rerank",
        use: async (provider, target, context) =>
          toAnswer(model, request, await provider.rerank!(target.model, request, context), target.provider === "local"),
      });
    },
    settle: ({ ranked, tokens }) => ({
      outputText: ranked.map(({ index, score }) => `${index}: ${score}`).join("\n"),
      tokens,
    }),
  });
};

/** `isLocal`: the gateway itself stood in for a vendor, for nothing. */
const toAnswer = (model: RerankModel, request: RerankRequest, found: RerankResult, isLocal: boolean): RerankAnswer => {
  const estimate = countRanking(model, request);
  const counted: Counted = { tokens: found.tokens ?? estimate.tokens, searchUnits: found.searchUnits ?? estimate.searchUnits };
  return {
    ranked: found.ranked.toSorted((a, b) => b.score - a.score).slice(0, request.topN),
    model: model.id,
    tokens: { read: counted.tokens, source: found.tokens === undefined ? "estimated" : "provider" },
    ...(model.nanoUsdPerSearch > 0 && { searchUnits: counted.searchUnits }),
    costNanoUsd: isLocal ? 0 : rankingNanoUsd(model, counted),
  };
};
