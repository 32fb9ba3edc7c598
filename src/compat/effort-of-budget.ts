/** The effort that a budget of thinking tokens stands for, since most vendors know no budgets. */

import type { ReasoningEffort } from "../providers/provider.ts";

export const effortOfBudget = (tokens: number): ReasoningEffort => {
  if (tokens <= 0) return "none";
  return tokens >= 16_000 ? "high" : tokens >= 4_000 ? "medium" : "low";
};
