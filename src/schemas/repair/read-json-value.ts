/**
 * Reads one value of what was meant to be JSON: objects and arrays here, strings, bare words and separators in files of their own.
 * Linear, because each look ahead is bounded.
 */
import { isContainer } from "../../lib/is-record.ts";
import { setOwn } from "../../lib/own-value.ts";
import { MAX_DEPTH } from "./json-inside.ts";
import {
  ABSENT,
  isQuote,
  keyIsAhead,
  matchAt,
  peek,
  type Reader,
  type Role,
  skipFiller,
  strayWords,
  take,
  Unreadable,
} from "./json-reader.ts";
import { readBareKey, readBareWord } from "./read-bare-word.ts";
import { readString } from "./read-json-string.ts";
import { ends, skipSeparators } from "./separators.ts";

const COLON = /::?=?|：|=>?/y;
/** A key with its value. It is no element of a list, so the list around it was not closed. */
const MEMBER_AHEAD = /"[^"\\\n]{1,100}"\s*:\s*(?:["'{[\d-]|(?:true|false|null|True|False|None)\b)/y;
const MORE_CONTAINERS = /,\s*(?=[{[])/y;

/** Throws Unreadable. ABSENT where the text ends or a separator stands instead of a value. */
export const readValue = (reader: Reader, role: Role): unknown => {
  skipFiller(reader);
  const char = peek(reader);
  if (char === "" || char === "}" || char === "]" || char === ")" || /[,，、;]/.test(char)) return ABSENT;
  if (char === "{") return readBraces(reader);
  if (char === "[") return readList(reader, "]");
  if (char === "(") return readParentheses(reader);
  if (isQuote(char) || stringPrefix(reader)) return readString(reader, role);
  return readBareWord(reader, role, readValue);
};

/** Python's `r"…"`, `b'…'`, `f"…"`, `u'…'`; not a key or value of one letter whose first quote is missing. */
const stringPrefix = (reader: Reader): boolean => {
  if (!/^[rbfuRBFU]["'](?!\s*(?:[:}\]]|,\s*["']|$))/.test(reader.text.slice(reader.at, reader.at + 10))) return false;
  reader.at++;
  reader.repairs.add("quotes");
  return true;
};

const open = (reader: Reader, closer: string): void => {
  if (reader.closers.length >= MAX_DEPTH) throw new Unreadable(`nested more than ${MAX_DEPTH} levels deep`);
  reader.at++;
  reader.closers.push(closer);
};

/** `{…}`: an object; with braces doubled by a template engine; or a Python set. */
const readBraces = (reader: Reader): unknown => {
  open(reader, "}");
  skipFiller(reader);
  if (peek(reader) === "{") {
    const inner = readBraces(reader);
    skipFiller(reader);
    reader.repairs.add("doubled_braces");
    if (peek(reader) === "}") reader.at++;
    reader.closers.pop();
    return inner;
  }
  return readMembers(reader);
};

/** The members up to the closing bracket, which `open` pushed. */
const readMembers = (reader: Reader): unknown => {
  const start = reader.at;
  const record: Record<string, unknown> = {};
  let count = 0;
  let last = "";
  for (;;) {
    skipSeparators(reader, count > 0);
    if (ends(reader)) break;
    if (count > 0 && peek(reader) === "{" && reader.closers.at(-2) === "]") {
      reader.repairs.add("mismatched_bracket");
      break;
    }
    if (count > 0 && isContainer(record[last]) && /[{[]/.test(peek(reader))) {
      setOwn(record, last, readRestOfList(reader, record[last]));
      continue;
    }
    if (count > 0 && !isKeyStart(reader)) throw new Unreadable("a key is due");
    skipStrayWords(reader);
    const key = readKey(reader);
    if (key === ABSENT) continue;
    const value = readMemberValue(reader);
    if (value === NOT_A_MEMBER) {
      if (count > 0) throw new Unreadable("a key without a value");
      reader.at = start;
      return readSet(reader);
    }
    // Two objects may have been read as one.
    if (Object.hasOwn(record, key as string)) reader.isDoubtful = true;
    count++;
    last = key as string;
    if (value !== ABSENT) setOwn(record, last, value);
  }
  reader.closers.pop();
  return record;
};

/** `"rows": {"a": 1}, {"a": 2}]`: reads the rest of a list whose first bracket is missing, and perhaps its last. */
const readRestOfList = (reader: Reader, first: unknown): unknown[] => {
  reader.repairs.add("mismatched_bracket");
  const elements = [first];
  while (/[{[]/.test(peek(reader))) {
    elements.push(readValue(reader, "element"));
    skipFiller(reader);
    const more = matchAt(MORE_CONTAINERS, reader.text, reader.at);
    if (more === undefined) break;
    reader.at += more.length;
  }
  if (peek(reader) === "]") reader.at++;
  return elements;
};

const skipStrayWords = (reader: Reader): void => {
  const length = strayWords(reader.text, reader.at);
  if (length > 0) reader.repairs.add("comment");
  reader.at += length;
};

const NOT_A_MEMBER = Symbol("not a member");

const isKeyStart = (reader: Reader): boolean =>
  isQuote(peek(reader)) || peek(reader) === "\\" || /[\p{L}\p{N}_$@-]/u.test(peek(reader));

/** ABSENT where the text ends inside the key: a cut key says nothing. */
const readKey = (reader: Reader): unknown => {
  if (isQuote(peek(reader)) || stringPrefix(reader)) {
    const key = readString(reader, "key");
    if (key !== ABSENT) reader.seen.quotedKeys++;
    return key;
  }
  const key = readBareKey(reader);
  if (key !== ABSENT) reader.seen.bareKeys++;
  return key;
};

/** ABSENT where the text ends before the value, null where a separator stands in its place. */
const readMemberValue = (reader: Reader): unknown => {
  skipFiller(reader);
  if (peek(reader) === "") {
    reader.repairs.add("truncated");
    return ABSENT;
  }
  const colon = take(reader, COLON);
  if (colon === undefined) {
    if (/[,}\]]/.test(peek(reader))) return NOT_A_MEMBER;
    reader.repairs.add("missing_colon");
  } else if (colon !== ":") {
    reader.repairs.add("quotes");
    if (colon === "=") reader.seen.bareStrings++;
  }
  const value = readValue(reader, "member");
  if (value !== ABSENT) return value;
  if (peek(reader) === "") {
    reader.repairs.add("truncated");
    return ABSENT;
  }
  reader.repairs.add("missing_value");
  return null;
};

/** `{1, 2}` and `{"a", "b"}` as Python writes sets. */
const readSet = (reader: Reader): unknown[] => {
  reader.repairs.add("set");
  reader.seen.sets++;
  return readElements(reader);
};

/** `({…})` is what is inside, `(1, 2)` a tuple. */
const readParentheses = (reader: Reader): unknown => {
  const elements = readList(reader, ")") as unknown[];
  return elements.length === 1 ? elements[0] : elements;
};

const readList = (reader: Reader, closer: string): unknown => {
  open(reader, closer);
  if (closer === ")") reader.repairs.add("set");
  const start = reader.at;
  if (closer === "]" && keyIsAhead(reader.text, start) && isQuote(firstCharacter(reader))) {
    reader.repairs.add("mismatched_bracket");
    return readMembers(reader);
  }
  return readElements(reader);
};

const firstCharacter = (reader: Reader): string => {
  skipFiller(reader);
  return peek(reader);
};

const readElements = (reader: Reader): unknown[] => {
  const elements: unknown[] = [];
  const start = reader.at;
  for (;;) {
    skipSeparators(reader, elements.length > 0);
    if (ends(reader)) break;
    if (reader.at > start && reader.closers.at(-2) === "}" && matchAt(MEMBER_AHEAD, reader.text, reader.at) !== undefined) {
      reader.repairs.add("mismatched_bracket");
      break;
    }
    const before = reader.at;
    const value = readValue(reader, "element");
    if (value === ABSENT) {
      if (reader.at === before && peek(reader) !== "") throw new Unreadable("a value is due");
      continue;
    }
    elements.push(value);
  }
  reader.closers.pop();
  return elements;
};
