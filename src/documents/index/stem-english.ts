/** Porter's stemmer (1980) for lower-case ASCII words: «retrieval», «retrieve» and «retrieves» become one index term. */

const VOWEL_RUN = "aeiouy";

const isVowel = (word: string, at: number): boolean => {
  const letter = word[at]!;
  if (letter === "y") return at > 0 && !isVowel(word, at - 1);
  return VOWEL_RUN.includes(letter);
};

/** Porter's m: how many times a vowel run is followed by a consonant run. */
const measure = (stem: string): number => {
  let count = 0;
  let inVowels = false;
  for (let at = 0; at < stem.length; at++) {
    const vowel = isVowel(stem, at);
    if (inVowels && !vowel) count++;
    inVowels = vowel;
  }
  return count;
};

const hasVowel = (stem: string): boolean => {
  for (let at = 0; at < stem.length; at++) if (isVowel(stem, at)) return true;
  return false;
};

const endsDouble = (word: string): boolean => word.length > 1 && word.at(-1) === word.at(-2) && !isVowel(word, word.length - 1);

/** Consonant, vowel, consonant, the last not w, x or y: «hop», so that «hoping» becomes «hope». */
const endsShort = (word: string): boolean => {
  const last = word.length - 1;
  if (last < 2 || isVowel(word, last) || !isVowel(word, last - 1) || isVowel(word, last - 2)) return false;
  return !"wxy".includes(word[last]!);
};

type Rule = readonly [suffix: string, replacement: string];

const STEP_2: readonly Rule[] = [
  ["ational", "ate"], ["ization", "ize"], ["iveness", "ive"], ["fulness", "ful"], ["ousness", "ous"], ["tional", "tion"],
  ["biliti", "ble"], ["entli", "ent"], ["ousli", "ous"], ["ation", "ate"], ["alism", "al"], ["aliti", "al"], ["iviti", "ive"],
  ["enci", "ence"], ["anci", "ance"], ["izer", "ize"], ["abli", "able"], ["alli", "al"], ["ator", "ate"], ["logi", "log"], ["eli", "e"],
]; // biome-ignore format: a table reads better in rows
const STEP_3: readonly Rule[] = [
  ["icate", "ic"], ["ative", ""], ["alize", "al"], ["iciti", "ic"], ["ical", "ic"], ["ness", ""], ["ful", ""],
]; // biome-ignore format: a table reads better in rows
const STEP_4 = [
  "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er", "ic", "ou",
]; // biome-ignore format: a table reads better in rows

const stripPlural = (word: string): string => {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
};

const stripTense = (word: string): string => {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const stem = word.slice(0, word.length - suffix);
  if (suffix === 0 || !hasVowel(stem)) return word;
  if (stem.endsWith("at") || stem.endsWith("bl") || stem.endsWith("iz")) return `${stem}e`;
  if (endsDouble(stem) && !"lsz".includes(stem.at(-1)!)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
};

const replaceSuffix = (word: string, rules: readonly Rule[]): string => {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    return measure(stem) > 0 ? stem + replacement : word;
  }
  return word;
};

const dropSuffix = (word: string): string => {
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    if (suffix === "ion" && !stem.endsWith("s") && !stem.endsWith("t")) return word;
    return measure(stem) > 1 ? stem : word;
  }
  return word;
};

const dropFinalE = (word: string): string => {
  if (!word.endsWith("e")) return word;
  const stem = word.slice(0, -1);
  const m = measure(stem);
  return m > 1 || (m === 1 && !endsShort(stem)) ? stem : word;
};

/** The stem of a word of a-z only; anything of two letters or fewer comes back as it is. */
export const stemEnglish = (word: string): string => {
  if (word.length <= 2) return word;
  let stem = stripTense(stripPlural(word));
  if (stem.endsWith("y") && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = dropFinalE(dropSuffix(replaceSuffix(replaceSuffix(stem, STEP_2), STEP_3)));
  return stem.endsWith("ll") && measure(stem) > 1 ? stem.slice(0, -1) : stem;
};
