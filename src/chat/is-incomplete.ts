/** Whether an answer broke off: nothing there, cut by its length, an open code fence or bracket, a list announced and not given. */

import type { ChatRequest, ChatResult } from "../providers/provider.ts";

export const isIncomplete = (result: ChatResult, request: ChatRequest): boolean => {
  const text = result.text.trimEnd();
  if (text === "") return true;
  // The caller's own bound is the caller's own wish; a cut there is reported by finish_reason.
  if (result.finishReason === "length") return request.maxOutputTokens === undefined;
  if (hasOpenFence(text)) return true;
  return stopsMidSentence(text);
};

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
