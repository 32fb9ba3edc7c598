/**
 * Splits a compound in a query that the project does not have («Verwaltungsorgan», «Passwortdatei») into words that it has, without the
 * letters that German and related languages put between them.
 */
import type { Vocabulary } from "./vocabulary.ts";

const LEAST_LETTERS = 9;
const LEAST_PART = 4;
const LETTERS = /^\p{Script=Latin}+$/u;
/** Letters that may link two parts. */
const LINKS = ["", "s", "n", "en", "es", "er", "e"];
/** Endings that the stemmer removes from a long word but not from a short one: «regenwass», but «wasser». */
const STEMMED_OFF = ["", "er", "ion", "ent", "ment", "al"];
/** A last part with at least this many letters may be inflected: it counts as known if a word begins like it except for its ending. */
const LEAST_INFLECTED = 7;
const ENDING = 2;

/** What may follow the first part of a compound: the rest, with and without the letters that may link it. */
const withoutLink = (rest: string): string[] =>
  LINKS.filter((link) => rest.startsWith(link) && rest.length - link.length >= LEAST_PART).map((link) => rest.slice(link.length));

/** The known words that the compound begins with, longest first; empty if it is an inflection of one of them. */
const beginningsOf = (compound: string, vocabulary: Vocabulary): string[] => {
  const known = vocabulary.beginningWith(compound.slice(0, LEAST_PART)).filter((word) => compound.startsWith(word));
  const isInflection = known.some((word) => word.length > compound.length - LEAST_PART);
  return isInflection ? [] : known.sort((one, other) => other.length - one.length);
};

/** The known words that it consists of: one if it is known itself, none if it cannot be split. */
const partsOf = (compound: string, vocabulary: Vocabulary): string[] => {
  const known = STEMMED_OFF.map((ending) => compound + ending).find(vocabulary.has);
  if (known !== undefined) return [known];
  if (!vocabulary.mayLookUp() || compound.length < LEAST_LETTERS) return [];
  for (const beginning of beginningsOf(compound, vocabulary))
    for (const rest of withoutLink(compound.slice(beginning.length))) {
      const parts = partsOf(rest, vocabulary);
      if (parts.length > 0) return [beginning, ...parts];
      if (rest.length >= LEAST_INFLECTED && vocabulary.has(`${rest.slice(0, -ENDING)}*`)) return [beginning, rest];
    }
  return [];
};

/** Empty if the project has the word or it cannot be split. Function words (`lesser`) are no parts: «Durchmesser» is not about knives. */
export const splitCompound = (word: string, vocabulary: Vocabulary, lesser: ReadonlySet<string>): string[] => {
  const mayBeOne = vocabulary.mayLookUp() && word.length >= LEAST_LETTERS && LETTERS.test(word);
  const parts = mayBeOne ? partsOf(word, vocabulary) : [];
  return parts.length > 1 && !parts.some((part) => lesser.has(part)) ? parts : [];
};
