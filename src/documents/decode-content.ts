/** The `content` of a JSON upload → bytes: base64 or plain text, as decisions §11 "Documents" tells them apart. */
import { invalidRequest } from "../api-error.ts";
import type { DocumentType } from "./document.ts";
import { decodeText } from "./extract/decode-text.ts";

/** A shorter text that happens to be base64 is more likely a word. */
const LEAST_BASE64 = 24;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Undefined unless the whole string is base64 in the one form that encoding it again gives back. */
const decodeCanonical = (text: string): Uint8Array | undefined => {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
};

const decodeBase64 = (content: string): Uint8Array => {
  // Encoders break lines; padding is often left out.
  const packed = content.replace(/\s+/g, "");
  const bytes = decodeCanonical(packed.padEnd(Math.ceil(packed.length / 4) * 4, "="));
  if (bytes === undefined) throw invalidRequest("`content` is not valid base64.", "content");
  return bytes;
};

export const decodeContent = (
  content: string,
  contentType: DocumentType,
  encoding: "base64" | "utf8" | undefined,
): Uint8Array => {
  if (encoding === "base64" || (encoding === undefined && contentType === "application/pdf")) return decodeBase64(content);
  if (encoding === undefined && content.length >= LEAST_BASE64) {
    const bytes = decodeCanonical(content);
    if (bytes !== undefined && "text" in decodeText(bytes)) return bytes;
  }
  return new TextEncoder().encode(content);
};
