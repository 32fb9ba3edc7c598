/**
 * What a text's layout says about a number without a word beside it: the head of its column in a table, or the line that announces its
 * list. It is read line by line, so that a stream keeps the state at its last line instead of the text.
 */

import { insertedColumns, isTuple, valueAtEnd } from "./insert-statement.ts";

export type Layout = {
  /** The line so far; undefined if it is too long to be a row. */
  line: string | undefined;
  /** The heads of the table that the lines before belong to, by column, or by offset where blanks align the columns. */
  heads: string[] | undefined;
  separator: string;
  /** The line that announced the list that the lines before belong to. */
  heading: string | undefined;
};

/** In characters. Longer lines are prose; this bounds what is read for each number. */
const LONGEST_LINE = 600;
const MOST_COLUMNS = 40;
const LONGEST_HEAD = 40;
const LONGEST_HEADING = 160;

export const startLayout = (): Layout => ({ line: "", heads: undefined, separator: "", heading: undefined });

/** The layout after another piece of the text. Does not change the given one. */
export const continueLayout = (layout: Layout, piece: string): Layout => {
  if (layout.line === undefined && !piece.includes("\n")) return layout;
  let at = 0;
  let now = layout;
  for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", at)) {
    now = endLine(now, piece.slice(at, Math.min(end, at + LONGEST_LINE + 1)));
    at = end + 1;
  }
  return at === piece.length ? now : { ...now, line: joinLine(now.line, piece.slice(at, at + LONGEST_LINE + 1)) };
};

const joinLine = (line: string | undefined, more: string): string | undefined =>
  line === undefined || line.length + more.length > LONGEST_LINE ? undefined : line + more;

/** `- …`, `3. …`, and the entries of a list by date: `01/05/2024 Rent`. */
const LIST_ITEM = /^\s*(?:(?:[-*•–+]|\d{1,3}[.)])\s|\d\d?\/\d\d?\/\d{4} \p{L})/u;
/** A line of a number alone, as lists without marks have them. */
const BARE_ITEM = /^\s*[(+]{0,2}\d[\d\s()./+-]*[,;]?\s*$/;
const ANNOUNCES = /:[\s*_]*$|^#{1,6}\s/;
/** The line between a table's head and its rows. */
const RULE = /^[\s|:+=-]+$/;

const endLine = (before: Layout, piece: string): Layout => {
  const line = joinLine(before.line, piece);
  const next: Layout = { ...before, line: "" };
  if (line === undefined) return { ...next, heads: undefined, heading: undefined };
  if (line.trim() === "") return { ...next, heads: undefined };
  const isItem = LIST_ITEM.test(line) || BARE_ITEM.test(line);
  const isRow = before.heads !== undefined && (RULE.test(line) || belongsTo(line, before));
  if (isRow && (before.separator === ALIGNED || !isItem)) return next;
  if (isItem) return { ...next, heads: undefined };
  const columns = insertedColumns(line);
  if (columns !== undefined) return { line: "", heads: columns, separator: TUPLE, heading: undefined };
  const separator = separatorOf(line);
  const heads = separator === "" ? undefined : headsIn(line, separator);
  return { line: "", heads, separator, heading: ANNOUNCES.test(line) ? line.slice(-LONGEST_HEADING) : undefined };
};

/** The values of an SQL statement. */
const TUPLE = "(";
/** Columns that are aligned by blanks; two of them are more often labels with their values. */
const ALIGNED = "  ";
const FEWEST_ALIGNED = 3;

const separatorOf = (line: string): string =>
  /^\s*\|| \| |\S\|\S.*\S\|\S/.test(line) ? "|" : (["\t", ";", ",", ALIGNED].find((each) => line.trim().includes(each)) ?? "");

/** Whether the line is a row of the table. */
const belongsTo = (line: string, { heads, separator }: Layout): boolean => {
  if (separator === ALIGNED) return line.trim().includes(ALIGNED);
  if (separator === TUPLE) return isTuple(line);
  return separatorOf(line) === separator && (separator === "|" || cellsOf(line, separator).length === heads!.length);
};

/** Separators within quotes do not count. */
const cellsOf = (line: string, separator: string): string[] => {
  if (!line.includes('"')) return line.split(separator);
  const cells = [""];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells;
};

/** The first line of a table names its columns: short words, no cell empty, no long numbers. */
const headsIn = (line: string, separator: string): string[] | undefined => {
  if (separator === ALIGNED) return alignedHeads(line);
  const cells = cellsOf(line, separator).map((cell) => cell.trim());
  const isWhole = separator === "|" || !cells.includes("");
  return isWhole && cells.every(isHead) && cells.length <= MOST_COLUMNS ? cells : undefined;
};

/** A full stop ends an abbreviation (`Part No.`) or a sentence. */
const isHead = (name: string): boolean => name.length <= LONGEST_HEAD && !/\d{3}|[!?]$|\p{L}{5}\.$/u.test(name);

/** Each at its offset in the line. */
const alignedHeads = (line: string): string[] | undefined => {
  const heads: string[] = [];
  const cells = [...line.matchAll(/\S+(?: \S+)*/g)];
  for (const { 0: cell, index } of cells) heads[index] = cell;
  const areHeads = cells.every(([cell]) => isHead(cell) && !cell.endsWith(":"));
  return areHeads && cells.length >= FEWEST_ALIGNED ? heads : undefined;
};

/**
 * `ownLength`: how many characters before the number are in its own cell, or in its line where blanks align the columns; their words say more
 * than the head. Undefined in a list.
 */
export type Place = { label: string; ownLength: number | undefined };

/** What labels the number that comes next; undefined if the layout says nothing. */
export const placeOf = ({ line, heads, separator, heading }: Layout): Place | undefined => {
  if (line === undefined) return undefined;
  const columns = separator === TUPLE && isTuple(line) ? heads : insertedColumns(line);
  if (columns !== undefined) {
    const value = valueAtEnd(line);
    const label = value && columns[value.index];
    return label === undefined ? undefined : { label, ownLength: value!.length };
  }
  if (heads !== undefined && separator !== TUPLE) {
    const cells = separator === ALIGNED ? [line] : cellsOf(line, separator);
    const label = heads[separator === ALIGNED ? line.length : cells.length - 1];
    return label === undefined ? undefined : { label, ownLength: cells.at(-1)!.length };
  }
  // What stands far from its beginning in an item is told by the item's own words.
  const isItem = heading !== undefined && line.length <= LONGEST_HEAD && (LIST_ITEM.test(line) || line.trim() === "");
  return isItem ? { label: heading, ownLength: undefined } : undefined;
};
