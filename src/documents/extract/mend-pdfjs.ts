/**
 * Two faults of pdf.js with scripts whose letters merge (Devanagari, Bengali, Tamil, Thai), mended from outside while it reads a page: it
 * offers no other way. Where it is made differently one day, nothing is found here and it reads as it would without.
 */

/** What it tells characters without width and those not to be seen by; half of it was meant for single ones and takes whole syllables. */
const MARKS = /^(\s)|(\p{Mn})|(\p{Cf})$/u.source;
const isMarks = (pattern: unknown): boolean => pattern instanceof RegExp && pattern.source === MARKS;

/** The number of a span, which it looks up in a Map of all that is said of the span. */
const NUMBER = "MCID";

/**
 * `numberOf` gives each span another number, by the text that its glyphs stand for. The returned function puts all back as it was.
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
