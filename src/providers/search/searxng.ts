/** SearXNG, a self-hosted metasearch engine: usually no key, unbounded scores, JSON only if its operator allows it. */

import { bearer, type MediaEndpoint, type MediaRequest, sendForJson } from "../media/send-media-request.ts";
import type { SearchRequest, SearchResult } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { readScoredResults, toSearchResults, withSiteOperators } from "./search-results.ts";

export const searxng = (endpoint: MediaEndpoint) => ({
  search: async (request: SearchRequest, context: CallContext): Promise<SearchResult[]> => {
    try {
      return toSearchResults(readScoredResults(await sendForJson(endpoint, buildSearxng(endpoint, request), context)), request);
    } catch (error) {
      if (error instanceof UpstreamError && error.details.status === 403)
        throw new UpstreamError("auth", "SearXNG refuses JSON: add `json` to `search.formats` in its settings.", error.details);
      throw error;
    }
  },
});

const buildSearxng = (endpoint: MediaEndpoint, request: SearchRequest): MediaRequest => ({
  url: `${endpoint.baseUrl}/search?${new URLSearchParams({ q: withSiteOperators(request), format: "json" })}`,
  headers: { accept: "application/json", ...bearer(endpoint) },
});
