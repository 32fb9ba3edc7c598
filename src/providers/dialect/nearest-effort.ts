/** The reasoning effort, in the steps that a model knows. */

import { EFFORTS, type ModelQuirks, type OpenAiDialect } from "../../catalog/model.ts";
import type { ChatRequest, ReasoningEffort } from "../provider.ts";

/** Few models go beyond `high`. */
const USUAL = EFFORTS.slice(0, EFFORTS.indexOf("high") + 1);

/** The known step nearest to the requested one; of two equally near, the cheaper. */
export const nearestEffort = (effort: ReasoningEffort, known: readonly ReasoningEffort[] = USUAL): ReasoningEffort => {
  const distance = (step: ReasoningEffort): number => Math.abs(EFFORTS.indexOf(step) - EFFORTS.indexOf(effort));
  return known.reduce((nearest, step) => (distance(step) < distance(nearest) ? step : nearest), known[0] ?? effort);
};

type Asked = Pick<ChatRequest, "reasoningEffort" | "tools">;

/**
 * The effort sent to one of OpenAI's models; undefined if none is sent. Some of OpenAI's accept tools in chat completions only without
 * reasoning. An effort that the caller asks for is sent all the same: it comes here only at servers that may know better.
 */
export const effortOf = (
  { reasoningEffort, tools = [] }: Asked,
  quirks: ModelQuirks,
  dialect: OpenAiDialect,
): ReasoningEffort | undefined => {
  const mustNotThink = quirks.noReasoningWithTools && tools.length > 0 && dialect === "openai";
  const effort = reasoningEffort ?? (mustNotThink ? "none" : undefined);
  return effort === undefined || quirks.efforts?.length === 0 ? undefined : nearestEffort(effort, quirks.efforts);
};
