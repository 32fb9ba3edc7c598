/** Fetches what callers name by URL, through the outbound guard: PDFs, and pictures for providers that take bytes only (Gemini, Ollama). */

import { invalidRequest } from "../../api-error.ts";
import { fetchGuarded } from "../../http/outbound-guard.ts";
import type { Platform } from "../../platform.ts";
import type { ChatMessage, ChatRequest, ContentPart, DocumentPart, ImagePart } from "../../providers/provider.ts";
import { countPdf, REMOTE_PDF_PAGES, REMOTE_PDF_TOKENS } from "../../router/count-prompt.ts";
import { dialectOf } from "../dialect-of.ts";

const LARGEST_BYTES = 20_000_000;
const LONGEST_MS = 15_000;
const MEDIA_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const TAKES_BYTES_ONLY = new Set(["google", "ollama"]);

/** `pictures`: those too. */
type Fetching = { platform: Platform; pictures: boolean; signal: AbortSignal };

/** Unchanged where the provider fetches URLs itself or none is there. Throws 400 with the place of the URL. */
export const inlineMedia = async (
  platform: Platform,
  providerId: string,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatRequest> => {
  const fetching = { platform, pictures: TAKES_BYTES_ONLY.has(dialectOf(platform, providerId) ?? ""), signal };
  if (!request.messages.some((message) => namesMedia(message, fetching))) return request;
  const messages = await Promise.all(request.messages.map((message) => inlineMessage(message, fetching)));
  return { ...request, messages };
};

const isRemotePicture = (part: ContentPart, { pictures }: Fetching): part is ImagePart =>
  pictures && part.type === "image" && !part.url.startsWith("data:");
const isRemotePdf = (part: ContentPart): part is DocumentPart => part.type === "document" && part.data === "";
const namesMedia = ({ content }: ChatMessage, fetching: Fetching): boolean =>
  typeof content !== "string" && content.some((part) => isRemotePicture(part, fetching) || isRemotePdf(part));

const inlineMessage = async (message: ChatMessage, fetching: Fetching): Promise<ChatMessage> => {
  if (typeof message.content === "string" || !namesMedia(message, fetching)) return message;
  const content = await Promise.all(
    message.content.map(async (part) => {
      if (isRemotePicture(part, fetching)) return await inlinePicture(part, fetching);
      return isRemotePdf(part) ? await inlinePdf(part, fetching) : part;
    }),
  );
  return { ...message, content };
};

const fetchMedia = async (url: string, param: string, { platform, signal }: Fetching) =>
  await fetchGuarded(platform, url, { maxBytes: LARGEST_BYTES, timeoutMs: LONGEST_MS, param, signal });

const inlinePicture = async ({ param = "messages", ...picture }: ImagePart, fetching: Fetching): Promise<ContentPart> => {
  const { bytes, mediaType } = await fetchMedia(picture.url, param, fetching);
  if (!MEDIA_TYPES.has(mediaType)) throw invalidRequest(`The URL in \`${param}\` is no PNG, JPEG, GIF or WebP image.`, param);
  return { ...picture, url: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
};

/** The call was decided, and its ceiling held, before its pages could be counted. */
const inlinePdf = async ({ from, ...document }: DocumentPart, fetching: Fetching): Promise<ContentPart> => {
  const { url, param } = from!;
  const { bytes } = await fetchMedia(url, param, fetching);
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") !== "%PDF-")
    throw invalidRequest(`The URL in \`${param}\` is no PDF.`, param);
  const data = Buffer.from(bytes).toString("base64");
  if (countPdf(data) > REMOTE_PDF_TOKENS)
    throw invalidRequest(
      `The PDF in \`${param}\` may have more than the ${REMOTE_PDF_PAGES} pages that one named by its URL may have: send its bytes as base64.`,
      param,
    );
  return { ...document, data };
};
