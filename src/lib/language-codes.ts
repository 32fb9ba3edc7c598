/** Languages by their two-letter codes (ISO 639-1) and their English names, as the runtime knows them. */

const NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** In lower case. A code that was withdrawn is none: Hebrew is `he`, no longer `iw`. */
export const isLanguageCode = (code: string): boolean =>
  PAIRS.includes(code) && NAMES.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code;

/** The code of a language by its name, in lower case; undefined for a name that is not known. */
export const languageCodeOf = (name: string): string | undefined =>
  PAIRS.find((code) => NAMES.of(code)?.toLowerCase() === name && isLanguageCode(code));
