/**
 * Fuses a lexical score and a cosine into one score of 0 to 1, by which hits are ranked. Scores are fused, not ranks: with ranks a
 * threshold would mean nothing, and a weak ranker would spoil the results of a good one. The figures were chosen on SciFact's training
 * claims and XQuAD; eval/retrieval measures them.
 */

export type Dense = {
  /**
   * `local`: the built-in encoder, a table of English word pieces. It is too weak to decide alone, but helps wherever it knows the words.
   * `remote`: a full embedding model.
   */
  kind: "local" | "remote";
  /** Mean and standard deviation of the cosines of unrelated texts in this project; they depend on the model and the language. */
  mean: number;
  spread: number;
};

/** The weight of the local encoder's cosine: the largest that made no collection worse. */
const LOCAL_WEIGHT = 0.25;
/**
 * If even unrelated texts have a higher cosine than this (German for the local encoder: 0.9), the excess means nothing and is subtracted.
 */
const TELLING_MEAN = 0.5;
/** How many standard deviations above unrelated texts a cosine is half convincing. */
const HALF_CONVINCED = 4;

/**
 * Exponents that move the point where relevant and irrelevant hits separate to 0.3, the default threshold. That point is at 0.26 for words
 * with the local encoder, at 0.22 for words alone, and at 0.13 for pairs of characters, half of which span two words and match nothing.
 */
const CALIBRATION = { hybrid: 0.89, words: 0.8, pairs: 0.59 } as const;

const LETTERS = /\p{L}/gu;
const LATIN_LETTERS = /\p{Script=Latin}/gu;
const PAIRED_LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const mostlyOf = (letters: RegExp, query: string): boolean => {
  const all = query.match(LETTERS)?.length ?? 0;
  return all > 0 && (query.match(letters)?.length ?? 0) > all / 2;
};

/** What a query is ranked by: words and an embedder, words alone, or pairs of characters alone. */
export type RankedBy = Dense["kind"] | "words" | "pairs";

export const rankedBy = (query: string, dense: Dense | undefined): RankedBy =>
  dense?.kind ?? (mostlyOf(PAIRED_LETTERS, query) ? "pairs" : "words");

/** 0-1: how informative a cosine is if unrelated texts lie around `mean`. */
export const tellingOf = ({ kind, mean }: Dense): number =>
  kind === "remote" ? 1 : Math.min(1, (1 - mean) / (1 - TELLING_MEAN));

/** If all texts of a project are the same, nothing lies above their mean. */
const ALL_ALIKE = 1e-3;

/** A cosine as evidence: the local encoder's as it is, another's by how far it lies above that of unrelated texts. */
export const likenessOf = (cosine: number, { kind, mean }: Dense): number =>
  kind === "remote" ? Math.max(0, (cosine - mean) / Math.max(1 - mean, ALL_ALIKE)) : cosine;

/** The local encoder reads Latin script only; a query in another is ranked by words alone. */
export const localEncoderReads = (query: string): boolean => mostlyOf(LATIN_LETTERS, query);

const calibrated = (score: number, exponent: number): number => Math.min(1, Math.max(0, score) ** exponent);

/** Fuses a chunk's lexical score and cosine (both 0-1); `dense` is undefined if words alone rank. */
type Fusion = (lexical: number, cosine: number) => number;

export const fusionFor = (query: string, dense: Dense | undefined): Fusion => {
  if (dense?.kind === "local") {
    const excess = Math.max(0, dense.mean - TELLING_MEAN);
    return (lexical, cosine) =>
      calibrated((1 - LOCAL_WEIGHT) * lexical + LOCAL_WEIGHT * Math.max(0, cosine - excess), CALIBRATION.hybrid);
  }
  const exponent = mostlyOf(PAIRED_LETTERS, query) ? CALIBRATION.pairs : CALIBRATION.words;
  if (dense === undefined) return (lexical) => calibrated(lexical, exponent);
  const { mean, spread } = dense;
  return (lexical, cosine) => {
    const words = calibrated(lexical, exponent);
    const meaning = 1 / (1 + Math.exp(HALF_CONVINCED - (cosine - mean) / Math.max(spread, 1e-3)));
    // A match of an exact code or name counts even without a similar meaning, and the other way round.
    return Math.max(0.5 * words + 0.5 * meaning, 0.85 * Math.max(words, meaning));
  };
};
