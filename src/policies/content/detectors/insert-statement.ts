/** A statement as INSERT INTO people (id, ssn) VALUES (1, …), (2, …) in a text: the columns that it names are the heads of its values. */

const COLUMNS = /^\W{0,8}insert\s+into\s[^(]{1,80}\(([^()]{1,400})\)\s*(?:values\b|$)/i;

/** The names of the columns if the line begins such a statement. */
export const insertedColumns = (line: string): string[] | undefined =>
  COLUMNS.exec(line)?.[1]
    ?.split(",")
    .map((name) => name.trim());

/** `(1, 'Ann'),`: a line of values; VALUES may have a line of its own. */
export const isTuple = (line: string): boolean => /^\s*(?:\(|values\s*$)/i.test(line);

/** Which value of the last tuple the line ends in, and how many characters of it are before its end; undefined outside a tuple. */
export function valueAtEnd(line: string): { index: number; length: number } | undefined {
  let start: number | undefined;
  let index = 0;
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const sign = line[i];
    if (sign === "'") quoted = !quoted;
    else if (quoted) continue;
    else if (sign === "(") [start, index] = [i + 1, 0];
    else if (sign === ")") start = undefined;
    else if (sign === "," && start !== undefined) [start, index] = [i + 1, index + 1];
  }
  return start === undefined ? undefined : { index, length: line.length - start };
}
