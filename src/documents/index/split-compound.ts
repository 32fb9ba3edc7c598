/**
 * Splits a compound of a query that the project does not know («Verwaltungsorgan», «Passwortdatei») into words that it knows, and the
 * letters that German and its relatives put between them.
 */
import type { CompoundSplitter } from "./index-terms.ts";
import type { ProjectIndex } from "./project-index.ts";
import { frequencyOf } from "./read-postings.ts";
import { type IndexReader, listTerms } from "./read-store.ts";

const LEAST_LETTERS = 9;
const LEAST_PART = 4;
const LETTERS = /^\p{Script=Latin}+$/u;
const BETWEEN = ["", "s", "n", "en", "es", "er", "e"];
/** Endings that the stemmer takes off a long word and leaves on a short one: «regenwass», but «wasser». */
const STEMMED_OFF = ["", "er", "ion", "ent", "ment", "al"];
/** A last part of at least so many letters may be inflected: it counts as known if a word begins like it up to its ending. */
const LEAST_INFLECTED = 7;
const ENDING = 2;
/** Each lookup reads the project's words that begin alike; a query may need only this many, and a project have only this many chunks. */
const MOST_LOOKS = 6;
const MOST_WORDS_SEEN = 3_000;
const LARGEST_PROJECT = 50_000;

const withoutLink = (rest: string): string[] =>
  BETWEEN.filter((link) => rest.startsWith(link) && rest.length - link.length >= LEAST_PART).map((link) =>
    rest.slice(link.length),
  );

/** `lesser`: function-words.ts. They are no parts: «Durchmesser» is not about knives. */
export const splitterFor = (read: IndexReader, index: ProjectIndex, lesser: ReadonlySet<string>): CompoundSplitter => {
  let looks = index.liveChunks > LARGEST_PROJECT ? 0 : MOST_LOOKS;
  return (word, key) => {
    const prefix = key.slice(0, -word.length);
    const isKnown = (part: string) => frequencyOf(read, index, prefix + part) > 0;
    /** Longest first; empty if the word is an inflection of one of them. */
    const beginningsOf = (whole: string): string[] => {
      const known = listTerms(read, `${prefix}${whole.slice(0, LEAST_PART)}*`, MOST_WORDS_SEEN)
        .map((each) => each.slice(prefix.length))
        .filter((each) => whole.startsWith(each));
      return known.some((each) => each.length > whole.length - LEAST_PART)
        ? []
        : known.sort((one, other) => other.length - one.length);
    };
    const split = (whole: string): string[] => {
      const known = STEMMED_OFF.map((ending) => whole + ending).find(isKnown);
      if (known !== undefined) return [known];
      if (looks === 0 || whole.length < LEAST_LETTERS) return [];
      looks--;
      for (const beginning of beginningsOf(whole))
        for (const rest of withoutLink(whole.slice(beginning.length))) {
          const parts = split(rest);
          if (parts.length > 0) return [beginning, ...parts];
          if (rest.length >= LEAST_INFLECTED && isKnown(`${rest.slice(0, -ENDING)}*`)) return [beginning, rest];
        }
      return [];
    };
    const mayBeOne = looks > 0 && word.length >= LEAST_LETTERS && LETTERS.test(word);
    const parts = mayBeOne ? split(word) : [];
    return parts.length > 1 && !parts.some((part) => lesser.has(part)) ? parts : [];
  };
};
