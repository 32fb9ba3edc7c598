/**
 * PDF → text page by page, with pdf.js. Only ever run in a process of its own (see extract-child.ts): a hostile file can take
 * all the memory and time it is given, and nothing inside this process can stop it.
 */
import { getResolvedPDFJS } from "unpdf";
import { type ContentItem, withActualTexts } from "./actual-text.ts";
import { withoutEchoes } from "./drop-echoes.ts";
import { EXTRACT_BOUNDS, type FailureReason, type Page, UNREAD_PAGE } from "./extraction.ts";
import { holdsPictures } from "./find-pictures.ts";
import { type Annotation, mayHoldTyped, withFilledIn } from "./form-fields.ts";
import { joinItems } from "./join-items.ts";
import { mendPdfjs } from "./mend-pdfjs.ts";
import { withNumberedLetters } from "./numbered-letters.ts";
import { readCmaps } from "./read-cmaps.ts";
import type { TextItem } from "./text-item.ts";

export class UnreadablePdf extends Error {
  constructor(readonly reason: FailureReason) {
    super(reason);
  }
}

/** Acrobat ends lines of typed text with a carriage return. */
const LINE_END = /\r\n?/g;
/** Left over from fonts without a character map. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

const reasonOf = (error: unknown): FailureReason => {
  const name = error instanceof Error ? error.name : "";
  return name === "PasswordException" ? "password" : "corrupt";
};

const openPdf = async (bytes: Uint8Array) => {
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  // pdf.js takes its binary resources through this one class; only CMaps are needed for text.
  let cmaps: ReturnType<typeof readCmaps> | undefined;
  class CmapFactory {
    fetch = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
      cmaps ??= readCmaps();
      const map = kind === "cMapUrl" ? (await cmaps)(filename.replace(/\.bcmap$/, "")) : undefined;
      if (map === undefined) throw new Error(`no ${filename}`);
      return map;
    };
  }
  return getDocument({
    data: bytes,
    cMapUrl: "x:/",
    cMapPacked: true,
    useWorkerFetch: false,
    BinaryDataFactory: CmapFactory,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    maxImageSize: 16_777_216,
    verbosity: VerbosityLevel.ERRORS,
  } as Parameters<typeof getDocument>[0]).promise;
};

type PdfPage = {
  streamTextContent(options: object): ReadableStream<{ items: ContentItem[] }>;
  getAnnotations(): Promise<Annotation[]>;
};

const readItems = async (page: PdfPage, budget: number): Promise<TextItem[]> => {
  const found: ContentItem[] = [];
  let characters = 0;
  using mended = mendPdfjs();
  for await (const content of page.streamTextContent({ includeMarkedContent: true, disableNormalization: true })) {
    for (const item of content.items) {
      found.push(item);
      if ("str" in item) characters += item.str.length;
    }
    if (characters > budget) throw new UnreadablePdf("characters");
  }
  return withActualTexts(withNumberedLetters(found), mended.actualTexts);
};

const readPage = async (page: PdfPage, isFilledIn: boolean, budget: number): Promise<string> => {
  const items = withoutEchoes(await readItems(page, budget));
  const all = isFilledIn ? withFilledIn(items, await page.getAnnotations()) : items;
  return joinItems(all).replace(LINE_END, "\n").replace(CONTROL, "");
};

/** Fewer characters per page on average are a stamp or page numbers rather than text. */
const SCANNED_BELOW = 10;

/** Totals over all pages. */
const newTally = () => ({ characters: 0, pages: 0, wordless: 0 });

const countPage = (tally: ReturnType<typeof newTally>, text: string): void => {
  tally.pages++;
  tally.characters += text.replace(/\s+/g, "").length;
  if (!/\p{L}/u.test(text)) tally.wordless++;
};

/** A short text counts; but if most pages have no words and there are pictures, the pictures hold the text. */
const whyNoText = (
  { characters, pages, wordless }: ReturnType<typeof newTally>,
  pictures: boolean,
): FailureReason | undefined => {
  if (pictures && characters < SCANNED_BELOW * pages && wordless * 2 >= pages) return "scanned";
  return characters === 0 ? "empty" : undefined;
};

/** Yields each page's text, 1-based; throws UnreadablePdf with the reason, possibly after the last page. */
export async function* readPdf(bytes: Uint8Array): AsyncGenerator<Page> {
  const pictures = holdsPictures(bytes);
  const isTypedOver = mayHoldTyped(bytes);
  const tally = newTally();
  let pdf: Awaited<ReturnType<typeof openPdf>>;
  try {
    pdf = await openPdf(bytes);
  } catch (error) {
    throw new UnreadablePdf(reasonOf(error));
  }
  if (pdf.numPages > EXTRACT_BOUNDS.pages) throw new UnreadablePdf("pages");
  let left: number = EXTRACT_BOUNDS.characters;
  const isFilledIn = isTypedOver || (await pdf.getFieldObjects().catch(() => null)) !== null;
  let lastRead = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    let text = UNREAD_PAGE;
    try {
      const page = await pdf.getPage(number);
      text = await readPage(page as unknown as PdfPage, isFilledIn, left);
      page.cleanup();
      countPage(tally, text);
      lastRead = number;
    } catch (error) {
      if (error instanceof UnreadablePdf) throw error;
    }
    left -= text.length;
    yield { page: number, text };
  }
  // If the last page is damaged, the file is probably cut off.
  if (lastRead < pdf.numPages) throw new UnreadablePdf("corrupt");
  const reason = whyNoText(tally, pictures);
  if (reason !== undefined) throw new UnreadablePdf(reason);
}
