/**
 * Works around two limits of pdf.js with scripts whose letters merge (Devanagari, Bengali, Tamil, Thai). It exports none of the classes
 * concerned, so two built-in methods are replaced while it reads a page, in the extraction child alone. If a later pdf.js works
 * differently, the replacements match nothing and it reads as it would without them.
 */

/** By this pattern pdf.js finds characters without width or ink. It lacks a group, so that it also matches whole syllables. */
const MARKS = /^(\s)|(\p{Mn})|(\p{Cf})$/u.source;
const isMarks = (pattern: unknown): boolean => pattern instanceof RegExp && pattern.source === MARKS;

/** pdf.js looks a span's number up by this key, in the Map of the span's properties. */
const NUMBER = "MCID";

/**
 * `numberOf` gives each span its number in place of the written one, from the text that its glyphs stand for. The returned function
 * restores both methods.
 */
export const mendPdfjs = (numberOf: (actualText: unknown) => number | undefined): (() => void) => {
  const { get } = Map.prototype;
  const { match } = String.prototype;
  Map.prototype.get = function (this: Map<unknown, unknown>, key: unknown): unknown {
    return key === NUMBER ? numberOf(get.call(this, "ActualText")) : get.call(this, key);
  };
  String.prototype.match = function (this: string, pattern: never): RegExpMatchArray | null {
    return isMarks(pattern) && [...this].length > 1 ? null : match.call(this, pattern);
  };
  return () => {
    Map.prototype.get = get;
    String.prototype.match = match;
  };
};
