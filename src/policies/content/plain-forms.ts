/** Writes full-width letters and the digits of other scripts as ASCII, so that personal data written with them is found. */

const OTHER_FORMS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u3000\uff01-\uff5e]/;
const EACH = new RegExp(OTHER_FORMS, "g");

/** Where ten digits of a script begin (Arabic, Persian, Devanagari). */
const DIGITS_FROM = [0x0660, 0x06f0, 0x0966];
const FULL_WIDTH = 0xff01 - 0x21;

/** The result is as long as `text`, so offsets are the same in both. */
export const plainForms = (text: string): string => (OTHER_FORMS.test(text) ? text.replace(EACH, plain) : text);

const plain = (character: string): string => {
  const code = character.charCodeAt(0);
  if (code === 0x3000) return " ";
  const zero = DIGITS_FROM.find((from) => code >= from && code < from + 10);
  return String.fromCharCode(zero === undefined ? code - FULL_WIDTH : code - zero + 0x30);
};
