/**
 * Fetches what callers name by URL, through the outbound guard: PDFs, and pictures for providers that take bytes only (Gemini, and local
 * servers: Ollama, LM Studio).
 */

import type { Mode } from "../../accounts/api-key.ts";
import { invalidRequest } from "../../api-error.ts";
import { fetchGuarded } from "../../http/outbound-guard.ts";
import { IMAGE_TYPES, sniffImage } from "../../lib/sniff-media.ts";
import type { Platform } from "../../platform.ts";
import { partsOf } from "../../providers/dialect/message-parts.ts";
import type { ChatRequest, ContentPart, DocumentPart, ImagePart, Provider } from "../../providers/provider.ts";
import { countPdf, REMOTE_PDF_PAGES, REMOTE_PDF_TOKENS } from "../../router/count-prompt.ts";
import { mapParts } from "../request/message-content.ts";

const LARGEST_BYTES = 20_000_000;
/** Gap: limit for all media of one call; a request of a few kilobytes can name thousands of URLs. */
const MOST_BYTES = 50_000_000;
const AT_ONCE = 6;
const LONGEST_MS = 15_000;

type RemotePart = (ImagePart & { param: string }) | DocumentPart;
type Fetched = { bytes: Uint8Array; mediaType: string };

const isRemotePdf = (part: ContentPart): part is DocumentPart => part.type === "document" && part.data === "";

/**
 * Leaves the request unchanged if the provider fetches URLs itself, or there are none. Throws 400 with the URL's place in `param`. With a
 * test key nothing is fetched.
 */
export const inlineMedia = (
  platform: Platform,
  mode: Mode,
  { takesBytesOnly }: Provider,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatRequest> => {
  const isRemote = (part: ContentPart): part is RemotePart =>
    part.type === "image" ? takesBytesOnly === true && !part.url.startsWith("data:") : isRemotePdf(part);
  return inlineParts(platform, mode, request, isRemote, signal);
};

/** The same for PDFs alone, which policies read before a provider is chosen. */
export const inlinePdfs = (platform: Platform, mode: Mode, request: ChatRequest, signal: AbortSignal): Promise<ChatRequest> =>
  inlineParts(platform, mode, request, isRemotePdf, signal);

const inlineParts = async (
  platform: Platform,
  mode: Mode,
  request: ChatRequest,
  isRemote: (part: ContentPart) => part is RemotePart,
  signal: AbortSignal,
): Promise<ChatRequest> => {
  const remote = mode === "test" ? [] : request.messages.flatMap(({ content }) => partsOf(content).filter(isRemote));
  if (remote.length === 0) return request;
  const inlined = await inlineAll(platform, remote, signal);
  return mapParts(request, (part) => inlined.get(part) ?? part);
};

/** Fetches a few at a time; the first refusal stops the rest. */
const inlineAll = async (
  platform: Platform,
  remote: readonly RemotePart[],
  signal: AbortSignal,
): Promise<Map<ContentPart, ContentPart>> => {
  const inlined = new Map<ContentPart, ContentPart>();
  const givenUp = new AbortController();
  const either = AbortSignal.any([signal, givenUp.signal]);
  const queue = remote.values();
  let left = MOST_BYTES;
  const fetchInTurn = async (): Promise<void> => {
    for (const part of queue) {
      const { url, param } = part.type === "image" ? part : part.from!;
      const fetched = await fetchGuarded(platform, url, {
        maxBytes: LARGEST_BYTES,
        timeoutMs: LONGEST_MS,
        param,
        signal: either,
      });
      left -= fetched.bytes.length;
      if (left < 0)
        throw invalidRequest(
          `The files behind the request's URLs, up to \`${param}\`, have more than ${MOST_BYTES} bytes together.`,
          param,
        );
      inlined.set(part, part.type === "image" ? inlinePicture(part, fetched, param) : inlinePdf(part, fetched, param));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn));
  } catch (error) {
    givenUp.abort();
    throw error;
  }
  return inlined;
};

/** The media type is read from the bytes, since servers often send a wrong one. */
const inlinePicture = ({ param: _, ...picture }: ImagePart, { bytes, mediaType: named }: Fetched, param: string): ImagePart => {
  const mediaType = sniffImage(bytes)?.mediaType ?? named;
  if (!IMAGE_TYPES.has(mediaType)) throw invalidRequest(`The URL in \`${param}\` is not a PNG, JPEG, GIF or WebP image.`, param);
  return { ...picture, url: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
};

/** The page limit: cost and ceiling were decided before the PDF's pages could be counted. */
const inlinePdf = ({ from: _, ...document }: DocumentPart, { bytes }: Fetched, param: string): DocumentPart => {
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") !== "%PDF-")
    throw invalidRequest(`The URL in \`${param}\` is not a PDF.`, param);
  const data = Buffer.from(bytes).toString("base64");
  if (countPdf(data) > REMOTE_PDF_TOKENS)
    throw invalidRequest(
      `The PDF in \`${param}\` may have more than the ${REMOTE_PDF_PAGES} pages that one named by its URL may have: send its bytes as base64.`,
      param,
    );
  return { ...document, data };
};
