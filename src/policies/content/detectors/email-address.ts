/**
 * E-mail addresses, anchored on the `@`: at most 64 characters to the left, a dotted domain to the right.
 * Not addresses: `logo@2x.png`, `user@localhost`, package specifiers, fediverse handles, the user part of a URL, `git@host:path`.
 */

import { codeAt, isAsciiLetter, isDigit, type Reader, type Span } from "./reader.ts";

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** Latin, Greek and Cyrillic beyond ASCII; scripts without spaces would swallow the sentence around the address. */
const isAddressLetter = (code: number): boolean =>
  isAsciiLetter(code) || isDigit(code) || (code >= 0xc0 && code <= 0x52f && code !== 0xd7 && code !== 0xf7);

/** `.` `_` `%` `+` `-` `'` besides letters and digits. */
const isLocalCode = (code: number): boolean =>
  isAddressLetter(code) || code === 46 || code === 95 || code === 37 || code === 43 || code === 45 || code === 39;

/** Where the local part that ends before `end` begins; `end` where there is none. Never starts with punctuation, never holds two dots in a row. */
export function localPartStart(reader: Reader, end: number): number {
  let start = end;
  while (end - start < MAX_LOCAL && start > 0 && isLocalCode(codeAt(reader, start - 1))) {
    if (codeAt(reader, start - 1) === 46 && codeAt(reader, start) === 46) break;
    start--;
  }
  while (start < end && !isAddressLetter(codeAt(reader, start)) && codeAt(reader, start) !== 95) start++;
  return start;
}

/** Endings of file names, not of domains. */
const FILE_ENDINGS = new Set(
  `png jpg jpeg gif svg webp ico bmp avif tiff tif heic pdf css scss less js jsx mjs cjs tsx ts json xml yml yaml html htm txt csv log exe dll tar
   gz tgz bz xz rar mp mp3 mp4 webm wav ogg flac woff woff2 ttf otf eot psd docx doc xlsx xls pptx ppt bak tmp lock patch diff map`.split(
    /\s+/,
  ),
);
const COMMON_ENDINGS = new Set("com org net edu gov mil io dev co uk de fr us ca au info biz app ai".split(" "));

/** Ends of the domain's labels after `from`: a bounded walk over letters, digits, hyphens and single dots. */
function labelEnds(reader: Reader, from: number): number[] {
  const ends: number[] = [];
  let labelStart = from;
  let i = from;
  for (; i - from <= MAX_DOMAIN; i++) {
    const code = codeAt(reader, i);
    if (isAddressLetter(code) || (code === 45 && i > labelStart)) continue;
    if (i === labelStart) return ends;
    ends.push(i);
    if (code !== 46) return ends;
    labelStart = i + 1;
  }
  return ends;
}

const startsLikeVersion = (domain: string): boolean => /^v?\d{1,6}\.\d/.test(domain);

const isTopLevel = (label: string): boolean =>
  (label.length >= 2 && label.length <= 24 && /^\p{L}+$/u.test(label)) || /^xn--[a-z0-9-]{2,59}$/i.test(label);

/** `example.com--`, and as German joins words: `web.de-Konto`. */
function withoutTail(label: string): string {
  const dash = label.indexOf("-");
  const head = dash === -1 ? label : label.slice(0, dash);
  return dash !== -1 && (/^(?:-{1,63}$|-\p{Lu})/u.test(label.slice(dash)) || COMMON_ENDINGS.has(head)) ? head : label;
}

/** Cuts what a missing blank glued on: `example.com.Next` ends after `com`. */
function domainEnd(reader: Reader, from: number): number {
  const ends = labelEnds(reader, from);
  const labels = ends.map((end, i) => reader.text.slice(i === 0 ? from : ends[i - 1]! + 1, end));
  for (let count = labels.length; count >= 2; count--) {
    const label = withoutTail(labels[count - 1]!);
    if (label.length > 63 || !isTopLevel(label) || labels.slice(0, count - 1).some((each) => each.endsWith("-"))) continue;
    const previous = labels[count - 2]!;
    const glued = count > 2 && /^\p{Lu}/u.test(label) && COMMON_ENDINGS.has(previous);
    if (!glued) return FILE_ENDINGS.has(label.toLowerCase()) ? -1 : ends[count - 1]! - (labels[count - 1]!.length - label.length);
  }
  return -1;
}

/** `https://user:secret@host`: walks back, at most 64 characters, over what can stand between `://` and the user part. */
function isInsideUrl(reader: Reader, start: number): boolean {
  for (let i = start - 1; i >= Math.max(0, start - 64); i--) {
    const code = codeAt(reader, i);
    if (code === 47) return codeAt(reader, i - 1) === 47 && codeAt(reader, i - 2) === 58;
    if (code <= 32 || code === 64 || code === 34 || code === 60 || code === 63) return false;
  }
  return false;
}

export function emailAddressAt(reader: Reader, at: number): Span | undefined {
  const start = localPartStart(reader, at);
  if (start === at || codeAt(reader, at - 1) === 46 || codeAt(reader, start - 1) === 64) return undefined;
  const end = domainEnd(reader, at + 1);
  if (end === -1 || startsLikeVersion(reader.text.slice(at + 1, end)) || isInsideUrl(reader, start)) return undefined;
  const isRemote = reader.text.slice(start, at) === "git" && codeAt(reader, end) === 58;
  return isRemote ? undefined : { start, end };
}
