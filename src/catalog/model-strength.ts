/** Spreads one figure of a model's ability over the task types. The only place that turns reputation into numbers. */

import { TEXT_TASKS } from "../config/vocabulary.ts";
import type { TextTask } from "./task-type.ts";

/**
 * How fast a task grows harder as the model grows weaker. Sorting and extracting forgive a small model, reasoning and code do not:
 * on public suites the gap between classes is some three times wider there.
 */
const SENSITIVITY: Record<TextTask, number> = {
  extraction: 0.5,
  classification: 0.42,
  summarization: 0.58,
  reasoning: 1.3,
  code: 1.25,
  writing: 0.8,
};

/**
 * Strength per task from one overall figure (0-1), kept between 0.05 and 0.99. Rises with `overall` in every task.
 * `lean` shifts single tasks where a model is known to differ from its class.
 */
export function strengthFrom(overall: number, lean: Partial<Record<TextTask, number>> = {}): Record<TextTask, number> {
  const of = (task: TextTask): number => {
    const strength = 1 - (1 - overall) * SENSITIVITY[task] + (lean[task] ?? 0);
    return Math.round(Math.min(0.99, Math.max(0.05, strength)) * 1_000) / 1_000;
  };
  return Object.fromEntries(TEXT_TASKS.map((task) => [task, of(task)])) as Record<TextTask, number>;
}
