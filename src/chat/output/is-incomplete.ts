/** Whether an answer broke off: nothing there, cut by its length, an open code fence or bracket, a list announced and not given. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { type ChatRequest, type ChatResult, completionTokens } from "../../providers/provider.ts";

export const isIncomplete = (result: ChatResult, request: ChatRequest): boolean => {
  const text = result.text.trimEnd();
  if (text === "") return result.stopSequence === undefined;
  if (result.finishReason === "length") return !isCutByCaller(result, request);
  // An end that looks abrupt may be the caller's own stop sequence, of which few providers tell.
  if (request.stop?.length) return false;
  if (hasOpenFence(text)) return true;
  return stopsMidSentence(text);
};

/** Tokens are sometimes estimated; a cut this near the bound was made there. */
const NEAR_BOUND = 0.75;

/** The caller's own bound is the caller's own wish, which finish_reason reports; a cut long before it is somebody else's. */
export const isCutByCaller = ({ text, usage, finishReason }: ChatResult, { maxOutputTokens }: ChatRequest): boolean =>
  finishReason === "length" &&
  text.trim() !== "" &&
  maxOutputTokens !== undefined &&
  (completionTokens(usage) || estimateTokens(text)) >= maxOutputTokens * NEAR_BOUND;

const hasOpenFence = (text: string): boolean => {
  let fences = 0;
  for (let at = text.indexOf("```"); at >= 0; at = text.indexOf("```", at + 3)) fences++;
  return fences % 2 === 1;
};

/** Ends that no finished prose has: a comma, an opening bracket, a conjunction, a colon after an announcement. */
const stopsMidSentence = (text: string): boolean => {
  if (text.length < 80) return false;
  const tail = text.slice(-40);
  if (/[,([{—–-]$/.test(tail)) return true;
  if (/:$/.test(tail) && /\b(?:following|these|steps|list|example|below|here (?:is|are))\b[^.\n]{0,60}:$/i.test(text.slice(-120)))
    return true;
  return /\s(?:and|or|the|a|an|of|to|with|because|that|which|but)$/i.test(tail);
};
