/**
 * How much a model shall think, as clients of other servers say it: OpenRouter's `reasoning`, the `thinking` of Anthropic, DeepSeek and
 * Z.ai, and the switch in the chat templates of open models.
 */

import { EFFORTS } from "../../catalog/model.ts";
import { isRecord } from "../../lib/is-record.ts";
import { ownValue } from "../../lib/own-value.ts";
import { effortOfBudget } from "../effort-of-budget.ts";

type Fields = Record<string, unknown>;

/** The body with `reasoning_effort` in place of the other field that says it, if one does. */
export const withEffort = (body: Fields): Fields => {
  if (body["reasoning_effort"] != null) return body;
  for (const [name, read] of Object.entries(READERS)) {
    const effort = read(body[name]);
    if (effort === undefined) continue;
    const { [name]: _, ...others } = body;
    return { ...others, reasoning_effort: effort };
  }
  return body;
};

const whereFalse = (value: unknown): string | undefined => (value === false ? "none" : undefined);

const READERS: Record<string, (value: unknown) => string | undefined> = {
  reasoning: (value) => {
    if (!isRecord(value)) return undefined;
    const { effort, max_tokens: budget, enabled } = value;
    if (typeof budget === "number") return effortOfBudget(budget);
    return EFFORTS.find((known) => known === effort) ?? whereFalse(enabled);
  },
  thinking: (value) => {
    if (!isRecord(value)) return undefined;
    const { type, budget_tokens: budget } = value;
    if (type === "disabled") return "none";
    return type === "enabled" && typeof budget === "number" ? effortOfBudget(budget) : undefined;
  },
  enable_thinking: whereFalse,
  chat_template_kwargs: (value) => whereFalse(isRecord(value) ? ownValue(value, "enable_thinking") : undefined),
};
