/**
 * Uses a PDF's «ActualText», which says what its glyphs stand for. The glyphs alone do not tell where letters merge or change places
 * (Devanagari, Tamil, Thai), or where a radical was drawn instead of a Chinese character.
 */
import { placeOf, type TextItem, xOf, yOf } from "./text-item.ts";

/** A pdf.js item when marked content is requested; the `id` of a span's beginning ends in its number. */
export type ContentItem = TextItem | { type: string; id?: string | null };

/**
 * `text`: what all glyphs of the span stand for; `holder`: the first of them, which has that text, while the others have none; `blank`: what
 * pdf.js put before it.
 */
type Span = { depth: number; text: string; holder?: TextItem; blank?: TextItem };

const ENCODINGS = [
  { mark: "\u00fe\u00ff", encoding: "utf-16be" },
  { mark: "\u00ff\u00fe", encoding: "utf-16le" },
  { mark: "\u00ef\u00bb\u00bf", encoding: "utf-8" },
] as const;
/** Between escape characters stands the code of the language that follows. */
const ESCAPED = /\u001b[^\u001b]*\u001b/g;
/** Without a mark, the encoding is PDFDocEncoding: Latin-1 except for these characters, from 0x80 to 0xA0. */
const DIFFERENT = /[\u0080-\u00a0]/g;
const INSTEAD = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u009f€";

/** Decodes a PDF's text string, given with one character for each byte. */
const decode = (written: string): string => {
  const marked = ENCODINGS.find(({ mark }) => written.startsWith(mark));
  if (marked === undefined) return written.replace(DIFFERENT, (byte) => INSTEAD[byte.charCodeAt(0) - 0x80]!);
  return new TextDecoder(marked.encoding as "utf-8").decode(Buffer.from(written, "latin1")).replace(ESCAPED, "");
};

/** Such characters in a text are blanks, but in a span they are glyphs without a character; see mend-pdfjs.ts. */
const CONTROL = /[\t-\r]/g;
const BLANKS = /^[ \u00a0]*/;

/** A smaller gap counts as none; in text heights. */
const NO_GAP = 0.05;
/**
 * Where pdf.js sees the end of a line between two glyphs of a span that are no further apart, the first is the dots of an Arabic letter; in
 * text heights.
 */
const SAME_LINE = 0.6;
/** The blanks that pdf.js puts between glyphs have no height. */
const isGap = ({ str, height }: TextItem): boolean => str === " " && height === 0;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Lets the holder take the place of a further glyph of its span too: vowel signs and accents may be drawn before their letter. A blank that
 * it then covers was only the distance between the two.
 */
const cover = ({ blank }: Span, holder: TextItem, glyph: TextItem): void => {
  if (isGap(glyph)) return;
  const [own, other] = [placeOf(holder), placeOf(glyph)];
  const step = Math.abs(own.base - other.base);
  if (glyph.str === "" || step > holder.height || (holder.hasEOL && step > SAME_LINE * holder.height)) return;
  holder.hasEOL = false;
  const widest = (glyph.width ?? 0) > (holder.width ?? 0) ? other : own;
  const left = Math.min(own.left, other.left);
  holder.transform = movedAlong(widest.item, left - widest.left);
  holder.width = Math.max(own.right, other.right) - left;
  if (blank !== undefined && left < placeOf(blank).left + NO_GAP * holder.height) blank.str = "";
};

const movedAlong = ({ transform }: TextItem, distance: number): number[] => {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const step = distance / (Math.hypot(a, b) || 1);
  return [a, b, c, d, x + step * a, y + step * b];
};

/** Joins or separates two letters without being seen, as in most Persian words. It is drawn as a blank without width. */
const JOINER = /^[\u200c\u200d]+$/;
/** In points: so far it stands behind the letter, whose end is not exactly known. */
const HAIR = 0.01;

const joinerBehind = (letter: TextItem, text: string): TextItem => ({
  ...letter,
  str: text,
  transform: movedAlong(letter, (letter.width ?? 0) + HAIR),
  width: 0,
});

const numberOf = (id: string): number => Number(/\d+$/.exec(id)?.[0]);

/**
 * Whether a text begins where the one before ends, so that a blank at its beginning takes no room: browsers write soft hyphens that do not
 * show as spans with such a blank.
 */
const isEndOf = (before: TextItem, item: TextItem): boolean =>
  /^\s\S/.test(item.str) &&
  yOf(item) === yOf(before) &&
  Math.abs(xOf(item) - xOf(before) - (before.width ?? 0)) < NO_GAP * item.height;

/** `spanEnd`: the item before, if a span ends there. */
const outside = (item: TextItem, spanEnd: TextItem | undefined): TextItem => {
  const str = item.str.replace(CONTROL, " ");
  return { ...item, str: spanEnd !== undefined && isEndOf(spanEnd, item) ? str.trimStart() : str };
};

const inside = (item: TextItem, span: Span): TextItem => {
  const { text, holder } = span;
  if (holder !== undefined) {
    cover(span, holder, item);
    return { ...item, str: "" };
  }
  // A blank before the first glyph separates the span from the text before it.
  const [blanks] = BLANKS.exec(item.str)!;
  if (blanks === item.str && text !== "") {
    span.blank = { ...item };
    return span.blank;
  }
  span.holder = RIGHT_TO_LEFT.test(text) ? { ...item, str: text + blanks, dir: "rtl" } : { ...item, str: text && blanks + text };
  return span.holder;
};

/**
 * Replaces a page's items by the text they stand for. `texts`: by the numbers that mend-pdfjs.ts has given the spans. An empty text is
 * intended: such glyphs (line numbers of listings, leaders) are not part of the text.
 */
export const withActualTexts = (content: readonly ContentItem[], texts: readonly string[]): TextItem[] => {
  const items: TextItem[] = [];
  let depth = 0;
  let span: Span | undefined;
  let isAfterSpan = false;
  for (const item of content) {
    const last = items.at(-1);
    if ("str" in item) {
      items.push(span === undefined ? outside(item, isAfterSpan ? last : undefined) : inside(item, span));
      isAfterSpan = false;
    } else if (item.type === "endMarkedContent") {
      if (span?.depth !== depth--) continue;
      if (span.holder === undefined && JOINER.test(span.text) && last?.hasEOL === false)
        items.push(joinerBehind(last, span.text));
      span = undefined;
      isAfterSpan = true;
    } else if (item.type.startsWith("beginMarkedContent")) {
      depth++;
      if (span === undefined && item.id != null) span = { depth, text: decode(texts[numberOf(item.id)] ?? "") };
    }
  }
  return items;
};
