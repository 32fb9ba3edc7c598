/** The bytes of a TXT or Markdown file → its text: UTF-8 (with or without a mark), or UTF-16 with a mark; anything else is refused. */
import { EXTRACT_BOUNDS, type FailureReason } from "./extraction.ts";

/** Control characters that no text file holds; tab, line feed, form feed and carriage return may stay. */
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

type DecodedText = { text: string } | { reason: FailureReason };

const encodingOf = (bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
};

/** Line ends come back as `\n`; the byte order mark is dropped. */
export const decodeText = (bytes: Uint8Array): DecodedText => {
  let text: string;
  try {
    text = new TextDecoder(encodingOf(bytes) as "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { reason: "encoding" };
  }
  if (CONTROL.test(text)) return { reason: "binary" };
  if (text.length > EXTRACT_BOUNDS.characters) return { reason: "characters" };
  return text.trim() === "" ? { reason: "empty" } : { text: text.replace(/\r\n?/g, "\n") };
};
