/** Whether an answer broke off: empty, cut at its length limit, an open code fence or bracket, a list announced but missing. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { type ChatRequest, type ChatResult, completionTokens } from "../../providers/provider.ts";
import { lastStep } from "./agent-steps.ts";
import { BEGINS_AS_JSON } from "./open-marks.ts";
import { stopsMidSentence } from "./stops-mid-sentence.ts";

/** An answer of which the text is not the whole, or nothing: what tools are asked, or what the model drew. */
export const isMoreThanText = ({ toolCalls, pictures }: ChatResult): boolean => toolCalls.length > 0 || pictures !== undefined;

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
export const isCutByCaller = (result: ChatResult, { maxOutputTokens }: ChatRequest): boolean =>
  result.finishReason === "length" &&
  (result.text.trim() !== "" || isMoreThanText(result)) &&
  maxOutputTokens !== undefined &&
  (completionTokens(result.usage) || estimateTokens(result.text)) >= maxOutputTokens * NEAR_BOUND;

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

/** Text that begins as JSON and closes fewer brackets than it opens. If JSON was requested, the format check reports it instead. */
export const isTornJson = (text: string): boolean => {
  if (!BEGINS_AS_JSON.test(text)) return false;
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\])]/gs)) {
    // An interval such as [0, 1) is mathematics.
    if (piece === ")") return false;
    if (piece === "{" || piece === "[") depth++;
    else if (piece === "}" || piece === "]") depth--;
  }
  return depth > 0;
};
