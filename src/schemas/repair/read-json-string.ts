/** Reads strings as models write them: in any quotes, with unescaped quotes and line ends inside, without the last quote, or cut off. */
import { decodeEscapes } from "./decode-escapes.ts";
import { closedFrom, forgottenEnd, MAX_LOOK_AHEAD } from "./forgotten-end.ts";
import {
  ABSENT,
  ENDS_OF,
  isQuote,
  keyIsAhead,
  matchAt,
  type Reader,
  type Role,
  skipFiller,
  strayWords,
  Unreadable,
} from "./json-reader.ts";

const VALUE_AHEAD =
  /[\s\u200b-\u200d\u2060]*(?:["'“‘\d{[\],←-]|\.\.\.|…|$|\/[/*]|#|<-|<!--|(?:true|false|null|True|False|None|NaN)\b|(?:tr?u?|fa?l?s?|nu?l?|Tr?u?|Fa?l?s?|No?n?)$)/y;
const NEXT_ELEMENT =
  /\s+[{[]\s*(?:["'{[}\]\d-]|true|false|null)|\s*(?:true|false|null|True|False|None|-?\d[\d.]*)\s*(?:[,\]]|$)/y;
const AFTER_MEMBER =
  /[\s\u200b-\u200d\u2060]*(?:[},←]|$|(?:"[^"\\\n]{0,100}"?|['‘“][^'"’”\\\n]{0,100}['’”]?)\s*$|\/\/|\/\*|#|<-|<!--|\.\.\.|…)/y;
/** A note behind the string: `"Ada" // her name`, `"Ada" <-- new`. */
const NOTE_AHEAD = /\/[/*]|<-|<!--|←/y;
/** A fence with the rest of its line: a language, perhaps a file's name. */
const FENCE_LINE = /```[\w+#.-]{0,20}(?: [^`\n]{0,60})?\r?\n/y;
/** `""text""`, as spreadsheets write a quote inside quotes. */
const DOUBLED_QUOTES = /""[\p{L}\p{N}][^"\n]{0,300}""\s*[,:}\]]/uy;
/** `"a"{…}`, `"a""b",`: the colon was forgotten. */
const VALUE_BEHIND_KEY = /[{[]|"[^"\\\n]{0,100}"\s*[,}]/y;
/** `"a" 1`, `"a" true`: the same with a blank in between. */
const SPACED_VALUE = /\s+(?:["\d{[]|-\d|(?:true|false|null|True|False|None)\b)/y;
/** `"a" 1,`, `"a"{…}`, `"a: "b"`: a member whose colon, or whose key's last quote, was forgotten. */
const BROKEN_MEMBER =
  /\s*"(?:[^"\\\n:,{}[\]]{1,60}"\s*(?:[{[]|(?:-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None|"[^"\\\n]{0,200}")\s*[,}])|[\p{L}_$][\p{L}\p{N}_$ .-]{0,40}:\s*(?:["{[]|(?:-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None)\s*[,}]))/uy;
/** `"a""b",`: the comma was. */
const STRING_BEHIND = /"[^"\\\n,\s][^"\\\n]{0,100}"\s*[,\]]/y;
const BARE_CONTROL = /[\u0000-\u001f]/;
const SPACE = /[\s\u200b-\u200d\u2060]/;
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
  const brackets = { "}": 0, "]": 0 };
  let hasBareQuote = false;
  const stop = role === "key" ? Math.min(text.length, start + MAX_KEY) : text.length;
  for (let at = nextMark(text, start); at < stop; at = nextMark(text, at + 1)) {
    const char = text[at] as string;
    if (char === "\\") {
      if (!isBackslashBeforeEnd(reader, start, at, role, brackets)) at++;
    } else if (char === "{") brackets["}"]++;
    else if (char === "[") brackets["]"]++;
    else if (char === "}" || char === "]") brackets[char]--;
    else if (ends.includes(char)) {
      if (reader.plainQuotes || isEnd(reader, at, role, brackets)) return finish(reader, start, at, at + 1);
      // A key behind a brace that the string opened belongs to the code in it.
      const forgotten = brackets["}"] > 0 ? undefined : forgottenEnd(reader, start, at, role);
      if (forgotten !== undefined) {
        if (hasBareQuote) reader.isDoubtful = true;
        return finish(reader, start, forgotten, forgotten, "missing_quote");
      }
      reader.repairs.add("unescaped_quote");
      hasBareQuote = true;
    }
  }
  if (hasBareQuote) reader.isDoubtful = true;
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
const isBackslashBeforeEnd = (reader: Reader, start: number, at: number, role: Role, brackets: Brackets): boolean =>
  reader.text[at + 1] === '"' &&
  /^[A-Za-z]:\\/.test(reader.text.slice(start, start + 3)) &&
  role !== "key" &&
  isEnd(reader, at + 1, role, brackets);

type Brackets = { "}": number; "]": number };

/** Whether the quote at `at` is followed by what may follow a string in this place. */
const isEnd = (reader: Reader, at: number, role: Role, brackets: Brackets): boolean => {
  const { text } = reader;
  const next = skipBlanks(text, at + 1);
  const char = text[next] ?? "";
  if (char === "") return true;
  if (role === "key" && matchAt(next > at + 1 ? SPACED_VALUE : VALUE_BEHIND_KEY, text, at + 1) !== undefined)
    return !keyHasColon(reader, at);
  if (role === "key") return /[:：=]/.test(char) || (reader.closers.length > 0 && /[,}]/.test(char) && !keyHasColon(reader, at));
  if (char === "}" || char === "]") return brackets[char] <= 0 && bracketsFit(reader, next);
  if (char === ")") return reader.closers.includes(")") || reader.closers.length === 0;
  if (char === ";" && role === "element" && isSeparator(reader, skipBlanks(text, next + 1), role)) return true;
  if (char === ";")
    return isKeyBehind(reader, next + 1, skipBlanks(text, next + 1)) || text.slice(next + 1, next + 9).trim() === "";
  if (/[,，]/.test(char)) {
    const after = skipBlanks(text, next + 1);
    // Behind a brace that the string opened, the first bare key belongs to the code in it: `{ a: "x", b: "y" }`.
    const isInCode = brackets["}"] > 0 && reader.seen.bareKeys === 0 && /[\p{L}_$]/u.test(text[after] ?? "");
    return !(isInCode && role === "member") && isSeparator(reader, after, role);
  }
  if (matchAt(NOTE_AHEAD, text, next) !== undefined || (char === "#" && next > at + 1)) return true;
  if (char === "+") return /^\+\s*["'`]/.test(text.slice(next, next + 10));
  if (role === "member") return (next > at + 1 || char === '"') && isKeyBehind(reader, at + 1, next);
  if (role === "element" && (matchAt(NEXT_ELEMENT, text, at + 1) || matchAt(STRING_BEHIND, text, at + 1))) return true;
  const onNextLine = text.slice(at, next).includes("\n");
  return role === "element" && next > at + 1 && (isQuote(char) || (onNextLine && matchAt(VALUE_AHEAD, text, next) !== undefined));
};

/**
 * Whether a key stands at `next`, behind the blanks from `from` on. A bare one counts only on a new line, and after others: it may as well be
 * a word after a quotation, an attribute (`<a id="b" class="c">`) or code (`x = "a"; y = "b"`).
 */
const isKeyBehind = ({ text, seen }: Reader, from: number, next: number): boolean =>
  (isQuote(text[next] ?? "") || (seen.bareKeys > 0 && text.slice(from, next).includes("\n"))) && keyIsAhead(text, next);

/** Steps over blanks, including escaped ones between the parts: `"a": "x",\n"b": "y"\n}`. */
const skipBlanks = (text: string, from: number): number => {
  let next = from;
  for (;;) {
    if (next < text.length && next - from < MAX_LOOK_AHEAD && SPACE.test(text[next] as string)) next++;
    else if (text[next] === "\\" && /[nrt]/.test(text[next + 1] ?? "") && next - from < MAX_LOOK_AHEAD) next += 2;
    else return next;
  }
};

const keyHasColon = (reader: Reader, at: number): boolean => reader.text.slice(reader.at, at).includes(":");

/** Whether a comma is followed by what may follow one in this container, so that it is not part of the string. */
const isSeparator = (reader: Reader, after: number, role: Role): boolean => {
  const { text } = reader;
  if (role === "top") return true;
  if (role === "element") return matchAt(VALUE_AHEAD, text, after) !== undefined || keyIsAhead(text, after);
  if (matchAt(AFTER_MEMBER, text, after) !== undefined || keyIsAhead(text, after) || strayWords(text, after) > 0) return true;
  return matchAt(BROKEN_MEMBER, text, after) !== undefined;
};

/** Whether a run of closing brackets closes everything, or is followed by what follows a closed container. */
const bracketsFit = (reader: Reader, at: number): boolean => {
  const { text, closers } = reader;
  let open = closers.length;
  let next = at;
  while (next < text.length && next - at < MAX_LOOK_AHEAD && /[\s}\])]/.test(text[next] as string)) {
    if (!/\s/.test(text[next] as string)) open--;
    next++;
  }
  return open <= 0 || next >= text.length || /[,，、;"'“/#\n{[]/.test(text[next] as string) || /\n/.test(text.slice(at, next));
};

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
