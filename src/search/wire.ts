/** `POST /v1/tools/search` on the wire (spec.md "Web search"). */

import { type Static, Type } from "@sinclair/typebox";
import { USER_FIELDS, userInBody } from "../http/user-in-body.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import type { Served } from "../media/serve-prompt-call.ts";
import { MOST_DOMAINS, readDomains } from "./read-domains.ts";
import type { SearchAnswer, SearchOrder } from "./search-web.ts";

const LONGEST_QUERY = 2_000;
const USUAL_RESULTS = 5;
const USUAL_DEPTH = "basic";
const Domains = nullable(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: MOST_DOMAINS }));

export const WebSearch = Type.Object({
  query: boundedText({ minLength: 1, maxLength: LONGEST_QUERY, pattern: "\\S" }),
  max_results: nullable(Type.Integer({ minimum: 1, maximum: 10, default: USUAL_RESULTS })),
  search_depth: nullable(oneOf(["basic", "advanced"], { default: USUAL_DEPTH })),
  include_domains: Domains,
  exclude_domains: Domains,
  ...USER_FIELDS,
});

export const WebSearchResult = Type.Object({
  results: Type.Array(
    Type.Object({
      title: Type.String(),
      url: Type.String(),
      content: Type.String(),
      relevance_score: Type.Number({ minimum: 0, maximum: 1 }),
    }),
  ),
  metadata: Type.Object({ provider: Type.String(), latency_ms: Type.Integer(), cost_usd: Type.Number() }),
});

/** Throws 400 with `param`. */
export const toSearchOrder = (body: Static<typeof WebSearch>): Omit<SearchOrder, "signal" | "route"> => ({
  query: body.query,
  maxResults: body.max_results ?? USUAL_RESULTS,
  depth: body.search_depth ?? USUAL_DEPTH,
  includeDomains: readDomains(body.include_domains, "include_domains"),
  excludeDomains: readDomains(body.exclude_domains, "exclude_domains"),
  ...userInBody(body),
});

export const toWireSearch = (answer: Served<SearchAnswer>): Static<typeof WebSearchResult> => ({
  results: answer.results.map(({ title, url, content, relevanceScore }) => ({
    title,
    url,
    content,
    relevance_score: relevanceScore,
  })),
  metadata: { provider: answer.provider, latency_ms: answer.latencyMs, cost_usd: toUsd(answer.costNanoUsd) },
});
