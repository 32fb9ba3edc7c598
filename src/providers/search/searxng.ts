/** SearXNG, a self-hosted metasearch engine: usually no key, unbounded scores, JSON only if its operator allows it. */

import { type Adapter, bearer, sendForJson, vendorApi } from "../media/send-media-request.ts";
import { UpstreamError } from "../upstream-error.ts";
import { readScoredResults, toSearchResults, withSiteOperators } from "./search-results.ts";

export const searxng: Adapter<"search"> = (endpoint) => {
  const api = vendorApi(endpoint, "", { accept: "application/json", ...bearer(endpoint) });
  return {
    search: async (request, context) => {
      const query = new URLSearchParams({ q: withSiteOperators(request), format: "json" });
      try {
        return toSearchResults(readScoredResults(await sendForJson(api, { url: `/search?${query}` }, context)), request);
      } catch (error) {
        // Without its own words ("Forbidden"), which the log would show in place of ours.
        if (error instanceof UpstreamError && error.details.status === 403)
          throw new UpstreamError("auth", "SearXNG refuses JSON: add `json` to `search.formats` in its settings.", {
            status: 403,
          });
        throw error;
      }
    },
  };
};
