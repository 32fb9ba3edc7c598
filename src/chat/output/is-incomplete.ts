/** Whether an answer broke off: nothing there, cut by its length, an open code fence or bracket, a list announced and not given. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { type ChatRequest, type ChatResult, completionTokens } from "../../providers/provider.ts";

export const isIncomplete = (result: ChatResult, request: ChatRequest): boolean => {
  const text = result.text.trimEnd();
  if (text === "") return result.stopSequence === undefined;
  if (result.finishReason === "length") return isCutByOthers(result, request);
  // An end that looks abrupt may be the caller's own stop sequence, of which few providers tell.
  if (request.stop?.length) return false;
  if (hasOpenFence(text)) return true;
  return stopsMidSentence(text);
};

/** Tokens are sometimes estimated; a cut this near the bound was made there. */
const NEAR_BOUND = 0.75;

/** The caller's own bound is the caller's own wish, which finish_reason reports; a cut long before it is somebody else's. */
export const isCutByCaller = ({ text, toolCalls, usage, finishReason }: ChatResult, { maxOutputTokens }: ChatRequest): boolean =>
  finishReason === "length" &&
  (text.trim() !== "" || toolCalls.length > 0) &&
  maxOutputTokens !== undefined &&
  (completionTokens(usage) || estimateTokens(text)) >= maxOutputTokens * NEAR_BOUND;

export const isCutByOthers = (result: ChatResult, request: ChatRequest): boolean =>
  result.finishReason === "length" && !isCutByCaller(result, request);

const hasOpenFence = (text: string): boolean => {
  let fences = 0;
  for (let at = text.indexOf("```"); at >= 0; at = text.indexOf("```", at + 3)) fences++;
  return fences % 2 === 1;
};

/** After these words of many languages something must come; none of them may end a sentence, also in another language. */
const UNFINISHED_WORDS = new Set(
  `and or the because whose their your its our my
  und oder dem eine einen einem einer für dass weil deren dessen sowie aber wenn
  et les une dans parce sont dont lorsque
  los las una pero cuyo cuya porque sino
  ed gli di del della dei nel nella che
  uma mas para pelo pela
  het een omdat
  lub oraz że ale ponieważ który która które dla
  и или чтобы но который которая которые для в с на
  ve veya ama çünkü fakat
  أو في إلى على التي الذي لأن ولكن
  और या कि लेकिन क्योंकि`.split(/\s+/),
);
/** Of a longer text: shorter ones may end so ("what to compare it with", "plan a"). */
const HARDLY_LAST_WORDS = new Set("a an of to with that which but than if".split(" "));
/** Joints of Chinese and Japanese. */
const UNFINISHED_CJK = /(?:以及|并且|而且|但是|因为|然后|接着|或者|[、，；（「『“を]|そして|および)$/u;
const CJK = /[\u3040-\u30ff\u4e00-\u9fff]/;
const LEAST_WORDS = 5;
const LONG_CHARACTERS = 80;
const LEAST_CJK_CHARACTERS = 16;

/** Ends that no finished answer has: an item without words, a torn row, a joint, a colon after an announcement. */
const stopsMidSentence = (text: string): boolean => {
  const tail = text.slice(-400);
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  if (endsInEmptyItem(text, lastLine) || endsInTornRow(text, lastLine) || /\s\*\*$/.test(tail.slice(-3))) return true;
  if (endsInHeading(text, lastLine) || (lastLine.length < 100 && SAYS_MORE_COMES.test(lastLine))) return true;
  const last = tail.at(-1)!;
  // Most answers end like this, and nothing of what follows does.
  if (".!?。！？".includes(last)) return false;
  if (CJK.test(last) || "、，；（「『“".includes(last))
    return text.length >= LEAST_CJK_CHARACTERS && UNFINISHED_CJK.test(tail.slice(-3));
  const words = tail.split(/\s+/).filter(Boolean);
  if (words.length < LEAST_WORDS) return false;
  const lastWord = words.at(-1)!;
  if (UNFINISHED_WORDS.has(lastWord)) return true;
  if (last === ":" && ANNOUNCES.test(tail.slice(-120))) return true;
  if (text.length < LONG_CHARACTERS) return false;
  if (HARDLY_LAST_WORDS.has(lastWord)) return true;
  // "Kind regards," and the like may be left for the caller to sign.
  if (last === ",") return !(text.includes("\n") && lastLine.split(/\s+/).length <= MOST_CLOSING_WORDS);
  if (/[:;=]-?\($/.test(tail.slice(-3))) return false;
  return "([{—–-".includes(last) || OPEN_PARENTHESIS.test(lastLine.slice(-200));
};
/** `(95 % CI 0.7`. */
const OPEN_PARENTHESIS = /(?:^|\s)\([^()]{2,150}$/;
const MOST_CLOSING_WORDS = 4;
const ANNOUNCES =
  /\b(?:following|these|steps|list|example|below|here (?:is|are))\b[^.\n]{0,60}:$|(?:siguientes?|folgende[nrs]?|suivante?s?|seguenti|seguintes?|volgende|następujące|следующие|التالية)\s?:$/i;
/** `[continued in next message]`, `I'll continue in the next part.`; a story may well end with «to be continued». */
const SAYS_MORE_COMES =
  /^\W{0,6}(?:continue[sd] (?:in|on) |continued\W{0,4}$|i(?:'|’)ll continue (?:in|with) (?:the|my) next |(?:response|answer|output|text) (?:truncated|continues)\b)/i;

/** `## Risks` with nothing below; an outline is nothing but headings, and after a single `#` code may say something. */
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

/** A row of a table that the rows before it close, and it does not. */
const endsInTornRow = (text: string, lastLine: string): boolean =>
  lastLine.includes("|") && /\|[ \t]*\n[ \t]*\|[^\n]*[^|\s][ \t]*$/.test(text.slice(-2_000));

/** What begins as JSON and closes fewer brackets than it opens; where JSON was asked for, that is a matter of its form. */
export const isTornJson = (text: string): boolean => {
  if (!/^[{[]\s*["{[\]}\d]/.test(text)) return false;
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\]]/gs)) {
    if (piece === "{" || piece === "[") depth++;
    else if (piece === "}" || piece === "]") depth--;
  }
  return depth > 0;
};
