/** Decodes backslashes inside a string: as escapes of JSON where that is meant, and as themselves in paths, expressions and formulas. */

const ESCAPED: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  "\n": "\n",
};

/** A Windows path or share whose backslashes were not doubled. */
const BARE_PATH = /^(?:[A-Za-z]:\\(?!\\)|\\\\[\w.-]+\\(?!\\))/;
/** `\d`, `\alpha`, `\Users`: a backslash before a letter that JSON gives no meaning to. */
const FOREIGN_ESCAPE = /(?<!\\)(?:\\\\)*\\(?:[ac-eg-mo-qsv-zA-Z]|u(?![0-9a-fA-F]{4}))/;
/** Commands of TeX that begin like an escape of JSON. */
const TEX_COMMAND = /^(?:t(?:ext\w*|heta|imes|au|an|o)|n(?:abla|eq|u|ot|i)|r(?:ight\w*|ho|angle|m))(?![a-z])/;
/** Punctuation that Markdown escapes and JSON does not. */
const MARKDOWN = /[_*'`#~&$!<>@% -]/;

/** `literal` says that a backslash was kept or dropped because JSON has no such escape. A cut escape at the end is dropped. */
export const decodeEscapes = (raw: string): { text: string; literal: boolean } => {
  if (BARE_PATH.test(raw)) return { text: raw, literal: true };
  const foreign = FOREIGN_ESCAPE.test(raw);
  let text = "";
  let literal = false;
  for (let at = 0; at < raw.length; ) {
    const slash = raw.indexOf("\\", at);
    if (slash < 0) return { text: text + raw.slice(at), literal };
    text += raw.slice(at, slash);
    const { value, length, plain } = decodeOne(raw, slash, foreign);
    text += value;
    literal ||= !plain;
    at = slash + length;
  }
  return { text, literal };
};

const decodeOne = (raw: string, at: number, foreign: boolean): { value: string; length: number; plain: boolean } => {
  const char = raw[at + 1] ?? "";
  if (char === "") return { value: "", length: 1, plain: false };
  if (char === "u") return decodeUnicode(raw, at);
  if (
    foreign &&
    (((char === "b" || char === "f") && /[\w]/.test(raw[at + 2] ?? "")) || TEX_COMMAND.test(raw.slice(at + 1, at + 12)))
  ) {
    return { value: `\\${char}`, length: 2, plain: false };
  }
  const escaped = ESCAPED[char];
  if (escaped !== undefined) return { value: escaped, length: 2, plain: char !== "\n" };
  if (!foreign && MARKDOWN.test(char)) return { value: char, length: 2, plain: false };
  return { value: char === "'" ? char : `\\${char}`, length: 2, plain: false };
};

/** The first half of a character outside the basic plane, whose second half is cut off. */
const HALF_CHARACTER = /^\\ud[89ab][0-9a-f]{2}(?:\\(?:u[0-9a-f]{0,3})?)?$/i;

const decodeUnicode = (raw: string, at: number): { value: string; length: number; plain: boolean } => {
  const hex = /^[0-9a-fA-F]{0,4}/.exec(raw.slice(at + 2, at + 6))?.[0] ?? "";
  const isCut = (hex.length < 4 && at + 2 + hex.length >= raw.length) || HALF_CHARACTER.test(raw.slice(at, at + 13));
  if (hex.length === 4 && !isCut) return { value: String.fromCharCode(Number.parseInt(hex, 16)), length: 6, plain: true };
  return isCut ? { value: "", length: raw.length - at, plain: false } : { value: "\\u", length: 2, plain: false };
};
