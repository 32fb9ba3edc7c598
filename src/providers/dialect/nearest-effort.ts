/** The reasoning effort, in the steps that a model knows. */

import type { ModelQuirks, OpenAiDialect } from "../../catalog/model.ts";
import type { ChatRequest, ReasoningEffort } from "../provider.ts";

const STEPS: readonly ReasoningEffort[] = ["none", "minimal", "low", "medium", "high"];

/** The known step nearest to the requested one; of two equally near, the cheaper. Without `known`, every step is supported. */
export const nearestEffort = (effort: ReasoningEffort, known: readonly ReasoningEffort[] = STEPS): ReasoningEffort => {
  const distance = (step: ReasoningEffort): number => Math.abs(STEPS.indexOf(step) - STEPS.indexOf(effort));
  return known.reduce((nearest, step) => (distance(step) < distance(nearest) ? step : nearest), known[0] ?? effort);
};

type Asked = Pick<ChatRequest, "reasoningEffort" | "tools">;

/** The effort sent to one of OpenAI's models; undefined if none is sent. Some accept tools in chat completions only without reasoning. */
export const effortOf = (
  { reasoningEffort, tools = [] }: Asked,
  quirks: ModelQuirks,
  dialect: OpenAiDialect,
): ReasoningEffort | undefined => {
  const mustNotThink = quirks.noReasoningWithTools && tools.length > 0 && dialect === "openai";
  const effort = mustNotThink ? "none" : reasoningEffort;
  return effort === undefined ? undefined : nearestEffort(effort, quirks.efforts);
};

/** Whether temperature and top_p are sent to one of OpenAI's models. */
export const takesSampling = (request: Asked, quirks: ModelQuirks, dialect: OpenAiDialect): boolean =>
  !quirks.noSampling || (quirks.samplesUnthinking === true && effortOf(request, quirks, dialect) === "none");
