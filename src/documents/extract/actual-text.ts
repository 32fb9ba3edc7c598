/**
 * Uses a PDF's «ActualText», which says what its glyphs stand for. The glyphs alone do not tell where letters merge or change places
 * (Devanagari, Tamil, Thai), or where a radical was drawn instead of a Chinese character.
 */
import { mendPdfjs } from "./mend-pdfjs.ts";
import { type TextItem, xOf, yOf } from "./text-item.ts";

/** A pdf.js item when marked content is requested; the `id` of a span's beginning ends in its number. */
export type ContentItem = TextItem | { type: string; id?: string | null };

type ActualTexts = {
  /** Replaces items by the text they stand for. Spans may continue from one call to the next. */
  apply(content: readonly ContentItem[]): TextItem[];
  stop(): void;
};

/** `text`: what all glyphs of the span stand for; it takes the place of the first of them and is then empty. */
type Span = { depth: number; text: string };

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

const numberOf = (id: string): number => Number(/\d+$/.exec(id)?.[0]);

/** A smaller gap counts as none; in text heights. */
const NO_GAP = 0.05;

/**
 * Whether a text begins where the one before ends, so that a blank at its beginning takes no room: browsers write soft hyphens that do not
 * show as spans with such a blank.
 */
const isEndOf = (before: TextItem, item: TextItem): boolean =>
  /^\s\S/.test(item.str) &&
  yOf(item) === yOf(before) &&
  Math.abs(xOf(item) - xOf(before) - (before.width ?? 0)) < NO_GAP * item.height;

/** Until `stop` is called, pdf.js gives each span the number of its text in `texts`; spans without an ActualText get no number. */
export const watchActualTexts = (): ActualTexts => {
  const texts: string[] = [];
  // An empty text is intended: such glyphs (line numbers of listings, leaders) are not part of the text.
  const stop = mendPdfjs((text) => (typeof text === "string" ? texts.push(decode(text)) - 1 : undefined));
  let depth = 0;
  let span: Span | undefined;
  let isAfterSpan = false;
  let last: TextItem | undefined;
  const outside = (item: TextItem): TextItem => {
    const str = item.str.replace(CONTROL, " ");
    const isWithoutGap = isAfterSpan && last !== undefined && isEndOf(last, item);
    isAfterSpan = false;
    return { ...item, str: isWithoutGap ? str.trimStart() : str };
  };
  const inside = (item: TextItem, span: Span): TextItem => {
    const { text } = span;
    // A blank before the first glyph separates the span from the text before it.
    const [blanks] = BLANKS.exec(item.str)!;
    if (blanks === item.str && text !== "") return item;
    span.text = "";
    return { ...item, str: text === "" ? "" : blanks + text };
  };
  return {
    apply: (content) => {
      const items: TextItem[] = [];
      for (const item of content) {
        if ("str" in item) {
          last = span === undefined ? outside(item) : inside(item, span);
          items.push(last);
        } else if (item.type === "endMarkedContent") {
          if (span?.depth !== depth--) continue;
          span = undefined;
          isAfterSpan = true;
        } else if (item.type.startsWith("beginMarkedContent")) {
          depth++;
          if (span === undefined && item.id != null) span = { depth, text: texts[numberOf(item.id)] ?? "" };
        }
      }
      return items;
    },
    stop,
  };
};
