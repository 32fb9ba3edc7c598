/** The bytes of a TXT or Markdown file → its text: UTF-8, UTF-16 with a byte order mark, or Windows-1252; anything else is refused. */
import { EXTRACT_BOUNDS, type Failure } from "./extraction.ts";

/** Control characters that no text file holds; tab, line feed, form feed and carriage return may stay. */
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/** Google Docs and PowerPoint break a line within a paragraph with a vertical tab. DOS programs end a file with Control-Z. */
const LINE_BREAK = "\v";
const DOS_END = /\x1a\s*$/;

/**
 * What no text in Windows-1252 holds that is mostly ASCII. Any bytes can be decoded as Windows-1252, but those of another encoding give rows
 * of letters or signs, or one of the rarer characters that are left out here: among them those where other encodings have the letters of
 * Polish, Czech, Turkish or Cyrillic, and those with which broken UTF-8 begins.
 */
const NOT_WESTERN = /[^\x00-\x7f\xa0§«»°º·²¡¿©®£€…–—•‘’“”„œŒÀÁÄ-ÏÑ-ÖØ-Üß-ïñ-öø-ü]|[^\x00-\x7f]{4}|â€/;

type DecodedText = { text: string } | Failure;

const encodingOf = (bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
};

const readUnicode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(encodingOf(bytes) as "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Latin-1 is read in the same way: it differs only in control characters. */
const readWestern = (bytes: Uint8Array): string | undefined => {
  const text = new TextDecoder("windows-1252").decode(bytes);
  return NOT_WESTERN.test(text) ? undefined : text;
};

const checked = (text: string | undefined): DecodedText => {
  if (text === undefined) return { reason: "encoding" };
  if (CONTROL.test(text)) return { reason: "binary" };
  if (text.length > EXTRACT_BOUNDS.characters) return { reason: "characters" };
  return text.trim() === "" ? { reason: "empty" } : { text: text.replace(/\r\n?/g, "\n") };
};

/** Line ends come back as `\n`; the byte order mark is dropped. */
export const decodeText = (bytes: Uint8Array): DecodedText =>
  checked((readUnicode(bytes) ?? readWestern(bytes))?.replace(DOS_END, "").replaceAll(LINE_BREAK, "\n"));
