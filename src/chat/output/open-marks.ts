/** Marks that a text opened and did not close: a quote, a bracket, code, a link, emphasis, a formula, a document of markup. */

/** So much of the last line is read. */
const READ_CHARACTERS = 1_000;

export const BEGINS_AS_JSON = /^[{[]\s*["{[\]}\d]/;

/** Whether the text ends within something that it opened; JSON has a check of its own. `lastLine`: what stands behind its last line break. */
export function endsInOpenMark(text: string, lastLine: string): boolean {
  if (BEGINS_AS_JSON.test(text)) return false;
  const line = lastLine.slice(-READ_CHARACTERS);
  return (
    /\bhttps?:\/\/(?:www\.)?$/.test(line) ||
    // Smileys such as `:(` open nothing, and neither does the end of `]0, 1[`.
    /(?:^|[^:;='\s-])\s?(?:[({]|(?<![\d∞])\[)$/.test(line.slice(-3)) ||
    (line.length >= LEAST_CHARACTERS && OPEN_PARENTHESIS.test(line.slice(-200))) ||
    OPEN_LINK.test(line) ||
    endsInOpenQuote(line) ||
    endsInOpenSpan(line, "`") ||
    endsInOpenSpan(line, "**") ||
    endsInFormula(text) ||
    endsInMarkup(text)
  );
}

/** `(95 % CI 0.7`, but neither `(0, 1]` nor a smiley. */
const OPEN_PARENTHESIS = /\s\([^()\]:;=][^()\]]{0,150}$/;
/** Of a line in which a parenthesis may stay open. */
const LEAST_CHARACTERS = 24;
/** `[the manual](https://exam`, `see the [man`. */
const OPEN_LINK = /\]\([^()\s]*$|\S\s\[\p{L}[^\][\n]{0,100}$/u;

/** What may close each of them: many languages write the same sign in another way. */
const CLOSED_BY: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["„", '“”"'],
  ["“", '”"'],
  ["«", "»"],
  ["»", "«"],
  ["「", "」"],
  ["『", "』"],
  ["《", "》"],
]);
/** These close as well as open: they open only before a word, and not behind one. */
const AMBIGUOUS = '"«»';

function endsInOpenQuote(line: string): boolean {
  let closing = "";
  for (const { 0: sign, index } of line.matchAll(QUOTE)) {
    if (closing.includes(sign)) closing = "";
    else if (closing === "" && (!AMBIGUOUS.includes(sign) || opensWord(line, index))) closing = CLOSED_BY.get(sign) ?? "";
  }
  return closing !== "";
}
const QUOTE = /["„“”«»「」『』《》]/g;

const opensWord = (line: string, index: number): boolean =>
  /[\s([{—–,:=-]/.test(line[index - 1] ?? " ") && /[\p{L}\p{N}]/u.test(line[index + 1] ?? " ");

/** `**Reliab`, ``run `docker``: the mark stands there an odd number of times, the last time before a word; but not `f(**options)`. */
function endsInOpenSpan(line: string, mark: string): boolean {
  const at = line.lastIndexOf(mark);
  if (at < 0 || line.includes("```") || line.includes("***") || line.split(mark).length % 2 === 1) return false;
  const inside = line.slice(at + mark.length);
  return /(?:^|[^,\s(] )$/.test(line.slice(0, at).slice(-2)) && /^[^\s*`)][^)=]*$/.test(inside);
}

/** Of LaTeX: `\( E = mc`, `\begin{equation} …`, and `$$` at the beginning of a line. */
function endsInFormula(text: string): boolean {
  if (!text.includes("\\") && !text.includes("$$")) return false;
  const opens = ([mark, end]: readonly [string, string]) => {
    const at = text.lastIndexOf(mark);
    if (at < 0 || at < text.lastIndexOf(end) || !/\s/.test(text[at - 1] ?? " ")) return false;
    const inside = text.slice(at + mark.length);
    // Markdown and regular expressions write `\[` and `\(` for the signs themselves.
    return /^[^`"]{2,400}$/s.test(inside) && inside.split(/[)\]]/).length <= inside.split(/[([]/).length;
  };
  if (FORMULAS.some(opens)) return true;
  const block = text.lastIndexOf("\n$$") + 1;
  return text.startsWith("$$", block) && text.split("$$").length % 2 === 0;
}
const FORMULAS = [
  ["\\(", "\\)"],
  ["\\[", "\\]"],
  ["\\begin{", "\\end{"],
] as const;

/** An answer that begins with a tag and another one or a line below it, and never closes the first. */
function endsInMarkup(text: string): boolean {
  if (!text.startsWith("<")) return false;
  const root = /^(?:<[?!][^<>]*>\s*)*<([a-z][\w:-]*)(?:\s[^<>]*)?>\s*</i.exec(text.slice(0, READ_CHARACTERS))?.[1];
  return root !== undefined && !NEED_NO_END.has(root.toLowerCase()) && !text.includes(`</${root}`);
}
const NEED_NO_END = new Set(
  "area base br col dd dt embed hr img input li link meta option p source td th tr track wbr".split(" "),
);
