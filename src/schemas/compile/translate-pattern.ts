/** Translates an ECMA-262 pattern to RE2's syntax where the two differ. Assumes valid ECMA syntax. */

/** The reason for refusing a pattern, for the caller. */
export class PatternError extends Error {}

const SPACES = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACES =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const NOT_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";
const ANYTHING = "[\\x{0}-\\x{10ffff}]";
const NOTHING = "[^\\x{0}-\\x{10ffff}]";

/** Long names of general categories; RE2 knows the short ones and the scripts. */
const CATEGORIES: ReadonlyMap<string, string> = new Map(
  `ASCII=[:ascii:] Letter=L Cased_Letter=LC Uppercase_Letter=Lu Lowercase_Letter=Ll Titlecase_Letter=Lt Modifier_Letter=Lm
   Other_Letter=Lo Mark=M Combining_Mark=M Nonspacing_Mark=Mn Spacing_Mark=Mc Enclosing_Mark=Me Number=N Decimal_Number=Nd
   digit=Nd Letter_Number=Nl Other_Number=No Punctuation=P punct=P Connector_Punctuation=Pc Dash_Punctuation=Pd
   Open_Punctuation=Ps Close_Punctuation=Pe Initial_Punctuation=Pi Final_Punctuation=Pf Other_Punctuation=Po Symbol=S
   Math_Symbol=Sm Currency_Symbol=Sc Modifier_Symbol=Sk Other_Symbol=So Separator=Z Space_Separator=Zs Line_Separator=Zl
   Paragraph_Separator=Zp Other=C Control=Cc cntrl=Cc Format=Cf Private_Use=Co`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/** One left-to-right pass; throws PatternError for lookaround and backreferences. */
export const translatePattern = (source: string): string => {
  let out = "";
  let inClass = false;
  for (let at = 0; at < source.length; ) {
    const char = source[at] as string;
    if (char === "\\") {
      const [text, length] = translateEscape(source, at, inClass);
      out += text;
      at += length;
    } else if (inClass) {
      inClass = char !== "]";
      out += char === "[" ? "\\[" : char;
      at++;
    } else if (char === "[") {
      const empty = /^\[(\^?)\]/.exec(source.slice(at, at + 3));
      out += empty ? (empty[1] ? ANYTHING : NOTHING) : source.startsWith("[^", at) ? "[^" : "[";
      at += empty ? empty[0].length : source.startsWith("[^", at) ? 2 : 1;
      inClass = !empty;
    } else {
      refuseLookaround(source, at);
      out += char === "." ? NOT_LINE_END : char === "]" ? "\\]" : char;
      at++;
    }
  }
  return out;
};

const refuseLookaround = (source: string, at: number): void => {
  if (/^\(\?(?:[=!]|<[=!])/.test(source.slice(at, at + 4))) {
    throw new PatternError(
      "lookbehind, and lookahead that does not stand right after a leading ^, are not supported: they cannot be matched in linear time",
    );
  }
};

/** The translation of the escape at `at` and its length in the source. */
const translateEscape = (source: string, at: number, inClass: boolean): [string, number] => {
  const char = source[at + 1] ?? "";
  if (char === "s") return [inClass ? SPACES : `[${SPACES}]`, 2];
  if (char === "S") return [inClass ? NOT_SPACES : `[^${SPACES}]`, 2];
  if ("dDwWnrtfv".includes(char)) return [`\\${char}`, 2];
  if (char === "b") return [inClass ? "\\x{8}" : "\\b", 2];
  if (char === "B") return ["\\B", 2];
  if (char === "u" || char === "x" || char === "c" || char === "0") return translateCodePoint(source, at);
  if ((char === "p" || char === "P") && source[at + 2] === "{") return translateProperty(source, at, inClass);
  if ((char >= "1" && char <= "9") || char === "k") {
    throw new PatternError("backreferences are not supported: they cannot be matched in linear time");
  }
  return [/[A-Za-z]/.test(char) ? char : `\\${char}`, 1 + char.length];
};

const translateCodePoint = (source: string, at: number): [string, number] => {
  const rest = source.slice(at, at + 16);
  const pair = /^\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i.exec(rest);
  if (pair) {
    const text = String.fromCharCode(Number.parseInt(pair[1] ?? "", 16), Number.parseInt(pair[2] ?? "", 16));
    return [`\\x{${(text.codePointAt(0) ?? 0).toString(16)}}`, pair[0].length];
  }
  const hex = /^\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(rest);
  if (hex) return [`\\x{${hex[1] ?? hex[2] ?? hex[3]}}`, hex[0].length];
  const control = /^\\c([A-Za-z])/.exec(rest);
  if (control) return [`\\x{${((control[1] ?? "").charCodeAt(0) % 32).toString(16)}}`, 3];
  return source[at + 1] === "0" ? ["\\x{0}", 2] : [source[at + 1] ?? "", 2];
};

const translateProperty = (source: string, at: number, inClass: boolean): [string, number] => {
  const end = source.indexOf("}", at);
  const negated = source[at + 1] === "P";
  const name = source.slice(at + 3, end).replace(/^(?:General_Category|gc|Script|sc|Script_Extensions|scx)=/, "");
  const known = CATEGORIES.get(name) ?? name;
  const length = end + 1 - at;
  if (!known.startsWith("[:")) return [`\\${negated ? "P" : "p"}{${known}}`, length];
  const posix = negated ? known.replace("[:", "[:^") : known;
  return [inClass ? posix : `[${posix}]`, length];
};
