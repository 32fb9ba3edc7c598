/** Exa: search by meaning, with domain lists and scores; returns text or highlights. */

import { textAt } from "../../lib/json-at.ts";
import { type MediaEndpoint, type MediaRequest, sendForJson } from "../media/send-media-request.ts";
import type { SearchRequest, SearchResult } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { readScoredResults, toSearchResults } from "./search-results.ts";

const BASIC_CHARACTERS = 800;
const ADVANCED_CHARACTERS = 3_000;

export const exa = (endpoint: MediaEndpoint) => ({
  search: async (request: SearchRequest, context: CallContext): Promise<SearchResult[]> =>
    toSearchResults(readScoredResults(await sendForJson(endpoint, buildExa(endpoint, request), context), contentOf), request),
});

const buildExa = (endpoint: MediaEndpoint, request: SearchRequest): MediaRequest => ({
  url: `${endpoint.baseUrl}/search`,
  headers: { "x-api-key": endpoint.key ?? "" },
  json: {
    query: request.query,
    numResults: request.maxResults,
    ...(request.includeDomains.length > 0 && { includeDomains: request.includeDomains }),
    ...(request.excludeDomains.length > 0 && { excludeDomains: request.excludeDomains }),
    contents: { text: { maxCharacters: request.depth === "advanced" ? ADVANCED_CHARACTERS : BASIC_CHARACTERS } },
  },
});

const contentOf = (row: unknown): string => textAt(row, "text") || textAt(row, "summary") || textAt(row, "highlights", 0);
