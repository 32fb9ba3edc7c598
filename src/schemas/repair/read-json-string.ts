/** Reads strings as models write them: in any quotes, with unescaped quotes and line ends inside, without the last quote, or cut off. */
import { decodeEscapes } from "./decode-escapes.ts";
import { closedFrom, forgottenEnd } from "./forgotten-end.ts";
import { ABSENT, ENDS_OF, isQuote, matchAt, type Reader, type Role, skipFiller, Unreadable } from "./json-reader.ts";
import { type Inside, isEnd } from "./quote-end.ts";

/** A fence with the rest of its line: a language, perhaps a file's name. */
const FENCE_LINE = /```[\w+#.-]{0,20}(?: [^`\n]{0,60})?\r?\n/y;
/** `""text""`, as spreadsheets write a quote inside quotes. */
const DOUBLED_QUOTES = /""[^"\s,:}\]][^"\n]{0,2000}""\s*[,:}\]]/y;
const BARE_CONTROL = /[\u0000-\u001f]/;
/** A run without ends of strings, brackets and backslashes. Bounded, because keys are searched only so far. */
const UNMARKED = new RegExp(`[^${Object.values(ENDS_OF).join("")}{}[\\]\\\\]{0,100}`, "y");
/** Longest key, in characters. A text may have many keys without an end, and each is searched for this far. */
const MAX_KEY = 300;

/** Reads the string and what is joined to it with `+`. ABSENT for a key that is cut off. */
export const readString = (reader: Reader, role: Role): unknown => {
  let value = readOne(reader, role);
  while (value !== ABSENT && role !== "key") {
    const back = reader.at;
    skipFiller(reader);
    const plus = reader.text[reader.at] === "+";
    if (plus) {
      reader.at++;
      skipFiller(reader);
    }
    if (!plus || !isQuote(reader.text[reader.at] ?? "")) {
      if (!plus) reader.at = back;
      break;
    }
    reader.repairs.add("concatenated_strings");
    const next = readOne(reader, role);
    value = next === ABSENT ? value : `${value}${next}`;
  }
  return value;
};

const readOne = (reader: Reader, role: Role): unknown => {
  const { text } = reader;
  const opener = text[reader.at] as string;
  if (role !== "key") reader.seen.quotedStrings++;
  if (opener !== '"') reader.repairs.add("quotes");
  const triple = opener.repeat(3);
  if (opener === "`" && text.startsWith(triple, reader.at)) return readFence(reader);
  if ((opener === '"' || opener === "'") && text.startsWith(triple, reader.at)) return readUntil(reader, triple);
  if (matchAt(DOUBLED_QUOTES, text, reader.at)) return readUntil(reader, '""');
  reader.at++;
  return scanString(reader, role, ENDS_OF[opener] as string);
};

/** A string between markers of several characters; only escapes are special inside it. */
const readUntil = (reader: Reader, marker: string): string => {
  reader.repairs.add("quotes");
  const start = reader.at + marker.length;
  const end = reader.text.indexOf(marker, start);
  reader.at = end < 0 ? reader.text.length : end + marker.length;
  if (end < 0) reader.repairs.add("truncated");
  return decode(reader, reader.text.slice(start, end < 0 ? undefined : end));
};

/** A block of code as the value: its language and the line ends beside the fences are not part of it. */
const readFence = (reader: Reader): string => {
  const { text } = reader;
  const start = reader.at + (matchAt(FENCE_LINE, text, reader.at)?.length ?? 3);
  reader.at = start - 3;
  return readUntil(reader, "```").replace(/\r?\n[ \t]{0,40}$/, "");
};

const scanString = (reader: Reader, role: Role, ends: string): unknown => {
  const { text } = reader;
  const start = reader.at;
  const inside = { "}": 0, "]": 0, '"': 0 };
  const stop = role === "key" ? Math.min(text.length, start + MAX_KEY) : text.length;
  for (let at = nextMark(text, start); at < stop; at = nextMark(text, at + 1)) {
    const char = text[at] as string;
    if (char === "\\") {
      if (!isBackslashBeforeEnd(reader, start, at, role, inside)) at++;
    } else if (char === "{") inside["}"]++;
    else if (char === "[") inside["]"]++;
    else if (char === "}" || char === "]") inside[char]--;
    else if (ends.includes(char)) {
      if (reader.plainQuotes || isEnd(reader, at, role, inside)) return finish(reader, start, at, at + 1);
      // A key behind a brace that the string opened belongs to the code in it.
      const forgotten = inside["}"] > 0 && role !== "key" ? undefined : forgottenEnd(reader, start, at, role);
      if (forgotten !== undefined) {
        if (inside['"'] > 0) reader.isDoubtful = true;
        return finish(reader, start, forgotten, forgotten, "missing_quote");
      }
      reader.repairs.add("unescaped_quote");
      inside['"']++;
    }
  }
  if (inside['"'] > 0) reader.isDoubtful = true;
  return finishCut(reader, start, role);
};

/** The index of the next quote, bracket or backslash from `from` on; if none is near, that of a character before it. */
const nextMark = (text: string, from: number): number => from + (matchAt(UNMARKED, text, from) ?? "").length;

const finish = (reader: Reader, start: number, end: number, next: number, repair?: "missing_quote" | "truncated"): string => {
  reader.at = next;
  if (repair) reader.repairs.add(repair);
  const raw = reader.text.slice(start, end);
  return decode(reader, repair === "missing_quote" ? raw.replace(/[”“]\s*$/, "") : raw);
};

const decode = (reader: Reader, raw: string): string => {
  if (BARE_CONTROL.test(raw)) reader.repairs.add("raw_control_character");
  if (!raw.includes("\\")) return raw;
  const { text, literal } = decodeEscapes(raw);
  if (literal) reader.repairs.add("backslash");
  return text;
};

/** `"C:\dir\"`: the backslash before the last quote belongs to the path. */
const isBackslashBeforeEnd = (reader: Reader, start: number, at: number, role: Role, inside: Inside): boolean =>
  reader.text[at + 1] === '"' &&
  /^[A-Za-z]:\\/.test(reader.text.slice(start, start + 3)) &&
  role !== "key" &&
  isEnd(reader, at + 1, role, inside);

/** The string has no end: either it was cut, or only the quote is missing, before a key's colon or the brackets at the end of the text. */
const finishCut = (reader: Reader, start: number, role: Role): unknown => {
  const { text } = reader;
  if (role === "key") {
    const colon = text.slice(start, start + MAX_KEY).indexOf(":");
    if (colon >= 0) return finish(reader, start, start + colon, start + colon, "missing_quote").trim();
    if (text.length > start + MAX_KEY) throw new Unreadable("a key goes on too long");
    reader.at = text.length;
    reader.repairs.add("truncated");
    return ABSENT;
  }
  const end = closedFrom(reader, start);
  if (end > start && end < text.length) return finish(reader, start, end, end, "missing_quote");
  return finish(reader, start, text.length, text.length, "truncated");
};
