/** How hard a model is to think, in the steps that it knows. */

import type { ReasoningEffort } from "../provider.ts";

const STEPS: readonly ReasoningEffort[] = ["none", "minimal", "low", "medium", "high"];

/** The step next to the one asked for; of two as near, the one that costs less. Every step is taken where `known` is not said. */
export const nearestEffort = (effort: ReasoningEffort, known: readonly ReasoningEffort[] = STEPS): ReasoningEffort => {
  const distance = (step: ReasoningEffort): number => Math.abs(STEPS.indexOf(step) - STEPS.indexOf(effort));
  return known.reduce((nearest, step) => (distance(step) < distance(nearest) ? step : nearest), known[0] ?? effort);
};
