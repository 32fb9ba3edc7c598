/** Turns extracted pages into text worth indexing: drops running headers and footers, and joins words that were hyphenated at line ends. */
import type { Page } from "./extraction.ts";
import { joinHyphens } from "./join-hyphens.ts";

/** Lines at each end of a page that may be running headers or footers. */
const EDGE_LINES = 3;
/** With fewer pages, a recurring line is a coincidence. */
const LEAST_PAGES = 4;
const LONGEST_RUNNING_LINE = 200;

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
    // A page that has nothing else keeps its lines: slides and cards repeat themselves.
    return { page, text: rest.trim() === "" ? text : rest };
  });
};

export const cleanPages = (pages: Page[]): Page[] => joinHyphens(dropRunningLines(pages));
