/**
 * Which passages of large documents a model gets: those that the question is about; where it is about none («Summarize this»), also some
 * from all over the documents, which tell more of the whole than those that happen to share a word with it.
 */
import type { Db } from "../../database/database.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { listChunksAt } from "../content-store.ts";
import type { Document } from "../document.ts";
import type { Passage } from "./query-documents.ts";

/** Nearly all passages have at most so many tokens, with their heading. */
const PASSAGE_TOKENS = 420;
/** At least this share of the passages is spread over the documents; with the others, the search may still have found what was meant. */
const SPREAD_SHARE = 2 / 3;

/** `passages`: best first. `isAboutWhole`: none of them stands out. */
type PassageChoice = { documents: readonly Document[]; passages: readonly Passage[]; budget: number; isAboutWhole: boolean };

/** The best passage of each document first, so that none is left out; then the best of all, while they fit. */
export const choosePassages = (db: Db, choice: PassageChoice): Passage[] => {
  const { documents, passages, budget, isAboutWhole } = choice;
  const seen = new Set<number>();
  const leaders = passages.filter(({ chunk }) => !seen.has(chunk.documentNumber) && seen.add(chunk.documentNumber));
  const beginnings = spreadOver(
    db,
    documents.filter(({ number }) => isAboutWhole || !seen.has(number)),
    1,
  );
  if (!isAboutWhole) return withinBudget([...leaders, ...beginnings, ...passages], budget);
  const count = Math.floor(budget / PASSAGE_TOKENS);
  const related = passages.filter(({ score }) => score > 0).slice(0, (1 - SPREAD_SHARE) * count);
  const spread = spreadOver(db, documents, Math.floor((count - related.length) / documents.length));
  return withinBudget([...beginnings, ...leaders, ...related, ...spread, ...passages], budget);
};

/** `count` passages of each document, from its beginning to its end. */
export const spreadOver = (db: Db, documents: readonly Document[], count: number): Passage[] =>
  documents
    .flatMap(({ projectId, number, chunkCount }) => listChunksAt(db, projectId, number, placesIn(chunkCount ?? 1, count)))
    .map((chunk) => ({ chunk, score: 0 }));

const placesIn = (length: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.round((at * (length - 1)) / Math.max(1, count - 1)));

const withinBudget = (passages: readonly Passage[], budget: number): Passage[] => {
  const taken: Passage[] = [];
  const ids = new Set<number>();
  let left = budget;
  for (const passage of passages) {
    const tokens = estimateTokens(passage.chunk.content) + 20;
    if (ids.has(passage.chunk.id) || tokens > left) continue;
    left -= tokens;
    ids.add(passage.chunk.id);
    taken.push(passage);
  }
  return taken;
};
