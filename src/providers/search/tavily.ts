/** Tavily: a search API with depth, domain lists and scores. */

import { type Adapter, bearer, sendForJson, vendorApi } from "../media/send-media-request.ts";
import type { SearchRequest } from "../media-calls.ts";
import { readScoredResults, toSearchResults } from "./search-results.ts";

export const tavily: Adapter<"search"> = (endpoint) => {
  const api = vendorApi(endpoint, "", bearer(endpoint));
  return {
    search: async (request, context) => {
      const json = await sendForJson(api, { url: "/search", json: bodyOf(request) }, context);
      return toSearchResults(readScoredResults(json), request);
    },
  };
};

const bodyOf = ({ query, depth, maxResults, includeDomains, excludeDomains }: SearchRequest) => ({
  query,
  search_depth: depth,
  max_results: maxResults,
  ...(includeDomains.length > 0 && { include_domains: includeDomains }),
  ...(excludeDomains.length > 0 && { exclude_domains: excludeDomains }),
});
