/**
 * Works around three limits of pdf.js with scripts whose letters merge (Devanagari, Bengali, Tamil, Thai, Arabic). It exports none of the
 * classes concerned, so three built-in methods are replaced while it reads a page, in the extraction child alone. If a later pdf.js works
 * differently, the replacements match nothing and it reads as it would without them.
 */

/** By this pattern pdf.js finds characters without width or ink. It lacks a group, so that it also matches whole syllables. */
const MARKS = /^(\s)|(\p{Mn})|(\p{Cf})$/u.source;
const isMarks = (pattern: unknown): boolean => pattern instanceof RegExp && pattern.source === MARKS;

/**
 * A glyph that its font's character map lacks counts as the character with its number. If that is a control character, pdf.js would put a
 * blank behind the glyph, even where its span says what it stands for. And it would leave out soft hyphens, with which Typst cuts words.
 */
const DRAWN = /^[\t-\r\u00ad]$/;
const hasInk = (glyph: string): boolean => [...glyph].length > 1 || DRAWN.test(glyph);

/** pdf.js looks a span's number up by this key, in the Map of the span's properties. */
const NUMBER = "MCID";

/**
 * Several right-to-left letters that one glyph stands for («لا»), in the order in which they are read. pdf.js joins the texts of all
 * glyphs and then reverses the whole, so those of one glyph must be reversed before.
 */
const MERGED = /^[\p{Script=Arabic}\p{Script=Hebrew}][\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Inherited}]+$/u;
const isMerged = (glyph: unknown): glyph is string => typeof glyph === "string" && glyph.length > 1 && MERGED.test(glyph);
const asDrawn = (glyph: unknown): unknown => (isMerged(glyph) ? [...glyph].reverse().join("") : glyph);

/**
 * `numberOf` gives each span its number in place of the written one, from the text that its glyphs stand for. The returned function
 * restores all methods.
 */
export const mendPdfjs = (numberOf: (actualText: unknown) => number | undefined): (() => void) => {
  const { get } = Map.prototype;
  const { match } = String.prototype;
  const { join } = Array.prototype;
  Map.prototype.get = function (this: Map<unknown, unknown>, key: unknown): unknown {
    return key === NUMBER ? numberOf(get.call(this, "ActualText")) : get.call(this, key);
  };
  String.prototype.match = function (this: string, pattern: never): RegExpMatchArray | null {
    return isMarks(pattern) && hasInk(this) ? null : match.call(this, pattern);
  };
  Array.prototype.join = function (this: unknown[], separator?: string): string {
    return join.call(separator === "" && this.some(isMerged) ? this.map(asDrawn) : this, separator);
  };
  return () => {
    Map.prototype.get = get;
    String.prototype.match = match;
    Array.prototype.join = join;
  };
};
