/** Which of the oldest turns go into the summary when a session comes near its limit (retrieval-notes §4.8). */
import type { StoredMessage } from "./session.ts";
import { turnsOf } from "./turns-of.ts";

/** Of the budget: where folding begins, what is left after it, and what the summary itself may take. */
const FOLD_ABOVE = 0.8;
const FOLD_DOWN_TO = 0.5;
const SUMMARY_SHARE = 0.1;
const LONGEST_SUMMARY_TOKENS = 4_000;
const KEEP_LAST_MESSAGES = 4;

/** Whether a session has come so near its limit that its oldest turns must go. */
export const needsFold = (contextTokens: number, budgetTokens: number): boolean => contextTokens > budgetTokens * FOLD_ABOVE;

/** Tokens that the summary itself may take. */
export const summaryAllowance = (budgetTokens: number): number =>
  Math.max(1, Math.min(LONGEST_SUMMARY_TOKENS, Math.floor(budgetTokens * SUMMARY_SHARE)));

/** Whole turns, oldest first; never any of the last four messages. Empty where nothing may go. */
export const planFold = (messages: readonly StoredMessage[], budgetTokens: number): StoredMessage[] => {
  const target = budgetTokens * FOLD_DOWN_TO - summaryAllowance(budgetTokens);
  let left = messages.reduce((sum, { tokens }) => sum + tokens, 0);
  const foldable = messages.length - KEEP_LAST_MESSAGES;
  let folded = 0;
  for (const turn of turnsOf(messages, ({ message }) => message)) {
    if (left <= target || folded + turn.length > foldable) break;
    folded += turn.length;
    left -= turn.reduce((sum, { tokens }) => sum + tokens, 0);
  }
  return messages.slice(0, folded);
};
