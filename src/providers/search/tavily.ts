/** Tavily: a search API with depth, domain lists and scores. */

import { bearer, type MediaEndpoint, type MediaRequest, sendForJson } from "../media/send-media-request.ts";
import type { SearchRequest, SearchResult } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { readScoredResults, toSearchResults } from "./search-results.ts";

export const tavily = (endpoint: MediaEndpoint) => ({
  search: async (request: SearchRequest, context: CallContext): Promise<SearchResult[]> =>
    toSearchResults(readScoredResults(await sendForJson(endpoint, buildTavily(endpoint, request), context)), request),
});

const buildTavily = (endpoint: MediaEndpoint, request: SearchRequest): MediaRequest => ({
  url: `${endpoint.baseUrl}/search`,
  headers: bearer(endpoint),
  json: {
    query: request.query,
    search_depth: request.depth,
    max_results: request.maxResults,
    ...(request.includeDomains.length > 0 && { include_domains: request.includeDomains }),
    ...(request.excludeDomains.length > 0 && { exclude_domains: request.excludeDomains }),
  },
});
