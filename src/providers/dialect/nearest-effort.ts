/** How hard a model is to think, in the steps that it knows. */

import type { ModelQuirks, OpenAiDialect } from "../../catalog/model.ts";
import type { ChatRequest, ReasoningEffort } from "../provider.ts";

const STEPS: readonly ReasoningEffort[] = ["none", "minimal", "low", "medium", "high"];

/** The step next to the one asked for; of two as near, the one that costs less. Every step is taken where `known` is not said. */
export const nearestEffort = (effort: ReasoningEffort, known: readonly ReasoningEffort[] = STEPS): ReasoningEffort => {
  const distance = (step: ReasoningEffort): number => Math.abs(STEPS.indexOf(step) - STEPS.indexOf(effort));
  return known.reduce((nearest, step) => (distance(step) < distance(nearest) ? step : nearest), known[0] ?? effort);
};

type Asked = Pick<ChatRequest, "reasoningEffort" | "tools">;

/** What one of OpenAI's models is asked for; undefined where nothing is said. Some take tools in chat completions only if they do not think. */
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
