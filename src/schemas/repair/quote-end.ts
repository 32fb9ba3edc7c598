/** Decides whether a quote ends its string, or belongs to its text because a model did not escape it. */
import { MAX_LOOK_AHEAD } from "./forgotten-end.ts";
import { isQuote, keyIsAhead, matchAt, type Reader, type Role, strayWords } from "./json-reader.ts";

const VALUE_AHEAD =
  /[\s\u200b-\u200d\u2060]*(?:["'`“‘\d{[\],←-]|\.\.\.|…|$|\/[/*]|#|<-|<!--|(?:true|false|null|True|False|None|NaN)\b|(?:tr?u?|fa?l?s?|nu?l?|Tr?u?|Fa?l?s?|No?n?)$)/y;
const NEXT_ELEMENT =
  /\s+[{[]\s*(?:["'{[}\]\d-]|true|false|null)|\s*(?:true|false|null|True|False|None|-?\d[\d.]*)\s*(?:[,\]]|$)/y;
const AFTER_MEMBER =
  /[\s\u200b-\u200d\u2060]*(?:[},←]|$|(?:"[^"\\\n]{0,100}"?|['‘“][^'"’”\\\n]{0,100}['’”]?)\s*$|\/\/|\/\*|#|<-|<!--|\.\.\.|…)/y;
/** A note behind the string: `"Ada" // her name`, `"Ada" <-- new`. */
const NOTE_AHEAD = /\/[/*]|<-|<!--|←/y;
/** `"a"{…}`, `"a""b",`: the colon was forgotten. */
const VALUE_BEHIND_KEY = /[{[]|"[^"\\\n]{0,100}"\s*[,}]/y;
/** `"a" 1`, `"a" true`: the same with a blank in between. */
const SPACED_VALUE = /\s+(?:["\d{[]|-\d|(?:true|false|null|True|False|None)\b)/y;
/** `"a" 1,`, `"a"{…}`, `"a: "b"`: a member whose colon, or whose key's last quote, was forgotten. */
const BROKEN_MEMBER =
  /\s*"(?:[^"\\\n:,{}[\]]{1,60}"\s*(?:[{[]|(?:-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None|"[^"\\\n]{0,400}(?:\\.[^"\\\n]{0,400}){0,20}")\s*[,}])|[\p{L}_$][\p{L}\p{N}_$ .-]{0,40}:\s*(?:["{[]|(?:-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None)\s*[,}]))/uy;
/** `"a""b",`, `"a""b""c"`: the comma was. */
const STRING_BEHIND = /"[^"\\\n,\s][^"\\\n]{0,100}"(?:\s*[,\]]|"[^"\\\n,\s][^"\\\n]{0,100}"\s*[,\]"])/y;
const SPACE = /[\s\u200b-\u200d\u2060]/;

/** `["a", b c", "d"]`: an element whose first quote is missing. */
const HALF_ELEMENT = /\p{L}[^"“”:\n]{0,200}"\s*(?:\]|,\s*")/uy;

/** What the string holds so far: how many more brackets of a kind it has opened than closed, and how many quotes that did not end it. */
export type Inside = { "}": number; "]": number; '"': number };

/** Whether the quote at `at` is followed by what may follow a string in this place. */
export const isEnd = (reader: Reader, at: number, role: Role, inside: Inside): boolean => {
  const { text } = reader;
  const next = skipBlanks(text, at + 1);
  const char = text[next] ?? "";
  if (char === "") return true;
  if (role === "key") return isEndOfKey(reader, at, next);
  if (char === "}" || char === "]") return inside[char] <= 0 && bracketsFit(reader, next);
  if (char === ")") return reader.closers.includes(")") || reader.closers.length === 0;
  if (char === ";") return isSemicolonBetween(reader, next, role);
  if (/[,，]/.test(char)) {
    const after = skipBlanks(text, next + 1);
    if (role === "member" && isInCode(reader, after, inside)) return false;
    // Quotes inside a string come in pairs, so the first one is no end of a quotation.
    const isHalf = role === "element" && inside['"'] === 0 && matchAt(HALF_ELEMENT, text, after) !== undefined;
    return isHalf || isSeparator(reader, after, role);
  }
  if (matchAt(NOTE_AHEAD, text, next) !== undefined || (char === "#" && next > at + 1)) return true;
  if (char === "+") return /^\+\s*["'`]/.test(text.slice(next, next + 10));
  if (role === "member") return (next > at + 1 || char === '"') && isKeyBehind(reader, next);
  return role === "element" && isElementBehind(text, at + 1, next);
};

const isEndOfKey = (reader: Reader, at: number, next: number): boolean => {
  const { text, closers } = reader;
  const hasColon = () => text.slice(reader.at, at).includes(":");
  if (matchAt(next > at + 1 ? SPACED_VALUE : VALUE_BEHIND_KEY, text, at + 1) !== undefined) return !hasColon();
  return /[:：=]/.test(text[next]!) || (closers.length > 0 && /[,}]/.test(text[next]!) && !hasColon());
};

/** Whether the semicolon at `at` stands where a comma should. */
const isSemicolonBetween = (reader: Reader, at: number, role: Role): boolean => {
  const after = skipBlanks(reader.text, at + 1);
  if (role === "element" && isSeparator(reader, after, role)) return true;
  return isKeyBehind(reader, after) || reader.text.slice(at + 1, at + 9).trim() === "";
};

/** Behind a brace that the string opened, the first bare key belongs to the code in it: `{ a: "x", b: "y" }`. */
const isInCode = ({ text, seen }: Reader, after: number, inside: Inside): boolean =>
  inside["}"] > 0 && seen.bareKeys === 0 && /[\p{L}_$]/u.test(text[after] ?? "");

/** Whether the next element of a list stands at `next`, behind the blanks from `from` on, without a comma before it. */
const isElementBehind = (text: string, from: number, next: number): boolean => {
  if (matchAt(NEXT_ELEMENT, text, from) || matchAt(STRING_BEHIND, text, from)) return true;
  const onNextLine = text.slice(from, next).includes("\n");
  return next > from && (isQuote(text[next]!) || (onNextLine && matchAt(VALUE_AHEAD, text, next) !== undefined));
};

/**
 * Whether a key stands at `next`, behind blanks. A bare one counts only after others: it may as well be a word after a quotation, an attribute
 * (`<a id="b" class="c">`) or code (`x = "a"; y = "b"`).
 */
const isKeyBehind = ({ text, seen }: Reader, next: number): boolean =>
  (isQuote(text[next] ?? "") || seen.bareKeys > 0) && keyIsAhead(text, next);

/** Steps over blanks, including escaped ones between the parts: `"a": "x",\n"b": "y"\n}`. */
const skipBlanks = (text: string, from: number): number => {
  let next = from;
  for (;;) {
    if (next < text.length && next - from < MAX_LOOK_AHEAD && SPACE.test(text[next] as string)) next++;
    else if (text[next] === "\\" && /[nrt]/.test(text[next + 1] ?? "") && next - from < MAX_LOOK_AHEAD) next += 2;
    else return next;
  }
};

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
