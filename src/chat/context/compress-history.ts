/**
 * Rule 5: if a conversation is too long for every model's context, a summary replaces its oldest turns; system messages, documents and the
 * last turns stay.
 */

import { pickSentences } from "../../memory/pick-sentences.ts";
import { turnsOf } from "../../memory/turns-of.ts";
import type { ChatMessage, ChatRequest } from "../../providers/provider.ts";
import { countMessage, countPrompt } from "../../router/count-prompt.ts";

export type CompressedContext = { originalTokens: number; finalTokens: number };

/** Share of the window that is kept free for the answer. */
const ANSWER_SHARE = 0.15;
const SUMMARY_SHARE = 0.08;
/** Allows for the token estimator's error on prose. */
const SAFETY = 0.9;

/**
 * Returns the request unchanged if the prompt fits `windowTokens`, or if even the last turn alone does not. `gathered`: number of messages
 * in front that are documents rather than conversation; they stay. `promptTokens`: of the returned request.
 */
export const compressHistory = (
  request: ChatRequest,
  windowTokens: number,
  gathered = 0,
): { request: ChatRequest; promptTokens: number; compressed?: CompressedContext } => {
  const originalTokens = countPrompt(request);
  const answerTokens = Math.min(request.maxOutputTokens ?? Number.POSITIVE_INFINITY, Math.ceil(windowTokens * ANSWER_SHARE));
  const room = Math.floor((windowTokens - answerTokens) * SAFETY);
  if (originalTokens <= room) return { request, promptTokens: originalTokens };

  const system = request.messages.filter(({ role }) => role === "system");
  const others = request.messages.filter(({ role }) => role !== "system");
  const documents = others.slice(0, gathered);
  const turns = turnsOf(others.slice(gathered), (message) => message);
  const fixed = originalTokens - turns.flat().reduce((sum, message) => sum + countMessage(message), 0);
  const summaryRoom = Math.floor(room * SUMMARY_SHARE);
  let used = fixed + summaryRoom;
  let keptFrom = turns.length;
  while (keptFrom > 0) {
    const tokens = turns[keptFrom - 1]!.reduce((sum, message) => sum + countMessage(message), 0);
    if (keptFrom < turns.length && used + tokens > room) break;
    used += tokens;
    keptFrom--;
  }
  const folded = turns.slice(0, keptFrom).flat();
  if (folded.length === 0 || used > windowTokens) return { request, promptTokens: originalTokens };
  const summary: ChatMessage = {
    role: "system",
    content: `Summary of the earlier conversation, which was too long to keep in full:\n${pickSentences(null, folded, summaryRoom) ?? ""}`,
  };
  const compressed = { ...request, messages: [...system, ...documents, summary, ...turns.slice(keptFrom).flat()] };
  const finalTokens = countPrompt(compressed);
  return { request: compressed, promptTokens: finalTokens, compressed: { originalTokens, finalTokens } };
};
