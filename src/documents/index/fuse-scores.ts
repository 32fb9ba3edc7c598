/**
 * Fuses lexical score and cosine into one score of 0 to 1, which is sorted by, compared with the threshold and returned. By score, not by
 * rank: rank fusion would make a threshold meaningless and let a weak ranker drag a good one down. The figures were chosen on SciFact's
 * training claims and XQuAD; eval/retrieval measures them.
 */

export type Dense = {
  /**
   * `local`: the built-in encoder, a table of English word pieces, too weak to lead but useful wherever its vocabulary reaches. `remote`: a
   * full embedding model.
   */
  kind: "local" | "remote";
  /** Mean of the cosines of unrelated texts in this project, with their `spread`: each model and language has its own. */
  mean: number;
  spread: number;
};

/** The largest weight that makes no collection worse. */
const LOCAL_WEIGHT = 0.25;
/** Where even unrelated texts are more similar than this (German for the local encoder: 0.9), the excess is meaningless and taken off. */
const TELLING_MEAN = 0.5;
/** How many spreads above unrelated texts a cosine is half convincing. */
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

/** A cosine as evidence: the local encoder's unchanged, another's by how far it lies above unrelated texts. */
export const likenessOf = (cosine: number, { kind, mean }: Dense): number =>
  kind === "remote" ? Math.max(0, (cosine - mean) / Math.max(1 - mean, ALL_ALIKE)) : cosine;

/** The local encoder reads Latin script only; a query in another is ranked by words alone. */
export const localEncoderReads = (query: string): boolean => mostlyOf(LATIN_LETTERS, query);

const calibrated = (score: number, exponent: number): number => Math.min(1, Math.max(0, score) ** exponent);

/** Fuses a chunk's lexical score and cosine (both 0-1); `dense` is undefined if words alone rank. */
type Fusion = (lexical: number, cosine: number) => number;

export const fusionFor = (query: string, dense: Dense | undefined): Fusion => {
  if (dense?.kind === "local") {
    const idle = Math.max(0, dense.mean - TELLING_MEAN);
    return (lexical, cosine) =>
      calibrated((1 - LOCAL_WEIGHT) * lexical + LOCAL_WEIGHT * Math.max(0, cosine - idle), CALIBRATION.hybrid);
  }
  const exponent = mostlyOf(PAIRED_LETTERS, query) ? CALIBRATION.pairs : CALIBRATION.words;
  if (dense === undefined) return (lexical) => calibrated(lexical, exponent);
  const { mean, spread } = dense;
  return (lexical, cosine) => {
    const words = calibrated(lexical, exponent);
    const meaning = 1 / (1 + Math.exp(HALF_CONVINCED - (cosine - mean) / Math.max(spread, 1e-3)));
    // An exact code or name must not be lost in vague similarity, nor the other way round.
    return Math.max(0.5 * words + 0.5 * meaning, 0.85 * Math.max(words, meaning));
  };
};
