/** Search results made from the query, on hosts that are reserved for examples, with falling scores. */

import type { SearchRequest, SearchResult } from "../../media-calls.ts";
import { toSearchResults } from "../../search/search-results.ts";

const HOSTS = ["docs.example.com", "www.example.org", "news.example.net", "blog.example.com", "wiki.example.org"];
const ANGLES = [
  "An introduction to",
  "Questions and answers on",
  "The latest on",
  "A closer look at",
  "A short history of",
  "How to begin with",
];

export const searchWeb = (request: SearchRequest, reply?: string): SearchResult[] => {
  const topic = request.query.replace(/\s+/g, " ").trim().slice(0, 120);
  const slug =
    topic
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 60) || "search";
  // `toSearchResults` leaves out excluded domains.
  const hosts = request.includeDomains.length > 0 ? request.includeDomains : HOSTS;
  const rows = Array.from({ length: request.maxResults * 3 }, (_, index) => {
    const title = `${ANGLES[index % ANGLES.length]} ${topic}`;
    const short = `${title}. A made-up page of the sandbox about "${topic}"; no query left this machine.`;
    return {
      title,
      url: `https://${hosts[index % hosts.length]}/${slug}/${index + 1}`,
      content: reply ?? (request.depth === "advanced" ? `${short} ${LONGER}` : short),
      relevanceScore: 0.98 * 0.92 ** index,
    };
  });
  return toSearchResults(rows, request);
};

const LONGER = "An advanced search returns more of each page, which is why this text goes on for another sentence.";
