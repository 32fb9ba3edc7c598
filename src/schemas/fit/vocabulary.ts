/** What a schema and an answer say in words: the schema's words and names by their spelling, and how the answer writes its numbers. */
import { isContainer } from "../../lib/is-record.ts";
import { listAt, recordAt, valueAt } from "../../lib/json-at.ts";

export type Vocabulary = {
  /** The words that any `enum` or `const` of the schema lists. */
  words: Spellings;
  /** The names of properties anywhere in the schema. */
  names: Spellings;
  numerals: Numerals;
};

/** Models write a schema's words in another case or with other blanks. `undefined` if two words share a spelling. */
export type Spellings = ReadonlyMap<string, string | undefined>;

/** How a text writes its numbers; `undefined` for one written in two ways, unless it is an integer and also written plainly. */
export type Numerals = ReadonlyMap<number, string | undefined>;

export const vocabularyOf = (schema: unknown, answer: string): Vocabulary => ({
  words: spellingsOf(schema, (node) => [...listAt(node, "enum"), valueAt(node, "const")], spellingOf),
  names: spellingsOf(schema, (node) => Object.keys(recordAt(node, "properties")), spellingOfKey),
  numerals: numeralsIn(answer),
});

/** The schema's spelling of a word. */
export const wordMeant = (said: string, words: Spellings): string | undefined => words.get(spellingOf(said));

/** Words that differ only in case, blanks, underscores and hyphens count as equal. */
const spellingOf = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");

/** `firstName`, `First name` and `first_name` count as equal. */
export const spellingOfKey = (key: string): string => key.toLowerCase().replace(/[\s_-]+/g, "");

/** `wordsIn` gives those of one object within the schema; what is no string is passed over. */
const spellingsOf = (
  schema: unknown,
  wordsIn: (node: object) => readonly unknown[],
  spelling: (word: string) => string,
): Spellings => {
  const spellings = new Map<string, string | undefined>();
  const visit = (node: unknown): void => {
    if (!isContainer(node)) return;
    for (const word of wordsIn(node)) {
      if (typeof word !== "string") continue;
      const spelt = spelling(word);
      spellings.set(spelt, spellings.has(spelt) && spellings.get(spelt) !== word ? undefined : word);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return spellings;
};

const NUMERAL = /[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;
/** The last quote may be missing: if it had to be there, the rest of the text would be read again from each quote. */
const QUOTED = /"(?:[^"\\]|\\.)*"?/gs;

/** Numbers outside quotes win: `"fixes 2 bugs"` does not tell how the 2.0 beside it was written. */
export const numeralsIn = (text: string): Numerals => new Map([...writtenIn(text), ...writtenIn(text.replace(QUOTED, '""'))]);

const writtenIn = (text: string): Map<number, string | undefined> => {
  const numerals = new Map<number, string | undefined>();
  for (const [written] of text.matchAll(NUMERAL)) {
    const number = Number(written);
    const before = numerals.has(number) ? numerals.get(number) : written;
    const plain = Number.isSafeInteger(number) ? [before, written].find((each) => each === String(number)) : undefined;
    numerals.set(number, before === written ? written : plain);
  }
  return numerals;
};
