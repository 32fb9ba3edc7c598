/**
 * Lexical score and cosine → one score of 0 to 1, the one that is sorted by, cut at the threshold and returned.
 * By score and not by rank: rank fusion makes a threshold meaningless and let a weak ranker drag a good one down.
 */

export type DenseKind =
  /** The local encoder: a table of English word pieces, too weak to lead, good for a little everywhere its vocabulary reaches. */
  | { kind: "local" }
  /** A real embedder. Cosines of unrelated texts lie around `mean` with `spread`, which differ from model to model. */
  | { kind: "remote"; mean: number; spread: number };

/** Chosen on SciFact's training claims and XQuAD: the largest weight that never loses (eval/retrieval). */
const LOCAL_WEIGHT = 0.2;
/** How many spreads above unrelated texts a cosine is half convincing. */
const HALF_CONVINCED = 4;

const LATIN_LETTERS = /\p{Script=Latin}/gu;
const LETTERS = /\p{L}/gu;

/** The local encoder reads Latin script only; a query in another is ranked by words alone. */
export const localEncoderReads = (query: string): boolean => {
  const letters = query.match(LETTERS)?.length ?? 0;
  return letters > 0 && (query.match(LATIN_LETTERS)?.length ?? 0) > letters / 2;
};

export const fuseScores = (lexical: number, cosine: number, dense: DenseKind | undefined): number => {
  if (dense === undefined) return lexical;
  if (dense.kind === "local") return (1 - LOCAL_WEIGHT) * lexical + LOCAL_WEIGHT * cosine;
  const convincing = 1 / (1 + Math.exp(HALF_CONVINCED - (cosine - dense.mean) / Math.max(dense.spread, 1e-3)));
  // An exact code or name must not drown beside vague likeness, nor the other way round.
  return Math.max(0.5 * lexical + 0.5 * convincing, 0.85 * Math.max(lexical, convincing));
};

export const calibrate = (fused: number): number => Math.min(1, Math.max(0, fused));
