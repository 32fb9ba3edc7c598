/** Text → blocks, line by line: headings, fenced code, tables, list items, paragraphs. Their spans (UTF-16 offsets) do not overlap. */

export type Block = {
  kind: "heading" | "code" | "table" | "item" | "paragraph";
  start: number;
  /** After the last character, without the line end. */
  end: number;
  /** Headings only: 1-6 and the words. */
  level?: number;
  title?: string;
};

type Line = { start: number; end: number; text: string };

const ATX = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
/** Within lists, fences are indented as far as what they belong to. Indented tildes also underline code in messages of compilers. */
const FENCE = /^(?:\s{0,12}(?=`)| {0,3})(`{3,}|~{3,})/;
const LIST_ITEM = /^\s{0,12}(?:[-*+•]|\d{1,4}[.)])[ \t]+\S/;
const TABLE_RULE = /^[\s:|-]+$/;
const SETEXT = /^ {0,3}(?:={2,}|-{2,})\s*$/;
/** In lines. */
const LONGEST_FRONT_MATTER = 200;
/** In characters. A longer line is no heading, even if it is written like one. */
const LONGEST_TITLE = 200;

/** The line that begins at `start`; undefined after the last one. Lines are not kept, because a large file may have millions. */
const lineAt = (text: string, start: number): Line | undefined => {
  if (start > text.length) return undefined;
  const found = text.indexOf("\n", start);
  const end = found < 0 ? text.length : found;
  return { start, end, text: text.slice(start, end) };
};

const lineAfter = (text: string, { end }: Line): Line | undefined => lineAt(text, end + 1);

const lineBefore = (text: string, { start }: Line): Line | undefined => {
  if (start === 0) return undefined;
  return lineAt(text, start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1);
};

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === "";

const isTableHead = (text: string, line: Line): boolean => {
  if (!line.text.includes("|")) return false;
  const rule = lineAfter(text, line)?.text ?? "";
  return rule.includes("|") && rule.includes("-") && TABLE_RULE.test(rule);
};

const closesFence = (line: Line, fence: string): boolean => {
  const text = line.text.trim();
  return text.startsWith(fence) && text.replaceAll(fence[0]!, "") === "";
};

const codeAt = (text: string, first: Line): Block | undefined => {
  const fence = FENCE.exec(first.text)?.[1];
  if (fence === undefined) return undefined;
  let last = first;
  for (let line = lineAfter(text, first); line !== undefined; line = lineAfter(text, line)) {
    last = line;
    if (closesFence(line, fence)) break;
  }
  return { kind: "code", start: first.start, end: last.end };
};

const tableAt = (text: string, head: Line): Block | undefined => {
  if (!isTableHead(text, head)) return undefined;
  let last = lineAfter(text, head)!;
  for (let row = lineAfter(text, last); row?.text.includes("|"); row = lineAfter(text, row)) last = row;
  return { kind: "table", start: head.start, end: last.end };
};

const headingAt = (text: string, line: Line): Block | undefined => {
  if (line.end - line.start > LONGEST_TITLE) return undefined;
  const atx = ATX.exec(line.text);
  if (atx !== null) {
    // Consecutive lines with as many `#` are comments, as in settings and scripts.
    const isLikeIt = (other: Line | undefined) => other !== undefined && ATX.exec(other.text)?.[1] === atx[1];
    if (isLikeIt(lineBefore(text, line)) || isLikeIt(lineAfter(text, line))) return undefined;
    const title = atx[2]!.replace(/[ \t]#+[ \t]*$/, "").trim();
    return { kind: "heading", start: line.start, end: line.end, level: atx[1]!.length, title };
  }
  const under = lineAfter(text, line);
  if (under === undefined || !SETEXT.test(under.text)) return undefined;
  return { kind: "heading", start: line.start, end: under.end, level: under.text.includes("=") ? 1 : 2, title: line.text.trim() };
};

/** A paragraph or list item runs until a blank line or until something else begins. */
const proseAt = (text: string, first: Line): Block => {
  let last = first;
  for (let line = lineAfter(text, first); line !== undefined && !isBlank(line); line = lineAfter(text, line)) {
    if (ATX.test(line.text) || FENCE.test(line.text) || LIST_ITEM.test(line.text) || isTableHead(text, line)) break;
    last = line;
  }
  return { kind: LIST_ITEM.test(first.text) ? "item" : "paragraph", start: first.start, end: last.end };
};

/** The front matter of a Markdown file. Its last line of dashes does not underline a heading. */
const frontMatterOf = (text: string): Block | undefined => {
  const first = lineAt(text, 0)!;
  if (first.text.trimEnd() !== "---") return undefined;
  let line = lineAfter(text, first);
  if (isBlank(line)) return undefined;
  for (let count = 1; line !== undefined && count < LONGEST_FRONT_MATTER; count++) {
    if (line.text.trimEnd() === "---") return { kind: "paragraph", start: 0, end: line.end };
    line = lineAfter(text, line);
  }
  return undefined;
};

export function* findBlocks(text: string): Generator<Block> {
  const front = frontMatterOf(text);
  if (front !== undefined) yield front;
  let line = lineAt(text, front === undefined ? 0 : front.end + 1);
  while (line !== undefined) {
    if (isBlank(line)) {
      line = lineAfter(text, line);
      continue;
    }
    const block = codeAt(text, line) ?? tableAt(text, line) ?? headingAt(text, line) ?? proseAt(text, line);
    yield block;
    line = lineAt(text, block.end + 1);
  }
}
