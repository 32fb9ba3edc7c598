/** Brave: no scores, no domain lists, snippets with markup. */

import { listAt, textAt } from "../../lib/json-at.ts";
import { type Adapter, sendForJson, vendorApi } from "../media/send-media-request.ts";
import type { SearchRequest } from "../media-calls.ts";
import { type RawResult, stripHtml, toSearchResults, withSiteOperators } from "./search-results.ts";

/** Most results that Brave returns at once. */
const LARGEST_PAGE = 20;

export const brave: Adapter<"search"> = (endpoint) => {
  const api = vendorApi(endpoint, "/res/v1", { "x-subscription-token": endpoint.key, accept: "application/json" });
  return {
    search: async (request, context) => {
      const json = await sendForJson(api, { url: `/web/search?${queryOf(request)}` }, context);
      return toSearchResults(parseBrave(json, request), request);
    },
  };
};

const queryOf = (request: SearchRequest): URLSearchParams => {
  // Filtering by domain afterwards needs spare results; a deeper search asks for further snippets of each page.
  const filtered = request.includeDomains.length + request.excludeDomains.length > 0;
  return new URLSearchParams({
    q: withSiteOperators(request),
    count: String(filtered ? LARGEST_PAGE : request.maxResults),
    ...(request.depth === "advanced" && { extra_snippets: "true" }),
  });
};

const parseBrave = (json: unknown, request: SearchRequest): RawResult[] =>
  listAt(json, "web", "results").flatMap((row): RawResult[] => {
    const url = textAt(row, "url");
    if (url === "") return [];
    const extra = request.depth === "advanced" ? listAt(row, "extra_snippets").map((text) => textAt(text)) : [];
    const content = [textAt(row, "description"), ...extra].map(stripHtml).filter(Boolean).join("\n");
    return [{ title: stripHtml(textAt(row, "title") || url), url, content }];
  });
