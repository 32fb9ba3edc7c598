/**
 * PDF → text page by page, with pdf.js. Only ever run in a process of its own (see extract-child.ts): a hostile file can take
 * all the memory and time it is given, and nothing inside this process can stop it.
 */
import { getResolvedPDFJS } from "unpdf";
import { EXTRACT_BOUNDS, type FailureReason, type Page } from "./extraction.ts";
import { readCmaps } from "./read-cmaps.ts";

export class UnreadablePdf extends Error {
  constructor(readonly reason: FailureReason) {
    super(reason);
  }
}

type TextItem = { str: string; hasEOL: boolean; height: number; transform: number[] };

/** Fonts without a map leave these behind. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** A step down the page of more than this many line heights is a paragraph's end. */
const PARAGRAPH_GAP = 1.7;

/** Lines as pdf.js found them; a blank line where the page leaves a gap, so that chunks can end there. */
const joinItems = (items: TextItem[]): string => {
  let text = "";
  let lineY: number | undefined;
  let lineHeight = 0;
  for (const item of items) {
    const y = item.transform[5] ?? 0;
    const atLineStart = text === "" || text.endsWith("\n");
    if (atLineStart && item.str.trim() !== "") {
      const height = Math.max(lineHeight, item.height);
      if (lineY !== undefined && height > 0 && lineY - y > PARAGRAPH_GAP * height && !text.endsWith("\n\n")) text += "\n";
      lineY = y;
      lineHeight = item.height;
    }
    text += item.str;
    if (item.hasEOL) text += "\n";
  }
  return text;
};

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

type PdfPage = { streamTextContent(options: object): ReadableStream<{ items: (TextItem | { type: string })[] }> };

const readPage = async (page: PdfPage, budget: number): Promise<string> => {
  const items: TextItem[] = [];
  let characters = 0;
  for await (const content of page.streamTextContent({ includeMarkedContent: false, disableNormalization: true })) {
    for (const item of content.items) {
      if (!("str" in item)) continue;
      items.push(item);
      characters += item.str.length;
    }
    if (characters > budget) throw new UnreadablePdf("characters");
  }
  return joinItems(items).replace(CONTROL, "");
};

/** Yields each page's text, 1-based; throws UnreadablePdf with the reason. */
export async function* readPdf(bytes: Uint8Array): AsyncGenerator<Page> {
  let pdf: Awaited<ReturnType<typeof openPdf>>;
  try {
    pdf = await openPdf(bytes);
  } catch (error) {
    throw new UnreadablePdf(reasonOf(error));
  }
  if (pdf.numPages > EXTRACT_BOUNDS.pages) throw new UnreadablePdf("pages");
  let left: number = EXTRACT_BOUNDS.characters;
  for (let number = 1; number <= pdf.numPages; number++) {
    let text: string;
    try {
      const page = await pdf.getPage(number);
      text = await readPage(page as unknown as PdfPage, left);
      page.cleanup();
    } catch (error) {
      throw error instanceof UnreadablePdf ? error : new UnreadablePdf(reasonOf(error));
    }
    left -= text.length;
    yield { page: number, text };
  }
}
