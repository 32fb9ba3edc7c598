/** Web pages that a searching model cites, wherever its vendor puts them. */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, numberAt, recordsAt, textAt } from "../../lib/json-at.ts";
import type { Citation } from "../provider.ts";

/** More than any honest answer has. */
const MOST = 200;

const citationOf = (url: string, title: string, start = 0, end = 0): Citation[] =>
  /^https?:\/\//.test(url) ? [{ url, title: title || url, start, end }] : [];

/** Citations beside the text, each with its position (OpenAI, OpenRouter; flat in the Responses API). In a stream they come one by one. */
export const citationsBeside = (message: unknown): Citation[] =>
  recordsAt(message, "annotations").flatMap((annotation) => {
    const about = isRecord(annotation["url_citation"]) ? annotation["url_citation"] : annotation;
    const [start, end] = [numberAt(about, "start_index"), numberAt(about, "end_index")].map((at = 0) => Math.trunc(at));
    return citationOf(textAt(about, "url"), textAt(about, "title"), start, end);
  });

const citationsOf = (pages: readonly Record<string, unknown>[]): Citation[] =>
  pages.flatMap((page) => citationOf(textAt(page, "url"), textAt(page, "title")));

/** What the searches within a message found (Groq). */
export const citationsOfSearches = (message: unknown): Citation[] =>
  recordsAt(message, "executed_tools").flatMap((tool) => citationsOf(recordsAt(tool, "search_results", "results")));

/** What the server's own searches found, by number (Perplexity's Responses API). */
export const citationsOfItems = (items: readonly Record<string, unknown>[]): Citation[] =>
  items.flatMap((item) => (item["type"] === "search_results" ? citationsOf(recordsAt(item, "results")) : []));

/** Citations of the whole answer, by number (Perplexity, xAI). Streams repeat them. */
export const citationsOfAnswer = (body: unknown): Citation[] => {
  const found = citationsOf(recordsAt(body, "search_results"));
  return found.length > 0
    ? found
    : listAt(body, "citations").flatMap((page) => citationOf(textAt(page) || textAt(page, "url"), ""));
};

/** Prefers those with positions. */
export const joinCitations = (beside: Citation[], ofAnswer: Citation[]): { citations?: Citation[] } => {
  const citations = (beside.length > 0 ? beside : ofAnswer).slice(0, MOST);
  return citations.length > 0 ? { citations } : {};
};
