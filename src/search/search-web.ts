/** The story of one web search: the first configured engine that answers, at the tier's price. */

import type { Caller } from "../accounts/authenticate.ts";
import { searchTargetsOf } from "../catalog/media-targets.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import { type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { SearchRequest, SearchResult } from "../providers/media-calls.ts";
import { readSearchOrder } from "../providers/stored-settings.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";

export type SearchOrder = SearchRequest & { userId?: string; route: string; signal: AbortSignal };
export type SearchAnswer = { results: SearchResult[]; provider: string; costNanoUsd: number };

/** The rate limit was applied at admission; throws 400 or 503. */
export const searchWeb = (platform: Platform, caller: Caller, order: SearchOrder): Promise<Served<SearchAnswer>> => {
  const price = TIER_LIMITS[caller.project.tier].searchPriceNanoUsd;
  const { route, signal, userId, ...request } = order;
  return servePromptCall(platform, caller, {
    model: { kind: "search", id: "web-search" },
    route,
    texts: [order.query],
    userId,
    asked: {
      max_results: order.maxResults,
      search_depth: order.depth,
      include_domains: order.includeDomains,
      exclude_domains: order.excludeDomains,
    },
    estimateNanoUsd: price,
    make: ({ prompt: query }) =>
      tryTargets(platform, {
        caller,
        signal,
        what: "web search",
        targets: searchTargetsOf({ search: platform.config.file.search ?? readSearchOrder(platform.db) }),
        service: "search",
        use: async (provider, target, context) => ({
          results: await provider.search!({ ...request, query }, context),
          // With a test key the sandbox answers, and the answer says so.
          provider: caller.mode === "test" ? "sandbox" : target.provider,
          costNanoUsd: price,
        }),
      }),
    settle: ({ results }) => ({ outputText: results.map(({ url }) => url).join("\n") }),
  });
};
