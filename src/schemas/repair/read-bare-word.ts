/** Reads what has no quotes: numbers as people write them, literals of several languages, calls around a value, plain words. */
import { ABSENT, keyIsAhead, matchAt, type Reader, type Role, skipFiller, take, Unreadable } from "./json-reader.ts";

const LITERALS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ...["null", "none", "nil", "undefined", "nan", "infinity", "+infinity", "-infinity", "inf", "-inf"].map(
    (name) => [name, null] as const,
  ),
]);
const CUT_LITERALS = ["true", "false", "null", "True", "False", "None", "NaN"];

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LOOSE_NUMBER = /^[+-]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][+-]?\d+)?[nL]?$/;
const HEX_NUMBER = /^([+-]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/;
const GROUPED_NUMBER = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const LEADING_ZERO = /^[+-]?0\d/;
const CUT_NUMBER = /^([+-]?\d+(?:\.\d+)?)(?:\.|[eE][+-]?)$/;
const CALL = /(?:new\s+)?[\p{L}_$][\p{L}\p{N}_$.]{0,60}\(/uy;
const WORD = /[^,，{}[\]()"“”\n]{1,600}/uy;
/** `see (1)`, `Ada (born Byron)`. */
const ASIDE = /\([^,，{}[\]()"“”\n]{0,100}\)/uy;
const BARE_KEY = /[^\s,，{}[\]()"'“”:：=][^\n,，{}[\]()"“”:：=]{0,100}/uy;
const COMMENT_INSIDE = /\/\*|(?:\s|(?<=\d))\/\/|\s#/;
/** The beginning of a note after a value: `3 -- counted`, `3 <- new`. After words it may be part of them. */
const NOTE_BEHIND = /\s(?:--\s|<-|←|<!--)/;
/** `[1 2 true]`, `[1; 2]`: the first of several. */
const SPACED_WORD =
  /(?:[+-]?[\d.]+|true|false|null|True|False|None)(?=(?:\s+|\s?;\s?)(?:[+-]?\.?\d|(?:true|false|null|True|False|None)\b))/y;
/** `12345", "b": …`: the other quote of a pair. */
const HALF_QUOTE = /"(?=\s*(?:[}\]]|,\s*"))/y;
/** `see (1)", "b": …`: a string, perhaps with parentheses, whose first quote is missing. */
const HALF_STRING = /(?!(?:true|false|null)\b)\p{L}[^"“”:\n]{0,200}"(?=\s*(?:[}\]]|,\s*"))/iuy;
/** `/^a{2},b$/i`: a regular expression of JavaScript. */
const REGULAR_EXPRESSION = /\/[^/*\\\n](?:[^/\\\n]|\\.){0,200}\/[dgimsuvy]{0,8}(?=\s*[,}\]])/y;
const MAX_WORD = 500;

/** ABSENT for a word that is cut off before it says anything. `readValue` reads what stands inside a call. Throws Unreadable. */
export const readBareWord = (reader: Reader, role: Role, readValue: (reader: Reader, role: Role) => unknown): unknown => {
  const half = role === "top" ? undefined : take(reader, HALF_STRING);
  if (half !== undefined) {
    reader.repairs.add("missing_quote");
    reader.seen.quotedStrings++;
    return half.slice(0, -1);
  }
  const expression = role === "top" ? undefined : take(reader, REGULAR_EXPRESSION);
  if (expression !== undefined) return acceptWord(reader, expression, role);
  if (matchAt(CALL, reader.text, reader.at)) return readCall(reader, role, readValue);
  const word = takeWord(reader, role);
  if (role === "top") return readAlone(reader, word);
  if (/^(?:\.\.\.+|…|-)$/.test(word) && !atEnd(reader)) {
    reader.repairs.add(word === "-" ? "missing_value" : "ellipsis");
    return null;
  }
  if (atEnd(reader) && /^[+-]?$/.test(word)) {
    reader.repairs.add("truncated");
    return ABSENT;
  }
  const number = readNumber(reader, word);
  const value = number === undefined ? readLiteral(reader, word) : number;
  if (value === undefined) return acceptWord(reader, word, role);
  reader.seen.literals++;
  if (take(reader, HALF_QUOTE) !== undefined) reader.repairs.add("missing_quote");
  return value;
};

/** A whole answer of one word is data only where it is a number or a literal of JSON or Python; `no` and `none` are words. */
const readAlone = (reader: Reader, word: string): number | boolean | null => {
  const known = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE|null|None|NaN)$/.test(word);
  const value = known ? readLiteral(reader, word) : /[\d]$/.test(word) ? readNumber(reader, word) : undefined;
  if (value === undefined) throw new Unreadable("no value stands here");
  return value;
};

const atEnd = (reader: Reader): boolean => reader.at >= reader.text.length;

/** ABSENT where the text ends inside the key. */
export const readBareKey = (reader: Reader): string | typeof ABSENT => {
  const key = matchAt(BARE_KEY, reader.text, reader.at);
  if (key === undefined) throw new Unreadable("a key is due");
  reader.at += key.length;
  if (reader.text[reader.at] === '"') {
    reader.at++;
    reader.repairs.add("missing_quote");
  } else reader.repairs.add("unquoted");
  if (!atEnd(reader)) return key.trim().replace(/'$/, "");
  reader.repairs.add("truncated");
  return ABSENT;
};

/** Up to the next separator; in an object a comma that no key follows belongs to the words. */
const takeWord = (reader: Reader, role: Role): string => {
  const { text, at: start } = reader;
  const spaced = role === "element" ? matchAt(SPACED_WORD, text, start) : undefined;
  if (spaced !== undefined) {
    reader.at += spaced.length;
    return spaced;
  }
  for (;;) {
    reader.at += (matchAt(WORD, text, reader.at) ?? "").length;
    if (role !== "top" && reader.at > start && take(reader, ASIDE) !== undefined) continue;
    const goesOn = role === "member" && text[reader.at] === "," && isCommaInWords(reader, text.slice(start, reader.at));
    if (!goesOn || reader.at - start > MAX_WORD) break;
    reader.at++;
  }
  const taken = upToSemicolon(reader, role, start);
  const comment = COMMENT_INSIDE.exec(taken) ?? noteBehind(taken);
  const word = withoutTail(comment ? taken.slice(0, comment.index) : taken);
  reader.at = start + word.length;
  if (word.length > MAX_WORD) throw new Unreadable("words without quotes go on too long");
  return word.trim();
};

/** A style sheet (`margin: 0; padding: 0`) has no quotes. */
const QUOTED_OR_NOTHING = /^\s*(?:$|['‘])/;

/** `true; "b": …`, `[1; 'x']`: what was taken from `start` on, up to the semicolon that separates a number or literal from what follows. */
const upToSemicolon = ({ text, at }: Reader, role: Role, start: number): string => {
  const taken = text.slice(start, at);
  const end = taken.indexOf(";");
  if (end < 0 || role === "top" || !isPlainValue(taken.slice(0, end))) return taken;
  return role === "element" || QUOTED_OR_NOTHING.test(taken.slice(end + 1)) ? taken.slice(0, end) : taken;
};

/** `1 `, `1\n`: removes what stands between a number or literal and what follows. */
const withoutTail = (word: string): string => {
  let end = word.length;
  for (;;) {
    const last = word[end - 1] ?? "";
    if (/\s/.test(last)) end -= 1;
    else if (word[end - 2] === "\\" && /[nrt]/.test(last)) end -= 2;
    else break;
  }
  return isPlainValue(word.slice(0, end)) ? word.slice(0, end) : word;
};

const isPlainValue = (word: string): boolean => PLAIN_NUMBER.test(word.trim()) || LITERALS.has(word.trim().toLowerCase());

const noteBehind = (words: string): RegExpExecArray | null => {
  const note = NOTE_BEHIND.exec(words);
  return note && isPlainValue(words.slice(0, note.index)) ? note : null;
};

/** Whether the comma is part of the words. After a number or literal it is only if it groups digits, as in `1,299`. */
const isCommaInWords = ({ text, at }: Reader, before: string): boolean =>
  (isPlainValue(before) ? /^\d{3}(?![\d:])/ : /^ ?[\p{L}\d]/u).test(text.slice(at + 1, at + 5)) && !keyIsAhead(text, at + 1);

const readNumber = (reader: Reader, word: string): number | undefined => {
  if (PLAIN_NUMBER.test(word)) return Number(word);
  const hex = HEX_NUMBER.exec(word);
  const cut = atEnd(reader) ? CUT_NUMBER.exec(word) : null;
  const grouped = GROUPED_NUMBER.test(word);
  const loose = LOOSE_NUMBER.test(word) && !LEADING_ZERO.test(word);
  if (!hex && !cut && !grouped && !loose) return undefined;
  reader.repairs.add(cut ? "truncated" : "number");
  if (hex) return Number(hex[2]) * (hex[1] === "-" ? -1 : 1);
  return Number((cut?.[1] ?? word).replace(/^\+|[_,nL]/g, ""));
};

const readLiteral = (reader: Reader, word: string): boolean | null | undefined => {
  const literal = LITERALS.get(word.toLowerCase());
  if (literal !== undefined) {
    if (word !== String(literal)) reader.repairs.add("literal");
    return literal;
  }
  const whole = word.length >= (atEnd(reader) ? 1 : 3) ? CUT_LITERALS.find((name) => name.startsWith(word)) : undefined;
  if (whole === undefined) return undefined;
  reader.repairs.add("truncated");
  return LITERALS.get(whole.toLowerCase());
};

/** `callback({…});`, `ObjectId("…")`, `Decimal('1.5')`: the one value inside; a call with several is kept as the text it is. */
const readCall = (reader: Reader, role: Role, readValue: (reader: Reader, role: Role) => unknown): unknown => {
  const start = reader.at;
  reader.at += (matchAt(CALL, reader.text, start) ?? "").length;
  reader.repairs.add("function_call");
  reader.closers.push(")");
  const value = readValue(reader, "element");
  reader.closers.pop();
  skipFiller(reader);
  if (reader.text[reader.at] === ")" || atEnd(reader)) {
    reader.at++;
    if (reader.text[reader.at] === ";" && role === "top") reader.at++;
    return value === ABSENT ? null : value;
  }
  const end = reader.text.indexOf(")", reader.at);
  if (end < 0 || end - start > MAX_WORD) throw new Unreadable("a call is not closed");
  reader.at = end + 1;
  return reader.text.slice(start, reader.at);
};

/** A word is a string only where a container has room for a value, and where it ends like one. */
const acceptWord = (reader: Reader, word: string, role: Role): string => {
  const next = reader.text[reader.at] ?? "";
  if (role === "top" || word === "") throw new Unreadable("no value stands here");
  if (/[{[(]/.test(next)) throw new Unreadable("a bracket follows a word");
  const halfQuoted = next === '"' || next === "”";
  if (halfQuoted) reader.at++;
  reader.repairs.add(halfQuoted ? "missing_quote" : "unquoted");
  if (halfQuoted) reader.seen.quotedStrings++;
  else reader.seen.bareStrings++;
  return word;
};
