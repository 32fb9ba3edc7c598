/** Turns extracted pages into text worth indexing: keeps running headers and footers only once, and joins words that were hyphenated at line ends. */
import type { Page } from "./extraction.ts";
import { joinHyphens } from "./join-hyphens.ts";

/** Lines at each end of a page that may be running headers or footers. */
const EDGE_LINES = 3;
/** With fewer pages, a recurring line is a coincidence. */
const LEAST_PAGES = 4;
const LONGEST_RUNNING_LINE = 200;
/** A word, or as much in scripts without blanks. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}|\p{L}{2,}/gu;
const LEAST_WORDS = 3;

/**
 * What identifies a running line whatever page it is on: the line as it is, or with its first or last number relative to the page's. Other
 * numbers are kept, because lines that differ in their figures are not running lines.
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

const recurringKeys = (pages: readonly string[][], fromEnd: boolean): Set<string> => {
  const counts = new Map<string, number>();
  for (const [page, lines] of pages.entries()) {
    const keys = edgeOf(lines, fromEnd).flatMap((line) => keysOf(line, page));
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > pages.length / 2).map(([key]) => key));
};

/** Unlike «Page 3 of 9», such a line tells something: whose handbook it is, its number, its revision. */
const tells = (line: string): boolean => (line.match(WORD)?.length ?? 0) >= LEAST_WORDS;

/** Cuts recurring lines off one end, outermost first, at most EDGE_LINES of them; those that tell something stay where they are not yet `told`. */
const trimEdge = (lines: string[], page: number, recurring: Set<string>, told: Set<string>): string[] => {
  const left = [...lines];
  let from = 0;
  for (let seen = 0; seen < EDGE_LINES; seen++) {
    const at = left.findIndex((line, place) => place >= from && line.trim() !== "");
    const key = at < 0 ? undefined : keysOf(left[at]!, page).find((each) => recurring.has(each));
    if (key === undefined) break;
    const isNew = !told.has(key) && tells(left[at]!);
    told.add(key);
    if (isNew) from = at + 1;
    else left.splice(from, at + 1 - from);
  }
  return left;
};

const trimTops = (pages: readonly string[][]): string[][] => {
  const recurring = recurringKeys(pages, false);
  const told = new Set<string>();
  return pages.map((lines, page) => trimEdge(lines, page, recurring, told));
};

/** What runs along the bottom stays on the last page, where it parts no sentence from its rest. */
const trimBottoms = (pages: readonly string[][]): string[][] => {
  const recurring = recurringKeys(pages, true);
  const told = new Set<string>();
  const fromLast = pages.map((lines, page) => ({ lines, page })).reverse();
  const trimmed = fromLast.map(({ lines, page }) => trimEdge(lines.toReversed(), page, recurring, told).reverse());
  return trimmed.reverse();
};

const dropRunningLines = (pages: Page[]): Page[] => {
  if (pages.length < LEAST_PAGES) return pages;
  const lines = trimBottoms(trimTops(pages.map(({ text }) => text.split("\n"))));
  return pages.map(({ page, text }, at) => {
    const rest = lines[at]!.join("\n");
    // A page that has nothing else keeps its lines: slides and cards repeat themselves.
    return { page, text: rest.trim() === "" ? text : rest };
  });
};

export const cleanPages = (pages: Page[]): Page[] => joinHyphens(dropRunningLines(pages));
