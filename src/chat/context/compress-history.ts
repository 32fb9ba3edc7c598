/** Rule 5: a conversation too long for every context loses its oldest turns to a summary; system messages, documents and the last turns stay. */

import { pickSentences } from "../../memory/pick-sentences.ts";
import { turnsOf } from "../../memory/turns-of.ts";
import type { ChatMessage, ChatRequest } from "../../providers/provider.ts";
import { countMessage, countPrompt } from "../../router/count-prompt.ts";

export type CompressedContext = { originalTokens: number; finalTokens: number };

/** Room that is left for the answer, as a share of the window. */
const ANSWER_SHARE = 0.15;
const SUMMARY_SHARE = 0.08;
/** The estimator's error on running text. */
const SAFETY = 0.9;

/**
 * Unchanged where the prompt fits `windowTokens`, or where even the last turn alone does not. `gathered`: how many messages in front of the
 * conversation are no part of it, but documents it is about: they stay. `promptTokens`: of what is returned.
 */
export const compressHistory = (
  request: ChatRequest,
  windowTokens: number,
  gathered = 0,
): { request: ChatRequest; promptTokens: number; compressed?: CompressedContext } => {
  const originalTokens = countPrompt(request);
  const answerTokens = Math.min(request.maxOutputTokens ?? Number.POSITIVE_INFINITY, Math.ceil(windowTokens * ANSWER_SHARE));
  const room = Math.floor((windowTokens - answerTokens) * SAFETY);
  if (windowTokens === 0 || originalTokens <= room) return { request, promptTokens: originalTokens };

  const system = request.messages.filter(({ role }) => role === "system");
  const others = request.messages.filter(({ role }) => role !== "system");
  const documents = others.slice(0, gathered);
  const turns = turnsOf(others.slice(gathered), (message) => message);
  const fixed = originalTokens - turns.flat().reduce((sum, message) => sum + countMessage(message), 0);
  const summaryRoom = Math.floor(room * SUMMARY_SHARE);
  const kept: ChatMessage[][] = [];
  let used = fixed + summaryRoom;
  for (const turn of turns.toReversed()) {
    const tokens = turn.reduce((sum, message) => sum + countMessage(message), 0);
    if (kept.length > 0 && used + tokens > room) break;
    used += tokens;
    kept.unshift(turn);
  }
  const folded = turns.slice(0, turns.length - kept.length).flat();
  if (folded.length === 0 || used > windowTokens) return { request, promptTokens: originalTokens };
  const summary: ChatMessage = {
    role: "system",
    content: `Summary of the earlier conversation, which was too long to keep in full:\n${pickSentences(null, folded, summaryRoom) ?? ""}`,
  };
  const compressed = { ...request, messages: [...system, ...documents, summary, ...kept.flat()] };
  const finalTokens = countPrompt(compressed);
  return { request: compressed, promptTokens: finalTokens, compressed: { originalTokens, finalTokens } };
};
