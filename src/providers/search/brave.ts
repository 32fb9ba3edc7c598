/** Brave: no scores, no domain lists, snippets with markup. */

import { listAt, textAt } from "../../lib/json-at.ts";
import { type MediaEndpoint, type MediaRequest, sendForJson, withVersion } from "../media/send-media-request.ts";
import type { SearchRequest, SearchResult } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { type RawResult, stripHtml, toSearchResults, withSiteOperators } from "./search-results.ts";

/** Most results that Brave returns at once. */
const LARGEST_PAGE = 20;

export const brave = (endpoint: MediaEndpoint) => ({
  search: async (request: SearchRequest, context: CallContext): Promise<SearchResult[]> =>
    toSearchResults(parseBrave(await sendForJson(endpoint, buildBrave(endpoint, request), context), request), request),
});

const buildBrave = (endpoint: MediaEndpoint, request: SearchRequest): MediaRequest => {
  // Filtering by domain afterwards needs spare results; a deeper search asks for further snippets of each page.
  const filtered = request.includeDomains.length + request.excludeDomains.length > 0;
  const query = new URLSearchParams({
    q: withSiteOperators(request),
    count: String(filtered ? LARGEST_PAGE : request.maxResults),
    ...(request.depth === "advanced" && { extra_snippets: "true" }),
  });
  return {
    url: `${withVersion(endpoint.baseUrl, "/res/v1")}/web/search?${query}`,
    headers: { "x-subscription-token": endpoint.key ?? "", accept: "application/json" },
  };
};

const parseBrave = (json: unknown, request: SearchRequest): RawResult[] =>
  listAt(json, "web", "results").flatMap((row): RawResult[] => {
    const url = textAt(row, "url");
    if (url === "") return [];
    const extra = request.depth === "advanced" ? listAt(row, "extra_snippets").map((text) => textAt(text)) : [];
    const content = [textAt(row, "description"), ...extra].map(stripHtml).filter(Boolean).join("\n");
    return [{ title: stripHtml(textAt(row, "title") || url), url, content }];
  });
