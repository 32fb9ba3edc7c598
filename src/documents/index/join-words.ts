/**
 * Names, codes and numbers that some people write in one piece and others in several («Wi-Fi», «WiFi», «wi fi»; «6204-2RS», «2.400,00»,
 * «max_connections»). The index holds them in one piece as well as their parts.
 */

/** Between a lower-case and a capital letter inside a name: «maxConnections», but not «mRNA» or «PhD». */
const HUMP = /(?<=\p{L}\p{Ll})(?=\p{Lu}\p{Ll})/gu;
/** Signs that join two words; the last ones cannot be seen: the soft hyphen, and the joiners of Persian and Indic words. */
const CONNECTORS = new Set("-‐‑_/.&@+\u00ad\u200c\u200d\u2060");
/** Signs that join groups of digits. */
const GROUPING = new Set(",'’ ");
const DIGITS = /^\d+$/;
const GROUPED = /^(\d{1,3}(?:[.,'’ ]\d{3})+)(?:[.,]\d{1,2})?$/;
const POINT = /(?<=\d)[.,](?=\d)/g;

/** The longest account numbers have eight groups. What has more parts is a path or an address, not a name. */
const MOST_PARTS = 8;
const LONGEST = 40;

/** Stands for the decimal point, at which the full-text index would divide a term. */
const DOT = "·";
const SIGNS = /[^\p{L}\p{N}\p{M}·]/gu;

/** Only digits of ASCII: numbers in other digits are left as they are. */
const isDigit = (text: string, at: number): boolean => (text.charCodeAt(at) - 48) >>> 0 < 10;

/**
 * The number of a bank account (IBAN) as it is printed, in groups of four. Only the first group after the check digits may be all letters.
 */
const ACCOUNT = /\b[a-z]{2}\d{2}(?: [a-z]{4})?(?: (?=[a-z]*\d)[a-z\d]{4}){2,7}(?: [a-z\d]{1,3})?\b/gi;
/** «v1.10.2» is version 1.10.2. */
const VERSION = /(?:^|[^a-z])v(\d+\.\d.*)$/;

/** A word that a line end cuts, or a name with a hyphen there. */
const CUT = /(?<=\p{L}[-‐\u00ad])\n[ \t]*(?=\p{Ll})/gu;

/** Puts a connector between the words of a name and between the groups of an account's number, and the halves of a cut word on one line. */
export const connectNames = (text: string): string =>
  text
    .replace(CUT, "")
    .replace(HUMP, "_")
    .replace(ACCOUNT, (account) => account.replaceAll(" ", "_"));

/** Whether `left` and `right`, with `sign` between them, are parts of one name, code or number. */
export const isConnected = (left: string, sign: string, right: string): boolean => {
  // Most words are separated by a blank, and this is asked for each word of each document.
  if (sign === " " && !isDigit(right, 0)) return false;
  if (CONNECTORS.has(sign)) return true;
  if (!isDigit(right, 0) || !isDigit(left, left.length - 1) || !GROUPING.has(sign)) return false;
  if (!DIGITS.test(left) || !DIGITS.test(right)) return false;
  // «12 500», «12,50», and «4000 0012 3456 7899» as numbers of cards, accounts and phones are written.
  return (
    (right.length === 3 && left.length <= 3) ||
    (sign === "," && right.length <= 2) ||
    (sign === " " && left.length >= 4 && right.length >= 4)
  );
};

/** Connected words in one piece; a version also without its «v». Empty if there are too many words. */
export const inOnePiece = (written: string, parts: number): string[] => {
  if (parts > MOST_PARTS || written.length > LONGEST) return [];
  const grouped = isDigit(written, 0) ? GROUPED.exec(written)?.[1] : undefined;
  if (grouped !== undefined) return [grouped.replace(SIGNS, "")];
  const version = VERSION.exec(written)?.[1];
  const spellings = version === undefined ? [written] : [written, version];
  // «2.10» is not «210».
  return spellings.map((spelling) => spelling.replace(POINT, DOT).replace(SIGNS, ""));
};

const PLUS = 43;
const HASH = 35;

/** The word that ends at `end` with its sign, because «C++» and «C#» are not «C»; undefined if it has none. */
export const withSign = (word: string, text: string, end: number): string | undefined => {
  const code = text.charCodeAt(end);
  if (code === PLUS && text.charCodeAt(end + 1) === PLUS) return `${word}⁺⁺`;
  return code === HASH ? `${word}♯` : undefined;
};
