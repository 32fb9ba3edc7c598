/** Whether an answer broke off: empty, cut at its length limit, an open code fence or bracket, a list announced but missing. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { type ChatRequest, type ChatResult, completionTokens } from "../../providers/provider.ts";
import { lastStep } from "./agent-steps.ts";

export const isIncomplete = (result: ChatResult, request: ChatRequest): boolean => {
  const text = result.text.trimEnd();
  if (text === "") return result.stopSequence === undefined;
  if (result.finishReason === "length") return isCutByOthers(result, request);
  // An abrupt end may be the caller's own stop sequence, which few providers report.
  if (request.stop?.length) return false;
  if (hasOpenFence(text) && !isFencedStep(text, request)) return true;
  return stopsMidSentence(text);
};

/** Agents' prompts show the steps in a fence, which a model that opens it leaves open for the tool's result. */
const isFencedStep = (text: string, request: ChatRequest): boolean =>
  text.startsWith("```") && lastStep(text, request) !== undefined;

/** Token counts are sometimes estimated, so a cut this near the bound counts as made by it. */
const NEAR_BOUND = 0.75;

/**
 * Whether the caller's own output bound cut the answer; that is not a failure, and `finish_reason` reports it. A cut far below the bound
 * has another cause.
 */
export const isCutByCaller = ({ text, toolCalls, usage, finishReason }: ChatResult, { maxOutputTokens }: ChatRequest): boolean =>
  finishReason === "length" &&
  (text.trim() !== "" || toolCalls.length > 0) &&
  maxOutputTokens !== undefined &&
  (completionTokens(usage) || estimateTokens(text)) >= maxOutputTokens * NEAR_BOUND;

export const isCutByOthers = (result: ChatResult, request: ChatRequest): boolean =>
  result.finishReason === "length" && !isCutByCaller(result, request);

/** Three backticks or more: what stands before them if they begin their line (blanks, a quote's or a list's marks), and what follows them. */
const FENCE = /(?:^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)|)(?<!`)(`{3,})(?!`)([^`\n]*)$/gm;

/** Some models open a block behind words of theirs (`Sure! ```json`), where others only speak of one: open is what is so in both readings. */
const hasOpenFence = (text: string): boolean =>
  text.includes("```") && leavesOpen(text, () => false) && leavesOpen(text, (after) => LANGUAGE.test(after));
const LANGUAGE = /^[a-z][\w+#-]*[ \t]*$/i;

/** A block is opened at the beginning of a line, and closed there or at the end of one, by as many backticks or more; others are text. */
const leavesOpen = (text: string, opensBehindWords: (after: string) => boolean): boolean => {
  let open = "";
  for (const [, before, marks = "", after = ""] of text.matchAll(FENCE)) {
    const beginsLine = before !== undefined;
    if (open === "") open = beginsLine || opensBehindWords(after) ? marks : "";
    else if (marks.startsWith(open) && (beginsLine || after.trim() === "")) open = "";
  }
  return open !== "";
};

/** Words, in many languages, that cannot end a sentence, nor do so in any of the other languages. */
const UNFINISHED_WORDS = new Set(
  `and the because whose their your its our
  und oder für dass weil deren dessen sowie aber wenn
  et parce dont lorsque
  cuyo cuya porque
  ed gli di della nei nella che
  pela
  omdat
  lub oraz że ponieważ który która które dla
  и или чтобы но который которая которые для в с на
  veya çünkü fakat
  أو في إلى على التي الذي لأن ولكن
  और या कि लेकिन क्योंकि`.split(/\s+/),
);
/**
 * For longer texts only. Short ones may end like this («what to compare it with», «plan a», «davon habe ich einen», «dat weet ik niet, ik doe
 * het»), or with a word of another language that is spelled alike (Spanish `pelo`, Swedish `dem`, Polish `las`).
 */
const HARDLY_LAST_WORDS = new Set(
  `a an of to with that which but than if or my
  eine einen einem einer une una uma een het
  dem les dans sont las los pero sino del dei mas para pelo ale ve ama`.split(/\s+/),
);
/** Conjunctions and opening marks of Chinese and Japanese. */
const UNFINISHED_CJK = /(?:以及|并且|而且|但是|因为|然后|接着|或者|[、，；（「『“を]|そして|および)$/u;
const CJK = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** No word of these lists is longer. */
const LONGEST_WORD = 30;
const LEAST_WORDS = 5;
const LONG_CHARACTERS = 80;
const LEAST_CJK_CHARACTERS = 16;

/** Endings that no finished answer has: an empty list item, a broken table row, a conjunction, a colon after an announcement. */
const stopsMidSentence = (text: string): boolean => {
  const tail = text.slice(-400);
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  if (endsInEmptyItem(text, lastLine) || endsInTornRow(text, lastLine) || /\s\*\*$/.test(tail.slice(-3))) return true;
  if (endsInHeading(text, lastLine) || (lastLine.length < 100 && SAYS_MORE_COMES.test(lastLine))) return true;
  const last = tail.at(-1)!;
  // Most answers end like this; none of the checks below applies to them.
  if (".!?。！？".includes(last) || ENDS_IN_RULE.test(tail)) return false;
  if (CJK.test(last) || "、，；（「『“".includes(last))
    return text.length >= LEAST_CJK_CHARACTERS && UNFINISHED_CJK.test(tail.slice(-3));
  // One more, because a blank at the start leaves an empty one.
  if (tail.split(/\s+/, LEAST_WORDS + 1).filter(Boolean).length < LEAST_WORDS) return false;
  const lastWord = tail.slice(-LONGEST_WORD).split(/\s+/).at(-1)!;
  if (UNFINISHED_WORDS.has(lastWord)) return true;
  if (last === ":" && ANNOUNCES.test(tail.slice(-120))) return true;
  if (text.length < LONG_CHARACTERS) return false;
  if (HARDLY_LAST_WORDS.has(lastWord)) return true;
  // A letter may end with "Kind regards," for the caller to sign.
  if (last === ",") return !(text.includes("\n") && lastLine.split(/\s+/).length <= MOST_CLOSING_WORDS);
  if (/[:;=]-?\($/.test(tail.slice(-3))) return false;
  return "([{—–-".includes(last) || OPEN_PARENTHESIS.test(lastLine.slice(-200));
};
/** A line across the page; directly below text it would make that text a heading. */
const ENDS_IN_RULE = /\n[ \t]*\n[ \t]*(?:-{3,}|\*{3,}|_{3,})$/;
/** `(95 % CI 0.7`. */
const OPEN_PARENTHESIS = /(?:^|\s)\([^()]{2,150}$/;
const MOST_CLOSING_WORDS = 4;
const ANNOUNCES =
  /\b(?:follow(?:ing|s)|these|steps|list|example|below|here (?:is|are))\b[^.\n]{0,60}:$|(?:siguientes?|folgende[nrs]?|suivante?s?|seguenti|seguintes?|volgende|następujące|следующие|التالية)\s?:$/i;
/** Such as `[continued in next message]` or `I'll continue in the next part.`, but not a story's "to be continued". */
const SAYS_MORE_COMES =
  /^\W{0,6}(?:continue[sd] (?:in|on) |continued\W{0,4}$|i(?:'|’)ll continue (?:in|with) (?:the|my) next |(?:response|answer|output|text) (?:truncated|continues)\b)/i;

/** A heading such as `## Risks` without text below. An outline consists of headings only, and a single `#` may begin a comment in code. */
const endsInHeading = (text: string, lastLine: string): boolean =>
  /^#{2,6} \S/.test(lastLine) && text.length > lastLine.length && !HEADING.test(lineBefore(text, lastLine));
const HEADING = /^#{1,6} \S/;
const lineBefore = (text: string, lastLine: string): string => {
  const before = text.slice(0, -lastLine.length).trimEnd();
  return before.slice(before.lastIndexOf("\n") + 1);
};

/** `1. Free\n2. Starter\n3.` */
const endsInEmptyItem = (text: string, lastLine: string): boolean =>
  /^[ \t]*(?:\d{1,3}[.)]|[-*•])$/.test(lastLine) &&
  /(?:^|\n)[ \t]*(?:\d{1,3}[.)]|[-*•])[^\n]+\n[ \t]*(?:\d{1,3}[.)]|[-*•])$/.test(text.slice(-2_000));

/** A table row without its closing bar, although the rows before it have one. */
const endsInTornRow = (text: string, lastLine: string): boolean =>
  lastLine.includes("|") && /\|[ \t]*\n[ \t]*\|[^\n]*[^|\s][ \t]*$/.test(text.slice(-2_000));

/** Text that begins as JSON and closes fewer brackets than it opens. If JSON was requested, the format check reports it instead. */
export const isTornJson = (text: string): boolean => {
  if (!/^[{[]\s*["{[\]}\d]/.test(text)) return false;
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\])]/gs)) {
    // An interval such as [0, 1) is mathematics.
    if (piece === ")") return false;
    if (piece === "{" || piece === "[") depth++;
    else if (piece === "}" || piece === "]") depth--;
  }
  return depth > 0;
};
