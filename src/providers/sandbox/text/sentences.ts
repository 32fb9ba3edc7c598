/** Sentences and words of a text, and the sentences that matter: for a question, or of the whole text. */

/** A line break, or what ends a sentence with all that closes behind it. */
const MARKS = /\n|[.!?。！？][.!?。！？"')\]”’」]*/g;
/** A single letter (`e.g.`, initials) or a known abbreviation, before its full stop. */
const ABBREVIATED = /(?:^|[\s.])(?:[a-z]|dr|mr|mrs|ms|prof|st|vs|etc|no)$/i;

/** Cuts at the ends of sentences and at line breaks, in one pass. Decimals and abbreviations stay whole. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: marks, index } of text.matchAll(MARKS)) {
    const end = index + marks.length;
    const isAbbreviation = marks.startsWith(".") && ABBREVIATED.test(text.slice(Math.max(start, index - 6), index));
    const isSpaced = end === text.length || (/\s/.test(text[end]!) && !isAbbreviation);
    if (!isSpaced && !/^[\n。！？]/.test(marks)) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  return [...sentences, text.slice(start).trim()].filter(Boolean);
}

const STOP_WORDS = new Set(
  (
    "a an and any are as at be been but by can could did do does for from had has have he her his how i if in into is it its me my " +
    "of on or our please she should so some tell than that the their them then there these they this those to us was we were what " +
    "when where which who whom whose why will with would you your give know many much about also just document documents file according based"
  ).split(" "),
);

/** The words except stop words, in lower case and lightly stemmed; scripts without spaces in pairs of characters. */
export function contentWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/.test(word))
      for (let i = 0; i < word.length; i += 1) words.push(word.slice(i, i + 2));
    else if (!STOP_WORDS.has(word)) words.push(stem(word));
  }
  return words;
}

function stem(word: string): string {
  for (const ending of ["ing", "ies", "ed", "es", "s", "e"]) {
    if (word.length > ending.length + 3 && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}

const countEach = (words: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/** As `within-reach.ts` says, of a longer text only a part is read. */
const MOST_SENTENCES = 5_000;

/** The one or two candidates that share most words with the question; rare words count more. Empty if too few are shared. */
export function bestSentences(question: string, sentences: readonly string[]): string[] {
  const asked = new Set(contentWords(question));
  const candidates = sentences.slice(0, MOST_SENTENCES).map((sentence) => {
    const shared = [...new Set(contentWords(sentence))].filter((word) => asked.has(word));
    return { sentence, shared };
  });
  const frequency = countEach(candidates.flatMap(({ shared }) => shared));
  const rarity = (word: string): number => Math.log(1 + candidates.length / frequency.get(word)!);
  // A question for a number is answered by a sentence with a number.
  const wantsNumber = /\b(?:how (?:many|much|old|long|tall|far|big)|when|what (?:year|date|time|price))\b/i.test(question);
  const [counted] = contentWords(/\bhow (?:many|much) (\p{L}+)/iu.exec(question)?.[1] ?? "");
  const bonus = (sentence: string): number => {
    const spoken = sentence.replace(/^\[\d+\]/, "");
    if (counted !== undefined && countOf(counted, spoken) !== undefined) return 5;
    return wantsNumber && /\d/.test(spoken) ? 2 : 1;
  };
  const [best, second] = candidates
    .filter(({ shared }) => shared.length >= 2 || shared.length >= Math.max(1, asked.size) / 3)
    .map(({ sentence, shared }) => ({
      sentence,
      score: bonus(sentence) * shared.reduce((sum, word) => sum + rarity(word), 0),
    }))
    .sort((a, b) => b.score - a.score);
  if (!best) return [];
  const isNearly = second && second.score >= best.score * 0.85 && second.sentence !== best.sentence;
  return isNearly ? [best.sentence, second.sentence] : [best.sentence];
}

/** The number before `word` (a content word), at most two words away: 24 of `24 brass levers`. */
export function countOf(word: string, text: string): string | undefined {
  let number: string | undefined;
  let between = 0;
  for (const [piece] of text.matchAll(/\d[\d,]*(?:\.\d+)?|\p{L}+|[^\p{L}\d\s]/gu)) {
    if (/^\d/.test(piece)) [number, between] = [piece.replace(/,$/, ""), 0];
    else if (!/^\p{L}/u.test(piece)) number = undefined;
    else if (number !== undefined && contentWords(piece)[0] === word) return number;
    else if (++between > 2) number = undefined;
  }
  return undefined;
}

/** The `count` sentences with most of the text's frequent words, unchanged and in the order of the text. */
export function keySentences(text: string, count: number): string[] {
  const sentences = splitSentences(text).slice(0, MOST_SENTENCES);
  const words = sentences.map(contentWords);
  const frequency = countEach(words.flat());
  const score = (list: readonly string[], index: number): number => {
    const total = [...new Set(list)].reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0);
    // The first sentence of a text usually says what it is about.
    return total / Math.sqrt(list.length + 4) + (index === 0 ? 2 : 0);
  };
  return words
    .map((list, index) => ({ index, score: score(list, index) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ index }) => sentences[index] as string);
}

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** The number that digits, with commas between thousands, or a word up to ten stand for; NaN for other words. */
export const numberOf = (word: string): number => {
  const spoken = NUMBER_WORDS.indexOf(word.toLowerCase());
  return spoken === -1 ? Number(word.replaceAll(",", "")) : spoken;
};
