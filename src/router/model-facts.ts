/** Constant facts about a model that every decision needs, computed once for each catalog entry. */

import type { ChatModel } from "../catalog/model.ts";
import type { TextTask } from "../catalog/task-type.ts";
import { TEXT_TASKS } from "../config/vocabulary.ts";
import { logOdds } from "./predict-quality.ts";

export type ModelFacts = {
  /** Strength at each task in log-odds. */
  ability: Readonly<Record<TextTask, number>>;
  /** Epoch ms from which the vendor no longer serves it; infinite if no date is known, 0 while its server is away. */
  servedUntilMs: number;
};

const servedUntil = ({ isAway, shutdownDate }: ChatModel): number => {
  if (isAway) return 0;
  return shutdownDate === undefined ? Number.POSITIVE_INFINITY : Date.parse(shutdownDate);
};

/** Keyed by the catalog's record: a changed catalog has new records, and the facts of old ones are freed with them. */
const known = new WeakMap<ChatModel, ModelFacts>();

export const factsOf = (model: ChatModel): ModelFacts => {
  let facts = known.get(model);
  if (facts === undefined) {
    facts = {
      ability: Object.fromEntries(TEXT_TASKS.map((task) => [task, logOdds(model.strength[task])])) as Record<TextTask, number>,
      servedUntilMs: servedUntil(model),
    };
    known.set(model, facts);
  }
  return facts;
};
