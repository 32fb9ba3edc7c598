/** Writes full-width letters, the digits of other scripts and signs that look like those of ASCII as ASCII, so that what is written with them is found. */

/** Where ten digits of a script begin: Arabic, Persian, N'Ko, those of India, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian. */
const DIGITS_FROM = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810,
];
/** The ideographic blank, small forms, and what fractions are written with. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["\u3000", " "],
  ["\u2024", "."],
  ["\u2044", "/"],
  ["\u2215", "/"],
  ["\ufe52", "."],
  ["\ufe58", "-"],
  ["\ufe63", "-"],
  ["\ufe6b", "@"],
]);
const FULL_WIDTH = 0xff01 - 0x21;

const hex = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
const DIGITS = DIGITS_FROM.map((zero) => `${hex(zero)}-${hex(zero + 9)}`).join("");
const OTHER_FORMS = new RegExp(`[${DIGITS}${[...SIGNS.keys()].join("")}\\uff01-\\uff5e]`);
const EACH = new RegExp(OTHER_FORMS, "g");

/** The result is as long as `text`, so offsets are the same in both. */
export const plainForms = (text: string): string => (OTHER_FORMS.test(text) ? text.replace(EACH, plain) : text);

const plain = (character: string): string => {
  const sign = SIGNS.get(character);
  if (sign !== undefined) return sign;
  const code = character.charCodeAt(0);
  const zero = DIGITS_FROM.find((from) => code >= from && code < from + 10);
  return String.fromCharCode(zero === undefined ? code - FULL_WIDTH : code - zero + 0x30);
};
