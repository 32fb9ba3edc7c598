/**
 * Works around four limits of pdf.js: three with scripts whose letters merge (Devanagari, Bengali, Tamil, Thai, Arabic), one with character
 * maps that leave characters out. It exports none of the classes concerned, so three built-in methods are replaced, and one property of
 * fonts is watched, while it reads a page, in the extraction child alone. If a later pdf.js works differently, this matches nothing and it
 * reads as it would without.
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

/** pdf.js sets this on a font's properties when it has read its character map, and asks for it before it maps glyphs by their names. */
const HAS_MAP = "hasIncludedToUnicodeMap";

type CharacterMap = { has(code: number): boolean; amend(characters: string[]): void };
/** `composite`: a font of glyphs by number, whose names have other codes. */
type FontProperties = { toUnicode: CharacterMap; builtInEncoding?: unknown; composite?: boolean };

/**
 * Ghostscript leaves characters out of a font's map if the names of their glyphs say what they are («fi», «backslash»). pdf.js asks for the
 * names only if there is no map. So it is told that there is none as soon as it knows the names, and the map keeps what it has.
 */
const readNamesToo = (): (() => void) => {
  const mapped = new WeakSet<object>();
  Object.defineProperty(Object.prototype, HAS_MAP, {
    configurable: true,
    get(this: FontProperties) {
      return mapped.has(this) && (this.composite === true || this.builtInEncoding === undefined);
    },
    set(this: FontProperties, hasMap: unknown) {
      if (hasMap !== true) return;
      mapped.add(this);
      const map = this.toUnicode;
      const { amend } = map;
      map.amend = (named) => {
        const missing: string[] = [];
        named.forEach((character, code) => {
          if (!map.has(code)) missing[code] = character;
        });
        amend.call(map, missing);
      };
    },
  });
  return () => delete (Object.prototype as { [HAS_MAP]?: boolean })[HAS_MAP];
};

/**
 * Until it is disposed of, pdf.js gives each span with an «ActualText» the number of that text in `actualTexts`, in place of the written
 * number; the others get none.
 */
export const mendPdfjs = (): Disposable & { actualTexts: string[] } => {
  const actualTexts: string[] = [];
  const numberOf = (text: unknown) => (typeof text === "string" ? actualTexts.push(text) - 1 : undefined);
  const { get } = Map.prototype;
  const { match } = String.prototype;
  const { join } = Array.prototype;
  const stopReadingNames = readNamesToo();
  Map.prototype.get = function (this: Map<unknown, unknown>, key: unknown): unknown {
    return key === NUMBER ? numberOf(get.call(this, "ActualText")) : get.call(this, key);
  };
  String.prototype.match = function (this: string, pattern: never): RegExpMatchArray | null {
    return isMarks(pattern) && hasInk(this) ? null : match.call(this, pattern);
  };
  Array.prototype.join = function (this: unknown[], separator?: string): string {
    return join.call(separator === "" && this.some(isMerged) ? this.map(asDrawn) : this, separator);
  };
  return {
    actualTexts,
    [Symbol.dispose]: () => {
      Map.prototype.get = get;
      String.prototype.match = match;
      Array.prototype.join = join;
      stopReadingNames();
    },
  };
};
