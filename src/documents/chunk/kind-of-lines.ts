/**
 * Tells lines that mean something by themselves (rows of a CSV file, of a log, of a chat, of code) from lines of prose, which end where they
 * are full.
 */

/** What the first lines of a text say of all of them. */
const MOST_LINES = 200;
/** Fewer lines may look like anything. */
const LEAST_LINES = 4;

/** A line that has room for the next word, measured by the longest line, was ended on purpose; in PDFs, letters differ in width. */
const ROOM = 0.8;
/** Share of the lines of prose that have no such room; the last lines of paragraphs have. */
const LEAST_FULL = 0.5;

/** In characters, on average; longer lines are paragraphs. */
const LONGEST_LINES = 400;

/** Entries begin anew: with a figure, a bracket, a quotation mark or a capital. Of scripts without capitals nothing can be told. */
const BEGINS_ANEW = /^\s*[^\s\p{Ll}\p{Lo}\p{Lm}\p{M}]/u;
const LEAST_ANEW = 0.9;
const CAPITAL = /\p{Lu}/gu;
const SMALL = /\p{Ll}/gu;

/** In code, which is indented, the blanks before a line are others than before the next one that often. */
const LEAST_INDENTED = 0.3;

const DELIMITERS = ["\t", ";", "|", ","] as const;
/** Of these, prose has so many in each line only by chance. */
const LEAST_CELLS = 3;
const LEAST_ALIKE = 0.95;
const NUMERIC = /^\s*"?[\d.,:/%€$£+-]*\d[\d.,:/%€$£+-]*"?\s*$/;
const LEAST_NUMERIC = 0.8;

/** `rows`: under a first line that names their columns; `lines`: each by itself. */
export type KindOfLines = "rows" | "lines" | "prose";

const firstLines = (text: string, start: number, end: number): string[] => {
  const lines: string[] = [];
  for (let at = start; at < end && lines.length < MOST_LINES; ) {
    const found = text.indexOf("\n", at);
    const stop = found < 0 || found > end ? end : found;
    lines.push(text.slice(at, stop).trimEnd());
    at = stop + 1;
  }
  return lines;
};

/** The cells of a line; a delimiter between quotation marks is part of its cell. */
const cellsOf = (line: string, delimiter: string): string[] => {
  const parts = line.split(delimiter);
  if (!line.includes('"')) return parts;
  const cells: string[] = [];
  let isOpen = false;
  for (const part of parts) {
    if (isOpen) cells[cells.length - 1] += delimiter + part;
    else cells.push(part);
    if (part.split('"').length % 2 === 0) isOpen = !isOpen;
  }
  return cells;
};

/** The lines as rows of as many cells each, if they are. */
const rowsOf = (lines: readonly string[]): string[][] | undefined => {
  for (const delimiter of DELIMITERS) {
    const rows = lines.map((line) => cellsOf(line, delimiter));
    const { length } = rows[0]!;
    const alike = rows.filter((row) => row.length === length).length;
    if (length >= LEAST_CELLS && alike >= LEAST_ALIKE * rows.length) return rows;
  }
  return undefined;
};

/** Only figures below a word tell that it names their column. */
const namesColumns = ([head, ...rows]: readonly string[][]): boolean =>
  head!.every((cell) => cell.trim() !== "" && !NUMERIC.test(cell)) &&
  head!.some((_, column) => rows.filter((row) => NUMERIC.test(row[column] ?? "")).length >= LEAST_NUMERIC * rows.length);

const areFull = (lines: readonly string[]): boolean => {
  const longest = Math.max(...lines.map(({ length }) => length));
  const full = lines.filter((line, at) => {
    const [next] = /^\s*\S*/.exec(lines[at + 1] ?? "")!;
    return line.length + 1 + next.trimStart().length >= ROOM * longest;
  });
  return full.length >= LEAST_FULL * lines.length;
};

const beginAnew = (lines: readonly string[]): boolean => {
  const all = lines.join("\n");
  const areCapitals = (all.match(CAPITAL)?.length ?? 0) > (all.match(SMALL)?.length ?? 0);
  return !areCapitals && lines.filter((line) => BEGINS_ANEW.test(line)).length >= LEAST_ANEW * lines.length;
};

const areIndented = (lines: readonly string[]): boolean => {
  const indents = lines.map((line) => line.length - line.trimStart().length);
  return indents.filter((indent, at) => at > 0 && indent !== indents[at - 1]).length >= LEAST_INDENTED * lines.length;
};

export const kindOfLines = (text: string, start: number, end: number): KindOfLines => {
  const lines = firstLines(text, start, end);
  const characters = lines.reduce((sum, { length }) => sum + length, 0);
  if (lines.length < LEAST_LINES || characters > LONGEST_LINES * lines.length) return "prose";
  const rows = rowsOf(lines);
  if (rows !== undefined) return namesColumns(rows) ? "rows" : "lines";
  return areFull(lines) && !beginAnew(lines) && !areIndented(lines) ? "prose" : "lines";
};
