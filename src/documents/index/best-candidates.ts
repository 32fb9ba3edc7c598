/** The best chunks for a query by fused score, whatever the threshold. Cosines are computed only where they can change the result. */
import { type Dense, fusionFor } from "./fuse-scores.ts";
import { nearnessOfAll, nearnessOfSome } from "./nearest-chunks.ts";
import type { ProjectIndex } from "./project-index.ts";
import type { LexicalScores } from "./score-lexical.ts";

export type Candidate = {
  position: number;
  chunkId: number;
  documentNumber: number;
  /** Fused, before calibration. */
  score: number;
};

/** A query's vector as integers, and how its cosines are to be read. */
export type Meaning = { vector: Int16Array; dense: Dense };

/** Whether `left` comes before `right`: by score, then by age of the document and place in it, so that results are the same each time. */
const precedes = (left: Candidate, right: Candidate): boolean => {
  if (left.score !== right.score) return left.score > right.score;
  if (left.documentNumber !== right.documentNumber) return left.documentNumber < right.documentNumber;
  return left.chunkId < right.chunkId;
};

const candidateAt = (index: ProjectIndex, position: number, score: number): Candidate => ({
  position,
  chunkId: index.chunkIds[position]!,
  documentNumber: index.documents[index.documentOf[position]!]!,
  score,
});

type Podium = {
  best: Candidate[];
  /** The score below which nothing can be among the best. */
  least: number;
  offer(position: number, score: number): void;
};

const createPodium = (index: ProjectIndex, count: number, isAllowed: (position: number) => boolean): Podium => {
  const best: Candidate[] = [];
  const podium: Podium = {
    best,
    least: 0,
    offer: (position, score) => {
      if (score <= 0 || score < podium.least || !isAllowed(position)) return;
      const candidate = candidateAt(index, position, score);
      let at = best.length;
      while (at > 0 && precedes(candidate, best[at - 1]!)) at--;
      best.splice(at, 0, candidate);
      if (best.length > count) best.pop();
      if (best.length === count) podium.least = Math.max(podium.least, best[count - 1]!.score);
    },
  };
  return podium;
};

/** Whether a chunk may be found: its document is searchable and, if documents are named, one of them. */
const filterOf = ({ documents, alive, documentOf }: ProjectIndex, named: ReadonlySet<number> | undefined) => {
  const allowed = named === undefined ? alive : documents.map((number, ordinal) => alive[ordinal]! && named.has(number));
  return (position: number): boolean => allowed[documentOf[position]!]!;
};

type CandidateQuery = { text: string; documents?: ReadonlySet<number>; meaning?: Meaning; count: number };

export const bestCandidates = (
  index: ProjectIndex,
  { scores, found }: LexicalScores,
  { text, documents, meaning, count }: CandidateQuery,
): Candidate[] => {
  const fuse = fusionFor(text, meaning?.dense);
  const isAllowed = filterOf(index, documents);
  const byWords = createPodium(index, count, isAllowed);
  for (let at = 0; at < found.length; at++) byWords.offer(found[at]!, scores[found[at]!]!);
  if (meaning === undefined) return byWords.best.map((candidate) => ({ ...candidate, score: fuse(candidate.score, 0) }));
  const podium = createPodium(index, count, isAllowed);
  const some = nearnessOfSome(index, meaning.vector);
  const fused = byWords.best.map(({ position, score }) => fuse(score, some(position)));
  if (fused.length === count) podium.least = Math.min(...fused);
  if (fuse(0, 1) >= podium.least) {
    const all = nearnessOfAll(index, meaning.vector);
    for (let position = 0; position < index.size; position++) podium.offer(position, fuse(scores[position]!, all(position)));
    return podium.best;
  }
  // Most chunks of a large project could not be among the best even with a perfect cosine, so theirs is not computed.
  for (let at = 0; at < found.length; at++) {
    const position = found[at]!;
    if (fuse(scores[position]!, 1) >= podium.least) podium.offer(position, fuse(scores[position]!, some(position)));
  }
  return podium.best;
};

/** Chunks that have nothing to do with the query: those not among `taken`, oldest document first. */
export const otherCandidates = (
  index: ProjectIndex,
  taken: readonly Candidate[],
  documents: ReadonlySet<number> | undefined,
  count: number,
): Candidate[] => {
  const isAllowed = filterOf(index, documents);
  const known = new Set(taken.map(({ position }) => position));
  const others: Candidate[] = [];
  for (let position = 0; position < index.size; position++)
    if (!known.has(position) && isAllowed(position)) others.push(candidateAt(index, position, 0));
  return others.sort((left, right) => (precedes(left, right) ? -1 : 1)).slice(0, count);
};
