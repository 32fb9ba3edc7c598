/** Extracted pages → text worth indexing: running headers and footers dropped, words that a line end cut in two joined again. */
import type { Page } from "./extraction.ts";

/** How many lines at each end of a page may be running ones. */
const EDGE_LINES = 3;
/** Below this a «recurring» line is chance. */
const LEAST_PAGES = 4;
const LONGEST_RUNNING_LINE = 200;

/**
 * What a line is when its page number is left out: as it stands, or with its first or last number told from the page's own.
 * Other numbers stay: pages that say the same of different figures are no running lines.
 */
const keysOf = (line: string, page: number): string[] => {
  const text = line.trim();
  if (text.length > LONGEST_RUNNING_LINE) return [];
  const relative = (number: string) => `#${Number(number) - page}`;
  return [text, text.replace(/\d+/, relative), text.replace(/\d+(?=\D*$)/, relative)];
};

/** Edge lines, outermost first; blank lines do not count. */
const edgeOf = (lines: string[], fromEnd: boolean): string[] => {
  const filled = lines.filter((line) => line.trim() !== "");
  return (fromEnd ? filled.reverse() : filled).slice(0, EDGE_LINES);
};

const recurringKeys = (pages: string[][], fromEnd: boolean): Set<string> => {
  const counts = new Map<string, number>();
  for (const [page, lines] of pages.entries()) {
    const keys = edgeOf(lines, fromEnd).flatMap((line) => keysOf(line, page));
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > pages.length / 2).map(([key]) => key));
};

/** Cuts recurring lines off one end, outermost first, at most EDGE_LINES of them. */
const trimEdge = (lines: string[], page: number, recurring: Set<string>, fromEnd: boolean): string[] => {
  const left = fromEnd ? [...lines].reverse() : [...lines];
  for (let dropped = 0; dropped < EDGE_LINES; dropped++) {
    const at = left.findIndex((line) => line.trim() !== "");
    if (at < 0 || !keysOf(left[at]!, page).some((key) => recurring.has(key))) break;
    left.splice(0, at + 1);
  }
  return fromEnd ? left.reverse() : left;
};

const dropRunningLines = (pages: Page[]): Page[] => {
  if (pages.length < LEAST_PAGES) return pages;
  const lines = pages.map(({ text }) => text.split("\n"));
  const top = recurringKeys(lines, false);
  const bottom = recurringKeys(lines, true);
  return pages.map(({ page, text }, at) => {
    const rest = trimEdge(trimEdge(lines[at]!, at, top, false), at, bottom, true).join("\n");
    // A page that holds nothing else is not made of running lines: slides and cards repeat themselves.
    return { page, text: rest.trim() === "" ? text : rest };
  });
};

const isLetter = (text: string, at: number): boolean => at >= 0 && at < text.length && /\p{L}/u.test(text[at]!);

const letterRun = (text: string, from: number, step: 1 | -1): string => {
  let end = from;
  while (isLetter(text, end)) end += step;
  return step === 1 ? text.slice(from, end) : text.slice(end + 1, from + 1);
};

/** «Ein- und Ausgang»: the hyphen stands for the second word's rest. */
const SUSPENDED = /^(?:und|oder|bzw|bis|and|or|to|et|ou|y|o|e|en|of)$/i;

type Words = {
  /** That stand by themselves. */
  alone: ReadonlySet<string>;
  /** Each two of a compound that stands on one line: «well-known». */
  compounds: ReadonlySet<string>;
  /** Whether words are cut at line ends at all; else only what was written with a hyphen is. */
  areCut: boolean;
};

const WORD = /\p{L}+(?:[-\u2010]\p{L}+)*/gu;
const HYPHEN = /[-\u2010]/;
const LINE_END = /^[-\u2010\u00ad]\n$/;
/** Of what stands broken at line ends, the share that must be a word elsewhere: a third and more where words are cut, else chance. */
const LEAST_KNOWN = 0.05;

const wordsOf = (pages: readonly Page[]): Words => {
  const alone = new Set<string>();
  const compounds = new Set<string>();
  const broken: string[] = [];
  for (const { text } of pages) {
    let before = "";
    for (const { 0: written, index } of text.toLowerCase().matchAll(WORD)) {
      const end = index + written.length;
      // Half of a word is none.
      const isRest = LINE_END.test(text.slice(index - 2, index));
      const isStart = LINE_END.test(text.slice(end, end + 2));
      if (isRest) broken.push(before + written);
      before = written;
      if (isRest || isStart) continue;
      const parts = written.split(HYPHEN);
      if (parts.length === 1) alone.add(written);
      for (let at = 1; at < parts.length; at++) compounds.add(`${parts[at - 1]}-${parts[at]}`);
    }
  }
  const known = broken.filter((word) => alone.has(word)).length;
  return { alone, compounds, areCut: known > 0 && known >= LEAST_KNOWN * broken.length };
};

const wasCut = (left: string, right: string, { alone, compounds, areCut }: Words): boolean => {
  const [start, rest] = [left.toLowerCase(), right.toLowerCase()];
  if (alone.has(start + rest)) return true;
  const isCompound = compounds.has(`${start}-${rest}`) || rest !== right || (alone.has(start) && alone.has(rest));
  return areCut && !isCompound;
};

/**
 * «exam-⏎ple» becomes «example», and «well-⏎known» stands on one line, where the index finds it in one piece too; a soft hyphen is
 * always a cut.
 */
const joinHyphens = (text: string, words: Words): string => {
  const parts = text.split(/(?<=[-\u2010\u00ad])\n/);
  let joined = parts[0]!;
  const out: string[] = [];
  for (const next of parts.slice(1)) {
    const left = letterRun(joined, joined.length - 2, -1);
    const right = letterRun(next, 0, 1);
    if (SUSPENDED.test(right) || !/[\p{L}\p{N}]$/u.test(joined.slice(0, -1)) || !/^[\p{L}\p{N}]/u.test(next)) joined += "\n";
    else if (left !== "" && right !== "" && (joined.endsWith("\u00ad") || wasCut(left, right, words)))
      joined = joined.slice(0, -1);
    out.push(joined);
    joined = next;
  }
  return out.join("") + joined;
};

export const cleanPages = (pages: Page[]): Page[] => {
  const trimmed = dropRunningLines(pages);
  const words = wordsOf(trimmed);
  return trimmed.map(({ page, text }) => ({ page, text: joinHyphens(text, words) }));
};
