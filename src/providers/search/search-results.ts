/** Normalises every search engine's answer: filters domains by suffix, brings scores to 0-1, cuts to the number requested. */

import { isRecord } from "../../lib/is-record.ts";
import { numberAt, textAt } from "../../lib/json-at.ts";
import { toFourDecimals } from "../../lib/round.ts";
import type { SearchRequest, SearchResult } from "../media-calls.ts";
import { UpstreamError } from "../upstream-error.ts";

/** `relevanceScore` may be absent (the rank then decides) or unbounded (the best of the answer then counts as 1). */
export type RawResult = { title: string; url: string; content: string; relevanceScore?: number };

/**
 * Reads `{ results: [{ title, url, score, … }] }`, the usual form. Rows without a URL are left out. Throws if there is no list: an empty
 * list is an answer, a missing one is an error sent as a success.
 */
export const readScoredResults = (json: unknown, contentOf = (row: unknown): string => textAt(row, "content")): RawResult[] => {
  if (!isRecord(json) || !Array.isArray(json["results"]))
    throw new UpstreamError("server", "The search engine sent an answer without results.");
  return json["results"].flatMap((row): RawResult[] => {
    const url = textAt(row, "url");
    const score = numberAt(row, "score");
    if (url === "") return [];
    const title = textAt(row, "title") || url;
    return [{ title, url, content: contentOf(row), ...(score !== undefined && { relevanceScore: score }) }];
  });
};

export const toSearchResults = (rows: readonly RawResult[], request: SearchRequest): SearchResult[] => {
  const wanted = rows.filter((row) => isWanted(row.url, request));
  const best = Math.max(1, ...wanted.map((row) => row.relevanceScore ?? 0));
  return wanted
    .map((row, rank) => ({
      ...row,
      relevanceScore: toFourDecimals(Math.max(0, (row.relevanceScore ?? scoreOfRank(rank)) / best)),
    }))
    .slice(0, request.maxResults);
};

/** For engines without scores: 1 for the first result, less for later ones. */
const scoreOfRank = (rank: number): number => 1 / (1 + rank * 0.15);

const isWanted = (url: string, request: SearchRequest): boolean => {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return false;
  const within = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  if (request.excludeDomains.some(within)) return false;
  return request.includeDomains.length === 0 || request.includeDomains.some(within);
};

/** The query with operators that all engines know, for engines without domain lists. */
export const withSiteOperators = (request: SearchRequest): string => {
  const include = request.includeDomains.map((domain) => `site:${domain}`).join(" OR ");
  const exclude = request.excludeDomains.map((domain) => `-site:${domain}`).join(" ");
  return [request.query, include === "" ? "" : request.includeDomains.length > 1 ? `(${include})` : include, exclude]
    .filter(Boolean)
    .join(" ");
};

/** Some engines send snippets as HTML: removes tags, and replaces the common entities. */
export const stripHtml = (html: string): string =>
  html
    .replace(/<[^<>]{0,200}>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#x27;", "'")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&")
    .trim();
