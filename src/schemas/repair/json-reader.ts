/** The state of reading text that was meant to be JSON, and the small steps that its parts share. */

/** Repairs, as stable names for `svc.schema_validation.repaired`. */
export type Repair =
  | "backslash"
  | "code_fence"
  | "comment"
  | "concatenated_strings"
  | "concatenated_values"
  | "doubled_braces"
  | "ellipsis"
  | "enum_spelling"
  | "extra_comma"
  | "extra_property"
  | "function_call"
  | "html_entities"
  | "json_in_string"
  | "literal"
  | "mismatched_bracket"
  | "missing_braces"
  | "missing_colon"
  | "missing_comma"
  | "missing_quote"
  | "missing_value"
  | "number"
  | "one_item_list"
  | "property_spelling"
  | "quoted_literal"
  | "quotes"
  | "raw_control_character"
  | "set"
  | "surrounding_text"
  | "thinking"
  | "truncated"
  | "unescaped_quote"
  | "unquoted"
  | "whitespace"
  | "wrapper";

/** The text cannot be read as JSON from here. */
export class Unreadable extends Error {}

/** No value: the text ends, or a separator stands, where one was due. */
export const ABSENT = Symbol("absent");

/** The role of a string or word decides what may follow it. */
export type Role = "key" | "member" | "element" | "top";

export type Reader = {
  text: string;
  at: number;
  /** How far a reading got that failed. */
  reached: number;
  /** The closing brackets that are due, innermost last. */
  closers: string[];
  repairs: Set<Repair>;
  /** The result of `surplusOf`, once it was asked for. */
  surplus?: Surplus;
  /** Every unescaped quote ends its string. If false, only one that is followed by what may follow a string. */
  plainQuotes: boolean;
  /** Evidence for data and against prose. */
  seen: { quotedKeys: number; bareKeys: number; quotedStrings: number; bareStrings: number; literals: number; sets: number };
  /** What was read as one may be several: a string with unescaped quotes inside and none at its end, an object with a key twice. */
  isDoubtful: boolean;
};

const SPACES = /[\s\u200b-\u200d\u2060\ufeff]+/y;
const PLAIN_SPACES = /^[ \t\r\n]+$/;
/** Of JavaScript, Python, SQL and HTML, and the arrow of `"a": 1, <- the first`. A colour (`#fff,`) is not a comment. */
const COMMENT =
  /\/\/[^\n]*|\/\*|#(?!(?:[\da-fA-F]{3,4}|[\da-fA-F]{6}|[\da-fA-F]{8})\s*[,}\]])[^\n]*|<!--|(?:--(?=\s)|<-|←)[^\n]*/y;
const COMMENT_ENDS: Record<string, string> = { "/*": "*/", "<!--": "-->" };
/** A key and its colon; quotes of other kinds are not told apart here. A bare number is one, the hour of `12:30` is not. */
const KEY_AHEAD =
  /[\s\u200b-\u200d\u2060]*(?:""?(?:[^"\\\n]|\\.){0,100}""?|`[^`\\\n]{0,100}`|'(?:[^'\\\n]|\\.){0,100}'|[“”„‘’«`「][^“”‘’»`」\n]{0,100}[“”‘’»`」]|[\p{L}_$][\p{L}\p{N}_$.-]{0,60}["'”’]?|\d{1,10}["']?(?=\s?:[\s"'{[]))\s*(?:[:：]|=>?)/uy;

/** Words that belong to nothing right before a quoted key: `"a": 1, and "b": 2`. */
const STRAY_WORDS = /\s*[\p{L}_][\p{L}\p{N}_ -]{0,40}\s(?="[^"\\\n]{1,100}"\s*:)/uy;

/** The length of stray words at `at`; 0 if there are none. */
export const strayWords = (text: string, at: number): number => matchAt(STRAY_WORDS, text, at)?.length ?? 0;

export const createReader = (text: string, at: number, plainQuotes = false): Reader => ({
  text,
  at,
  reached: at,
  closers: [],
  repairs: new Set(),
  plainQuotes,
  seen: { quotedKeys: 0, bareKeys: 0, quotedStrings: 0, bareStrings: 0, literals: 0, sets: 0 },
  isDoubtful: false,
});

/** The text that a sticky expression matches at `at`, or undefined. */
export const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

export const keyIsAhead = (text: string, at: number): boolean => matchAt(KEY_AHEAD, text, at) !== undefined;

export const peek = (reader: Reader): string => reader.text[reader.at] ?? "";

/** Steps over what the sticky expression matches here. */
export const take = (reader: Reader, pattern: RegExp): string | undefined => {
  const found = matchAt(pattern, reader.text, reader.at);
  if (found !== undefined) reader.at += found.length;
  return found;
};

/** Blanks that were escaped though they stand between the parts: `{\n  "a": 1}`. */
const ESCAPED_SPACES = /(?:\\[nrt])+/y;

/** Steps over spaces of any kind and comments. */
export const skipFiller = (reader: Reader): void => {
  for (;;) {
    const spaces = take(reader, SPACES);
    if (spaces !== undefined) {
      if (!PLAIN_SPACES.test(spaces)) reader.repairs.add("whitespace");
      continue;
    }
    if (take(reader, ESCAPED_SPACES) !== undefined) {
      reader.repairs.add("whitespace");
      continue;
    }
    const comment = take(reader, COMMENT);
    if (comment === undefined) return;
    reader.repairs.add("comment");
    const close = COMMENT_ENDS[comment];
    if (close === undefined) {
      if (reader.at === reader.text.length) reader.at -= beyondNote(reader, comment);
      continue;
    }
    const end = reader.text.indexOf(close, reader.at);
    reader.at = end < 0 ? reader.text.length : end + close.length;
  }
};

/** Where data goes on after a note, if the text has no line ends that end the note: `{"a": {"b": 1 // new}, "c": 2}`. */
const DATA_AGAIN = /[}\]]\s*(?:[}\],]|$)|,\s*"[^"\n]{0,100}"\s*:/;
const LONGEST_NOTE_LINE = 2_000;

/** How many characters of a note that runs to the end of the text are not part of it. */
const beyondNote = ({ closers, text }: Reader, note: string): number => {
  const runsOn = closers.length > 0 && note.length < LONGEST_NOTE_LINE && !text.includes("\n");
  const again = runsOn ? note.search(DATA_AGAIN) : -1;
  return again < 0 ? 0 : note.length - again;
};

/** The characters that may end a string, by the one that began it. */
export const ENDS_OF: Record<string, string> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": '”“"',
  "”": '”“"',
  "„": '“”"',
  "«": "»",
  "‘": "’‘'",
  "’": "’‘'",
  "「": "」",
};

/** Strings, and the brackets outside them. A string may be cut off; else the rest of the text would be read again from each quote. */
const STRING_OR_BRACKET = /"(?:[^"\\]|\\.)*"?|[{[}\]]/gs;
const LONGEST_BALANCED = 20_000;

/** How many more brackets of each kind close than open, outside strings. */
type Surplus = { "}": number; "]": number };
const CLOSER_OF: Record<string, keyof Surplus> = { "{": "}", "[": "]" };

/** A long text counts as balanced in no way. */
const surplusOf = (reader: Reader): Surplus => {
  if (reader.text.length > LONGEST_BALANCED) return { "}": Number.NaN, "]": Number.NaN };
  if (reader.surplus === undefined) {
    reader.surplus = { "}": 0, "]": 0 };
    for (const [part] of reader.text.matchAll(STRING_OR_BRACKET)) {
      if (part === "}" || part === "]") reader.surplus[part]++;
      else if (part in CLOSER_OF) reader.surplus[CLOSER_OF[part]!]--;
    }
  }
  return reader.surplus;
};

/** Whether as many brackets close as open. Then none is missing, and one that does not fit was written instead of another. */
export const isBalanced = (reader: Reader): boolean => {
  const surplus = surplusOf(reader);
  return surplus["}"] + surplus["]"] === 0;
};

/** Whether brackets of this kind close more often than they open, and none of the other kind is missing. */
export const closesTooOften = (reader: Reader, char: string): boolean => {
  const { "}": braces, "]": brackets } = surplusOf(reader);
  return char === "}" ? braces > 0 && brackets >= 0 : brackets > 0 && braces >= 0;
};

export const isQuote = (char: string): boolean => char !== "" && Object.hasOwn(ENDS_OF, char);
