/** Checks the media in messages before anything is fetched or sent, such as invalid base64 or a file that is not a PDF. */

import { invalidRequest } from "../../api-error.ts";
import { checkUrl } from "../../http/outbound-guard.ts";
import { IMAGE_TYPES, sniffImage } from "../../lib/sniff-media.ts";
import type { ChatRequest, ContentPart, ImagePart } from "../../providers/provider.ts";
import { mapParts } from "./message-content.ts";

/** Media type, parameters without meaning for a picture, and the bytes. */
const DATA_URL = /^data:([^,;]{0,100})(?:;[^,;]{0,100}){0,5}?;base64,/i;

/**
 * A picture as a `data:` URL, or at a URL that `checkUrls` checks. OpenAI's detail `original` becomes `high`, which all vendors know. The
 * functions of this file throw 400 with `param`.
 */
export const readImage = (url: string, param: string, detail?: ImagePart["detail"] | "original" | null): ImagePart => ({
  type: "image",
  ...(url.slice(0, 5).toLowerCase() === "data:" ? { url: checkDataUrl(url, param) } : { url, param }),
  ...(detail && { detail: detail === "original" ? "high" : detail }),
});

const checkDataUrl = (url: string, param: string): string => {
  const head = DATA_URL.exec(url);
  const refusal = `\`${param}\` must be a base64 data: URL of a PNG, JPEG, GIF or WebP image, or an https: URL.`;
  if (head === null) throw invalidRequest(refusal, param);
  // `image/jpg` is common, but some providers know only the registered name.
  const image = imageUrl(head[1]!.toLowerCase().replace("jpg", "jpeg"), url.slice(head[0].length), param);
  if (image === undefined) throw invalidRequest(refusal, param);
  return image;
};

/** Base64 characters whose bytes identify a picture's type. */
const TELLING_CHARACTERS = 24;

/**
 * The type is read from the bytes, since providers refuse a picture whose declared type is wrong. Undefined if the declared type is no
 * picture.
 */
export const imageUrl = (named: string, data: string, param: string): string | undefined => {
  const checked = checkBase64(data, param);
  const found = sniffImage(Buffer.from(checked.slice(0, TELLING_CHARACTERS), "base64"))?.mediaType;
  return found === undefined && !IMAGE_TYPES.has(named) ? undefined : `data:${found ?? named};base64,${checked}`;
};

const STANDARD = /^[A-Za-z0-9+/]+={0,2}$/;

/** In the standard alphabet without line breaks, as every provider reads it. */
export const checkBase64 = (data: string, param: string): string => {
  const compact = STANDARD.test(data)
    ? data
    : data
        .replace(/[\r\n]/g, "")
        .replaceAll("-", "+")
        .replaceAll("_", "/");
  const bare = STANDARD.test(compact) ? compact.replace(/=+$/, "") : "";
  // A single remaining character cannot encode a byte.
  if (bare === "" || bare.length % 4 === 1) throw invalidRequest(`\`${param}\` is not valid base64.`, param);
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, "=");
};

export const readPdf = (data: string, name: string | undefined, param: string): ContentPart => {
  const checked = checkBase64(data, param);
  // "%PDF" in base64. A provider's own error would be less clear.
  if (!checked.startsWith("JVBER")) throw invalidRequest(`\`${param}\` is not a PDF.`, param);
  return { type: "document", mediaType: "application/pdf", data: checked, ...(name !== undefined && { name }) };
};

/** A PDF named by URL; it is fetched when a model is asked. */
export const readRemotePdf = (url: string, name: string | undefined, param: string): ContentPart => ({
  type: "document",
  mediaType: "application/pdf",
  data: "",
  ...(name !== undefined && { name }),
  from: { url, param },
});

/** The request with each URL of its media in normal form. Throws if one may not be fetched; `allowedHosts` are the operator's exceptions. */
export const checkUrls = (request: ChatRequest, allowedHosts: readonly string[]): ChatRequest => {
  const checked = (url: string, param: string): string => checkUrl(allowedHosts, url, param).href;
  const check = (part: ContentPart): ContentPart => {
    if (part.type === "video" || (part.type === "image" && !part.url.startsWith("data:")))
      return { ...part, url: checked(part.url, part.param!) };
    if (part.type !== "document" || part.from === undefined) return part;
    return { ...part, from: { ...part.from, url: checked(part.from.url, part.from.param) } };
  };
  return mapParts(request, check);
};

/** The head of a `data:` URL with text, even if its media type does not say so. */
const TEXT_HEAD =
  /^(?:text\/[\w.+-]{1,60}|application\/(?:json|xml|yaml|x-yaml|toml|csv|javascript|typescript|x-sh|x-ndjson))(?:; ?charset=utf-8)?;base64$/i;

/**
 * A file as OpenAI's clients send it: a `data:` URL, or the bare base64 of a PDF; OpenRouter's also send the URL of a PDF. Text becomes a
 * text part that names the file.
 */
export const readFileUrl = (data: string, name: string | undefined, param: string): ContentPart => {
  if (/^https?:/i.test(data)) return readRemotePdf(data, name, param);
  const head = /^data:([^,]{0,200}),/.exec(data);
  const content = data.slice(head?.[0].length ?? 0);
  if (head !== null && TEXT_HEAD.test(head[1]!)) {
    return { type: "text", text: [name, decodeText(content, param)].filter(Boolean).join("\n\n") };
  }
  if (head !== null && !/^application\/pdf;base64$/i.test(head[1]!))
    throw invalidRequest(`\`${param}\` is neither a PDF nor text.`, param);
  return readPdf(content, name, param);
};

const decodeText = (data: string, param: string): string => {
  const bytes = Buffer.from(checkBase64(data, param), "base64");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest(`\`${param}\` is not text in UTF-8.`, param);
  }
};

/** The error for a file that is referred to by id. */
export const missingFile = (param: string) =>
  invalidRequest(
    `\`${param}\` is required: no files are kept here that a \`file_id\` could name. Send the file itself, or upload a document to /v1/documents and name it in \`document_ids\`.`,
    param,
  );
