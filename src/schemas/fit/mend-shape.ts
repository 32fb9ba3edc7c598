/**
 * Corrects the shape of a value: one item without its list or a list around one item, properties under another spelling of their name, and
 * properties that the schema does not allow.
 */
import { isContainer } from "../../lib/is-record.ts";
import type { SchemaError } from "../compile/describe-errors.ts";
import type { Mended } from "./mend-string.ts";
import { type Spellings, spellingOfKey, type Vocabulary, wordMeant } from "./vocabulary.ts";

/** A string that may itself be a list: splitting it would be a guess, and text that begins as JSON is not an item. */
const MAY_BE_LIST = /[,;|\n]|^\s*[[{]/;
const REFUSES_PROPERTIES = /^must not have the additional properties/;
const WANTS_LIST = /^must be (?:either )?array/;

export const refusesProperties = ({ message }: SchemaError): boolean => REFUSES_PROPERTIES.test(message);

export const mendShape = (value: unknown, error: SchemaError, { names, words }: Vocabulary): Mended | undefined => {
  if (Array.isArray(value)) return value.length === 1 ? { value: value[0], repair: "one_item_list" } : undefined;
  if (WANTS_LIST.test(error.message)) {
    const isOneItem = value !== null && (typeof value !== "string" || !MAY_BE_LIST.test(value));
    return isOneItem ? { value: [value], repair: "one_item_list" } : listOfWords(value, words);
  }
  if (!isContainer(value)) return undefined;
  return renameProperties(value, names) ?? (refusesProperties(error) ? dropProperties(value, names) : undefined);
};

/** `"red, blue"` where the schema lists both. */
const listOfWords = (value: unknown, words: Spellings): Mended | undefined => {
  const said = typeof value === "string" ? value.slice(0, LONGEST_LIST).split(/[,;|\n]/) : [];
  const meant = said.map((each) => wordMeant(each, words));
  return said.length > 1 && !meant.includes(undefined) ? { value: meant, repair: "one_item_list" } : undefined;
};
const LONGEST_LIST = 2_000;

const renameProperties = (object: object, names: Spellings): Mended | undefined => {
  const renamed = Object.entries(object).map(([key, value]) => {
    const name = names.get(spellingOfKey(key));
    return [name === undefined || Object.hasOwn(object, name) ? key : name, value] as const;
  });
  const isNew = renamed.some(([key]) => !Object.hasOwn(object, key));
  const isWhole = new Set(renamed.map(([key]) => key)).size === renamed.length;
  return isNew && isWhole ? { value: Object.fromEntries(renamed), repair: "property_spelling" } : undefined;
};

/** A property that the schema has elsewhere may be misplaced; its meaning is unknown, so it is kept. */
const dropProperties = (object: object, names: Spellings): Mended | undefined => {
  const known = Object.entries(object).filter(([key]) => names.has(spellingOfKey(key)));
  const dropped = Object.keys(object).length - known.length;
  return dropped > 0 ? { value: Object.fromEntries(known), repair: "extra_property" } : undefined;
};
