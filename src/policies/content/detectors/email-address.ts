/**
 * E-mail addresses, found by their `@`: a local part of at most 64 characters before it, a domain with a dot after it. Not addresses:
 * `logo@2x.png`, `user@localhost`, versions of packages, handles of the fediverse, the user part of a URL, `git@host:path`.
 */

import { isAddressLetter, isOneOf } from "./characters.ts";
import { codeAt, isAt, type Reader, type Span } from "./reader.ts";

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** What a local part may hold besides letters and digits. */
const isLocalMark = isOneOf("._%+-'");
const isLocalCode = (code: number): boolean => isAddressLetter(code) || isLocalMark(code);

/** Where the local part that ends before `end` begins, or `end` if there is none. It has no two dots in a row and no punctuation first. */
export function localPartStart(reader: Reader, end: number): number {
  let start = end;
  while (end - start < MAX_LOCAL && start > 0 && isLocalCode(codeAt(reader, start - 1))) {
    if (isAt(reader, start - 1, ".") && isAt(reader, start, ".")) break;
    start--;
  }
  while (start < end && !isAddressLetter(codeAt(reader, start)) && !isAt(reader, start, "_")) start++;
  return start;
}

/** Endings of file names, not of domains. */
const FILE_ENDINGS = new Set(
  `png jpg jpeg gif svg webp ico bmp avif tiff tif heic pdf css scss less js jsx mjs cjs tsx ts json xml yml yaml html htm txt csv log exe dll tar
   gz tgz bz xz rar mp mp3 mp4 webm wav ogg flac woff woff2 ttf otf eot psd docx doc xlsx xls pptx ppt bak tmp lock patch diff map service timer socket`.split(
    /\s+/,
  ),
);
const COMMON_ENDINGS = new Set("com org net edu gov mil io dev co uk de fr us ca au info biz app ai".split(" "));

/** The ends of the labels of the domain that begins at `from`. */
function labelEnds(reader: Reader, from: number): number[] {
  const ends: number[] = [];
  let labelStart = from;
  let i = from;
  for (; i - from <= MAX_DOMAIN; i++) {
    if (isAddressLetter(codeAt(reader, i)) || (isAt(reader, i, "-") && i > labelStart)) continue;
    if (i === labelStart) return ends;
    ends.push(i);
    if (!isAt(reader, i, ".")) return ends;
    labelStart = i + 1;
  }
  return ends;
}

const startsLikeVersion = (domain: string): boolean => /^v?\d{1,6}\.\d/.test(domain);

const isTopLevel = (label: string): boolean => /^(?:\p{L}{2,24}|xn--[a-z0-9-]{2,59})$/iu.test(label);

/** The label without what is joined to it by hyphens: `example.com--`, `web.de-Konto`. */
function withoutTail(label: string): string {
  const [head = ""] = label.split("-", 1);
  return COMMON_ENDINGS.has(head) || /^-(?:-{0,62}$|\p{Lu})/u.test(label.slice(head.length)) ? head : label;
}

/** Files are called after addresses (`ann@example.com.pdf`), and pictures after their size and language (`logo@2x.de.png`). */
const isFileOfAddress = (labels: readonly string[]): boolean => {
  const previous = labels.at(-2)!;
  return labels.length > 2 && (COMMON_ENDINGS.has(previous) || FILE_ENDINGS.has(previous)) && !/^\d/.test(labels[0]!);
};

/** The end of the domain that begins at `from`, or -1 if it is none. A sentence may follow without a blank: `example.com.Next`. */
function domainEnd(reader: Reader, from: number): number {
  const ends = labelEnds(reader, from);
  const labels = ends.map((end, i) => reader.text.slice(i === 0 ? from : ends[i - 1]! + 1, end));
  for (let count = labels.length; count >= 2; count--) {
    const label = withoutTail(labels[count - 1]!);
    if (label.length > 63 || !isTopLevel(label) || labels.slice(0, count - 1).some((each) => each.endsWith("-"))) continue;
    const previous = labels[count - 2]!;
    const isNextSentence = count > 2 && /^\p{Lu}/u.test(label) && COMMON_ENDINGS.has(previous);
    if (isNextSentence) continue;
    if (!FILE_ENDINGS.has(label.toLowerCase())) return ends[count - 1]! - (labels[count - 1]!.length - label.length);
    if (!isFileOfAddress(labels.slice(0, count))) return -1;
  }
  return -1;
}

/** What ends the host of a URL, or stands between it and something else: `https://example.com,ann@example.com`. */
const endsUrl = isOneOf("?#@\"'<>()[],;|");

/** `https://user:secret@host`: whether `://` stands before, at most 64 characters away. */
function isInsideUrl(reader: Reader, start: number): boolean {
  for (let i = start - 1; i >= Math.max(0, start - 64); i--) {
    if (isAt(reader, i, "/")) return isAt(reader, i - 1, "/") && isAt(reader, i - 2, ":");
    if (codeAt(reader, i) <= 32 || endsUrl(codeAt(reader, i))) return false;
  }
  return false;
}

/** The address around the `@` at `at`. */
export function emailAddressAt(reader: Reader, at: number): Span | undefined {
  const start = localPartStart(reader, at);
  if (start === at || isAt(reader, at - 1, ".") || isAt(reader, start - 1, "@")) return undefined;
  const end = domainEnd(reader, at + 1);
  if (end === -1 || startsLikeVersion(reader.text.slice(at + 1, end)) || isInsideUrl(reader, start)) return undefined;
  const isRemote = reader.text.slice(start, at) === "git" && isAt(reader, end, ":");
  return isRemote ? undefined : { start, end };
}
