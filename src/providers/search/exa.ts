/** Exa: search by meaning, with domain lists and scores; returns text or highlights. */

import { textAt } from "../../lib/json-at.ts";
import { type Adapter, sendForJson, vendorApi } from "../media/send-media-request.ts";
import type { SearchRequest } from "../media-calls.ts";
import { readScoredResults, toSearchResults } from "./search-results.ts";

const BASIC_CHARACTERS = 800;
const ADVANCED_CHARACTERS = 3_000;

export const exa: Adapter<"search"> = (endpoint) => {
  const api = vendorApi(endpoint, "", { "x-api-key": endpoint.key });
  return {
    search: async (request, context) => {
      const json = await sendForJson(api, { url: "/search", json: bodyOf(request) }, context);
      return toSearchResults(readScoredResults(json, contentOf), request);
    },
  };
};

const bodyOf = ({ query, depth, maxResults, includeDomains, excludeDomains }: SearchRequest) => ({
  query,
  numResults: maxResults,
  ...(includeDomains.length > 0 && { includeDomains }),
  ...(excludeDomains.length > 0 && { excludeDomains }),
  contents: { text: { maxCharacters: depth === "advanced" ? ADVANCED_CHARACTERS : BASIC_CHARACTERS } },
});

const contentOf = (row: unknown): string => textAt(row, "text") || textAt(row, "summary") || textAt(row, "highlights", 0);
