/** Replaces characters that stand for shapes by ordinary ones: ligatures, contextual forms of Arabic letters, radicals, small capitals. */

/** Latin ligatures, Arabic forms, punctuation of vertical lines, and the radicals that NFKC maps to a character. */
const SHAPED = /[\u2f00-\u2fd5\ufb00-\ufb06\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe44\ufe70-\ufefc]/g;

/** Each radical with the character that fonts draw with the same glyph: PDF producers map a glyph to the first character that uses it. */
const RADICALS =
  "⺒巳⺓幺⺟母⺠民⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻘青⻙韦⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟";
const CHARACTERS = new Map(Array.from(RADICALS.matchAll(/(.)(.)/g), ([, radical, character]) => [radical!, character!]));
const RADICAL = /[\u2e80-\u2ef3]/g;

/**
 * The ligatures of TeX's bitmap fonts, whose glyphs have codes but no names. Beside a Latin letter, a control character is hardly anything
 * else; beside others it is a glyph that the font's character map lacks.
 */
const LIGATURES = new Map(
  Object.entries({ "\x0e": "ffi", "\x0f": "ffl", "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl" }),
);
const LIGATURE = /(?<=\p{Script=Latin})[\x0e\x0f\x1b-\x1f]|[\x0e\x0f\x1b-\x1f](?=\p{Script=Latin})/gu;

/**
 * Ghostscript writes the letters of a ligature with the bytes of each swapped: «昀椀» (U+6600 U+6900) for «fi» (U+0066 U+0069). Only letters
 * that fonts join in ligatures, beside a Latin letter.
 */
const SWAPPED = /(?<=\p{Script=Latin})[昀栀椀樀欀氀猀琀吀]{2,3}|[昀栀椀樀欀氀猀琀吀]{2,3}(?=\p{Script=Latin})/gu;
const swapBytes = (letters: string): string => letters.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) >> 8));

/**
 * Adobe's list of glyph names has variants of characters in the private use area: old-style figures and small capitals at 0xf700 above the
 * figure or small letter, italic letters of Cyrillic elsewhere. A symbol of an icon font in that area stands alone.
 */
const OLD_STYLE_FIGURE = /[\uf730-\uf739]/g;
const SMALL_CAPITALS = "\\uf761-\\uf77a\\uf7e0-\\uf7f6\\uf7f8-\\uf7ff";
const SMALL_CAPITAL = new RegExp(
  `(?<=[\\p{L}${SMALL_CAPITALS}])[${SMALL_CAPITALS}]|[${SMALL_CAPITALS}](?=[\\p{L}${SMALL_CAPITALS}])`,
  "gu",
);
const unraised = (variant: string): string => String.fromCharCode(variant.charCodeAt(0) - 0xf700);
const ITALICS = new Map(Object.entries({ "\uf6c4": "г", "\uf6c5": "б", "\uf6c6": "д", "\uf6c7": "п", "\uf6c8": "т" }));
const ITALIC = /[\uf6c4-\uf6c8]/g;

/** A vowel sign at the end of a word may be drawn so far from it that there seems to be a blank; Arabic signs by themselves contain one. */
const BLANK_BEFORE_SIGN = /(?<=[\p{L}\p{M}]) (?=\p{M}+(?![\p{L}\p{M}]))/gu;

export const plainLetters = (text: string): string =>
  text
    .replace(SHAPED, (shape) => shape.normalize("NFKC"))
    .replace(BLANK_BEFORE_SIGN, "")
    .replace(RADICAL, (radical) => CHARACTERS.get(radical) ?? radical)
    .replace(LIGATURE, (code) => LIGATURES.get(code)!)
    .replace(SWAPPED, swapBytes)
    .replace(OLD_STYLE_FIGURE, unraised)
    .replace(SMALL_CAPITAL, unraised)
    .replace(ITALIC, (variant) => ITALICS.get(variant)!);
