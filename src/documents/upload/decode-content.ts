/** Decodes the `content` of a JSON upload: base64 or plain text, as decisions §11 "Documents" tells them apart. */
import { invalidRequest } from "../../api-error.ts";
import type { DocumentType } from "../document-type.ts";

/** A shorter text that happens to be base64 is more likely a word. */
const LEAST_BASE64 = 24;

/** Undefined unless the whole string, white space aside, is canonical base64. */
const decodeStrictly = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    return undefined;
  }
};

const decodeCanonical = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = decodeStrictly(text);
  return bytes !== undefined && Math.ceil(bytes.byteLength / 3) * 4 === text.length ? bytes : undefined;
};

const decodeBase64 = (content: string): Uint8Array => {
  // Encoders break lines, and padding is often left out.
  const packed = content.replace(/\s+/g, "");
  const bytes = decodeStrictly(packed.padEnd(Math.ceil(packed.length / 4) * 4, "="));
  if (bytes === undefined) throw invalidRequest("`content` is not valid base64.", "content");
  return bytes;
};

const CONTROL_BUT_FOR_LINES = /[^\P{Cc}\t\n\f\r]/u;

const isPlainText = (bytes: Uint8Array): boolean => {
  try {
    return !CONTROL_BUT_FOR_LINES.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
};

export const decodeContent = (
  content: string,
  contentType: DocumentType,
  encoding: "base64" | "utf8" | undefined,
): Uint8Array => {
  if (encoding === "base64" || (encoding === undefined && contentType === "application/pdf")) return decodeBase64(content);
  if (encoding === undefined && content.length >= LEAST_BASE64) {
    const bytes = decodeCanonical(content);
    if (bytes !== undefined && isPlainText(bytes)) return bytes;
  }
  return new TextEncoder().encode(content);
};
