/** How the wording of instructions is read, which are given in lower case: the parts that its patterns share, and what is left out first. */

/** Any of the words, which are themselves patterns. */
export const oneOf = (words: string): string => `(?:${words.split(" ").join("|")})`;
/** Not `\W`, which also matches the letters of other scripts, so that a match could begin anywhere in a Chinese sentence. */
export const START = "^[^\\p{L}\\p{N}]*";
export const OPENING = `${START}(?:[\\p{L}'’]+[\\s,]+){0,5}?`;
export const END_OF_THING = `(?=\\s${oneOf(
  "of for about on with that which who where in from to at as by called named titled between \\p{L}+ing",
)}\\b|\\s?[.,:;!?–—(]|\\s*$)`;
const ENDS_NAME = "of for about on with that which from to as using showing";
const MEDIA_OF =
  "audio spoken video(?!\\s(?:games?|calls?|conferences?|interviews?|production|marketing)\\s) visual illustrated animated narrated";
/** Up to five words, none of them `excluded`. */
const wordsBut = (excluded: string): string => `(?:(?!${oneOf(excluded)}\\s)[\\p{L}\\p{N}'’-]+\\s){0,5}?`;
/** Words that may precede the thing to be made: none that ends its name or turns it into media. */
export const BEFORE_THING = wordsBut(`${ENDS_NAME} ${MEDIA_OF}`);
/** The same for a thing that is text even after a word for media: «video titles», «image upload form». */
export const BEFORE_WORDS = wordsBut(ENDS_NAME);

/** The part of an instruction that may hold a wish: its first 400 characters. */
export const openingOf = (instruction: string): string => instruction.slice(0, 400);

/** «You are a pirate.»: a role for the answer, before the request itself. */
const ROLE =
  /^\s*(?:you(?:'re| are| will be)|act as|pretend to be|be|imagine you(?:'re| are)|du bist|tu es|vous êtes|eres|(?:tu )?sei|você é|jij bent|jesteś|ты)\s[^.!?\n]{1,80}[.!?]\s+(?=\S)/;
/** The instruction without a role in front of it. */
export const withoutRole = (instruction: string): string => instruction.replace(ROLE, "");

/** The same characters three times or more in a row, apart from blanks between them. */
const REPEATED = /(\S.{0,60}?)(?:\s*\1){2,}/gsu;
/** The instruction with each run of repeats shortened to one: «la» for «la la la». */
export const withoutRepeats = (instruction: string): string => instruction.replace(REPEATED, "$1");
