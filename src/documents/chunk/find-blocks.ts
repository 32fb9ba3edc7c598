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
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^\s{0,12}(?:[-*+•]|\d{1,4}[.)])[ \t]+\S/;
const TABLE_RULE = /^[\s:|-]+$/;
const SETEXT = /^ {0,3}(?:={2,}|-{2,})\s*$/;
/** In lines. */
const LONGEST_FRONT_MATTER = 200;
/** In characters. A longer line is no heading, even if it is written like one. */
const LONGEST_TITLE = 200;

const linesOf = (text: string): Line[] => {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines.push({ start, end, text: text.slice(start, end) });
    start = end + 1;
  }
  return lines;
};

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === "";

const isTableHead = (line: Line, next: Line | undefined): boolean =>
  next !== undefined &&
  line.text.includes("|") &&
  next.text.includes("|") &&
  next.text.includes("-") &&
  TABLE_RULE.test(next.text);

const closesFence = (line: Line, fence: string): boolean => {
  const text = line.text.trim();
  return text.startsWith(fence) && text.replaceAll(fence[0]!, "") === "";
};

/** The fenced code or table at `at`, with the number of its lines. */
const wholeLines = (lines: Line[], at: number): { kind: "code" | "table"; count: number } | undefined => {
  const fence = FENCE.exec(lines[at]!.text)?.[1];
  if (fence !== undefined) {
    let close = at + 1;
    while (close < lines.length && !closesFence(lines[close]!, fence)) close++;
    return { kind: "code", count: Math.min(close + 1, lines.length) - at };
  }
  if (!isTableHead(lines[at]!, lines[at + 1])) return undefined;
  let end = at + 2;
  while (end < lines.length && lines[end]!.text.includes("|")) end++;
  return { kind: "table", count: end - at };
};

const headingAt = (lines: Line[], at: number): (Block & { lines: number }) | undefined => {
  const line = lines[at]!;
  if (line.end - line.start > LONGEST_TITLE) return undefined;
  const atx = ATX.exec(line.text);
  if (atx !== null) {
    // Consecutive lines with as many `#` are comments, as in settings and scripts.
    const isLikeIt = (other: Line | undefined) => other !== undefined && ATX.exec(other.text)?.[1] === atx[1];
    if (isLikeIt(lines[at - 1]) || isLikeIt(lines[at + 1])) return undefined;
    const title = atx[2]!.replace(/[ \t]#+[ \t]*$/, "").trim();
    return { kind: "heading", start: line.start, end: line.end, level: atx[1]!.length, title, lines: 1 };
  }
  const under = lines[at + 1];
  if (isBlank(line) || under === undefined || !SETEXT.test(under.text)) return undefined;
  return {
    kind: "heading",
    start: line.start,
    end: under.end,
    level: under.text.includes("=") ? 1 : 2,
    title: line.text.trim(),
    lines: 2,
  };
};

/** A paragraph or list item runs until a blank line or until something else begins. */
const proseEnd = (lines: Line[], at: number): number => {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end])) {
    const { text } = lines[end]!;
    if (ATX.test(text) || FENCE.test(text) || LIST_ITEM.test(text) || isTableHead(lines[end]!, lines[end + 1])) break;
    end++;
  }
  return end;
};

/** The number of lines of a Markdown file's front matter, 0 if it has none. Its last line of dashes does not underline a heading. */
const frontMatterEnd = (lines: Line[]): number => {
  if (lines[0]?.text.trimEnd() !== "---" || isBlank(lines[1])) return 0;
  return lines.slice(0, LONGEST_FRONT_MATTER).findIndex(({ text }, at) => at > 0 && text.trimEnd() === "---") + 1;
};

export const findBlocks = (text: string): Block[] => {
  const lines = linesOf(text);
  const front = frontMatterEnd(lines);
  const blocks: Block[] = front > 0 ? [{ kind: "paragraph", start: 0, end: lines[front - 1]!.end }] : [];
  for (let at = front; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const first = lines[at]!;
    const whole = wholeLines(lines, at);
    const heading = whole === undefined ? headingAt(lines, at) : undefined;
    if (heading !== undefined) {
      const { lines: count, ...block } = heading;
      blocks.push(block);
      at += count;
      continue;
    }
    const end = whole === undefined ? proseEnd(lines, at) : at + whole.count;
    const kind = whole?.kind ?? (LIST_ITEM.test(first.text) ? "item" : "paragraph");
    blocks.push({ kind, start: first.start, end: lines[end - 1]!.end });
    at = end;
  }
  return blocks;
};
