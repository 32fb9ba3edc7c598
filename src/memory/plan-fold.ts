/** Chooses the oldest turns to summarise when a session approaches its limit (retrieval-notes §4.8). */
import type { StoredMessage } from "./session.ts";
import { turnsOf } from "./turns-of.ts";

/** Shares of the budget: where summarising begins, what is left after it, and what the summary may take. */
const FOLD_ABOVE = 0.8;
const FOLD_DOWN_TO = 0.5;
const SUMMARY_SHARE = 0.1;
const LONGEST_SUMMARY_TOKENS = 4_000;
const KEEP_LAST_MESSAGES = 4;

/** Whether a session is so close to its limit that its oldest turns must be summarised. */
export const needsFold = (contextTokens: number, budgetTokens: number): boolean => contextTokens > budgetTokens * FOLD_ABOVE;

/** Tokens that the summary may take. */
export const summaryAllowance = (budgetTokens: number): number =>
  Math.max(1, Math.min(LONGEST_SUMMARY_TOKENS, Math.floor(budgetTokens * SUMMARY_SHARE)));

/** Whole turns, oldest first; never any of the last four messages. Empty if nothing may be summarised. */
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
