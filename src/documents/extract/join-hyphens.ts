/** Joins words that were hyphenated at a line end, and tells them from words written with a hyphen. */
import type { Page } from "./extraction.ts";

const isLetter = (text: string, at: number): boolean => at >= 0 && at < text.length && /\p{L}/u.test(text[at]!);

const letterRun = (text: string, from: number, step: 1 | -1): string => {
  let end = from;
  while (isLetter(text, end)) end += step;
  return step === 1 ? text.slice(from, end) : text.slice(end + 1, from + 1);
};

/** «Ein- und Ausgang»: the hyphen stands for the rest of the second word. */
const SUSPENDED = /^(?:und|oder|bzw|bis|and|or|to|et|ou|y|o|e|en|of)$/i;

type Words = {
  /** Words that occur by themselves. */
  alone: ReadonlySet<string>;
  /** Pairs of a compound that occurs on one line: «well-known». */
  compounds: ReadonlySet<string>;
  /** Whether the text hyphenates words at line ends at all; if not, every hyphen there is part of the word. */
  areCut: boolean;
  /** Whether U+2010, with which browsers cut words, also stands within words, so that at a line end it may be part of the word. */
  hasTypographic: boolean;
};

const WORD = /\p{L}+(?:[-\u2010]\p{L}+)*/gu;
const HYPHEN = /[-\u2010]/;
const TYPOGRAPHIC = /\p{L}\u2010\p{L}/u;
const LINE_END = 10;
/** Share of the words broken at line ends that must occur elsewhere: where words are hyphenated it is a third and more, else chance. */
const LEAST_KNOWN = 0.05;
/**
 * If more lines than this end in a hyphen, the text is hyphenated; compounds alone end one line in a hundred. In a short text one or two
 * may be chance.
 */
const MOST_COMPOUNDS = 0.05;
const LEAST_LINES = 20;
const MOST_BY_CHANCE = 2;

/** Whether a hyphen at `at` ends its line. */
const endsLine = (text: string, at: number): boolean =>
  text.charCodeAt(at + 1) === LINE_END && (text[at] === "-" || text[at] === "\u2010" || text[at] === "\u00ad");

const wordsOf = (pages: readonly Page[]): Words => {
  const alone = new Set<string>();
  const compounds = new Set<string>();
  const broken: string[] = [];
  let lines = 0;
  let hasTypographic = false;
  for (const page of pages) {
    const text = page.text.toLowerCase();
    lines += text.split(/\n+/).length;
    hasTypographic ||= TYPOGRAPHIC.test(text);
    let before = "";
    for (const { 0: written, index } of text.matchAll(WORD)) {
      const end = index + written.length;
      // Half of a cut word is not a word.
      const isRest = endsLine(text, index - 2);
      const isStart = endsLine(text, end);
      if (isRest) broken.push(before + written);
      before = written;
      if (isRest || isStart) continue;
      if (!HYPHEN.test(written)) {
        alone.add(written);
        continue;
      }
      const parts = written.split(HYPHEN);
      for (let at = 1; at < parts.length; at++) compounds.add(`${parts[at - 1]}-${parts[at]}`);
    }
  }
  const known = broken.filter((word) => alone.has(word)).length;
  const isMore = lines >= LEAST_LINES || broken.length > MOST_BY_CHANCE;
  const isUsual = isMore && broken.length > MOST_COMPOUNDS * lines;
  return { alone, compounds, hasTypographic, areCut: isUsual || (known > 0 && known >= LEAST_KNOWN * broken.length) };
};

const wasCut = (left: string, right: string, { alone, compounds, areCut }: Words): boolean => {
  const [start, rest] = [left.toLowerCase(), right.toLowerCase()];
  if (alone.has(start + rest)) return true;
  const isCompound = compounds.has(`${start}-${rest}`) || rest !== right || (alone.has(start) && alone.has(rest));
  return areCut && !isCompound;
};

/** Whether the hyphen at the end of the line can only be that of a cut word. */
const isOnlyCut = (line: string, { hasTypographic }: Words): boolean =>
  line.endsWith("\u00ad") || (line.endsWith("\u2010") && !hasTypographic);

/** After a cut word, a capital begins something else: a running line, or the next column. */
const goesOn = (left: string, right: string): boolean => !(/\p{Ll}$/u.test(left) && /^\p{Lu}/u.test(right));

/**
 * «exam-⏎ple» becomes «example», and «well-⏎known» is put on one line, where the index also finds it as one word; a soft hyphen always
 * marks a break.
 */
const joinLines = (text: string, words: Words): string => {
  const parts = text.split(/(?<=[-\u2010\u00ad])\n/);
  let joined = parts[0]!;
  const out: string[] = [];
  for (const next of parts.slice(1)) {
    const left = letterRun(joined, joined.length - 2, -1);
    const right = letterRun(next, 0, 1);
    const isCut = isOnlyCut(joined, words);
    const isBetweenWords = /[\p{L}\p{N}]$/u.test(joined.slice(0, -1)) && /^[\p{L}\p{N}]/u.test(next);
    if (SUSPENDED.test(right) || !isBetweenWords || (isCut && !goesOn(left, right))) joined += "\n";
    else if (left !== "" && right !== "" && (isCut || wasCut(left, right, words))) joined = joined.slice(0, -1);
    out.push(joined);
    joined = next;
  }
  return out.join("") + joined;
};

export const joinHyphens = (pages: readonly Page[]): Page[] => {
  const words = wordsOf(pages);
  return pages.map(({ page, text }) => ({ page, text: joinLines(text, words) }));
};
