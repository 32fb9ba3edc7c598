/** The headers of an upstream's answer as they came: vendors send some thirty and few are ever read, so a `Headers` of them all is dear. */

import { trimEnds } from "../../lib/trim-ends.ts";

/** What is read of them; a `Headers` is one. Names are given in small letters. */
export type AnswerHeaders = {
  get(name: string): string | null;
  forEach(take: (value: string, name: string) => void): void;
};

/** Not `trim`, which takes a byte of some UTF-8 letters for a blank: it is a no-break space in Latin-1. */
const BLANKS = { leading: /[ \t]/, trailing: /[ \t]/ };

const joined = (before: string | null | undefined, line: string): string => {
  const value = trimEnds(line, BLANKS);
  return before == null ? value : `${before}, ${value}`;
};

/** `lines`: names in any case and values, alternating. The values of a repeated name are joined by commas. */
export const answerHeaders = (lines: readonly string[]): AnswerHeaders => ({
  get(name) {
    let found: string | null = null;
    for (let index = 0; index < lines.length; index += 2) {
      const each = lines[index]!;
      if (each.length === name.length && each.toLowerCase() === name) found = joined(found, lines[index + 1]!);
    }
    return found;
  },
  forEach(take) {
    const values = new Map<string, string>();
    for (let index = 0; index < lines.length; index += 2) {
      const name = lines[index]!.toLowerCase();
      values.set(name, joined(values.get(name), lines[index + 1]!));
    }
    values.forEach(take);
  },
});
