/** What one project's calls in one mode have taught, in memory: evidence by task, model and difficulty, paces, and places where prompts gather. */

import type { ChatModel } from "../catalog/model.ts";
import type { TaskType } from "../catalog/task-type.ts";
import { bandOf } from "./difficulty.ts";
import { addOutcome, addTiming, type Evidence, freshness, goodnessOf, noEvidence, type Pace, shiftFrom, sumOf } from "./learn.ts";
import { findNearest, isNear, type Neighbourhood, settle } from "./neighbourhoods.ts";
import { predictQuality, textTaskOf } from "./predict-quality.ts";
import { guessedLatency, type Learned } from "./score-candidates.ts";

export type Bands = [Evidence, Evidence, Evidence];

export type ProjectLearning = {
  /** By task, then by model id. */
  outcomes: Map<TaskType, Map<string, Bands>>;
  /** By model id. */
  paces: Map<string, Pace>;
  places: Neighbourhood[];
  /** What is not written yet. */
  dirty: { outcomes: Map<string, { task: TaskType; model: string; band: number }>; paces: Set<string>; places: Set<number> };
};

/** How an answer did: what the output checks said, or a judgement from 0 to 1. */
export type Outcome = { passed: boolean } | { score: number; weight: number };

export type Observation = {
  model: ChatModel;
  task: TaskType;
  complexity: number;
  /** Where the prompt gathers with others, from `joinPlace`. */
  place: number | undefined;
  outcome: Outcome;
};

/** Outcomes that a place must hold of a model before it says more than the task does. */
const ENOUGH_NEARBY = 4;

const NOTHING = { shift: 0, trials: 0 };

export const newLearning = (): ProjectLearning => ({
  outcomes: new Map(),
  paces: new Map(),
  places: [],
  dirty: { outcomes: new Map(), paces: new Set(), places: new Set() },
});

/** The place that the prompt joins; undefined for a prompt without known words. */
export const joinPlace = ({ places, dirty }: ProjectLearning, vector: Float32Array): number | undefined => {
  if (vector.every((value) => value === 0)) return undefined;
  const place = settle(places, vector);
  dirty.places.add(place);
  return place;
};

const getOrMake = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
};

export const bandsOf = ({ outcomes }: ProjectLearning, task: TaskType, model: string, now: number): Bands => {
  const models = getOrMake(outcomes, task, () => new Map<string, Bands>());
  return getOrMake(models, model, (): Bands => [noEvidence(now), noEvidence(now), noEvidence(now)]);
};

export const observe = (learning: ProjectLearning, observation: Observation, now: number): void => {
  const { model, task, complexity, place, outcome } = observation;
  const expected = predictQuality(model.strength[textTaskOf(task)], complexity);
  const { good, weight } =
    "passed" in outcome
      ? { good: goodnessOf(expected, outcome.passed), weight: 1 }
      : { good: outcome.score, weight: outcome.weight };
  const band = bandOf(complexity);
  addOutcome(bandsOf(learning, task, model.id, now)[band], good, expected, weight, now);
  learning.dirty.outcomes.set(`${task} ${band} ${model.id}`, { task, model: model.id, band });
  const there = place === undefined ? undefined : learning.places[place];
  if (there === undefined) return;
  const evidence = getOrMake(there.outcomes, model.id, () => noEvidence(now));
  addOutcome(evidence, good, expected, weight, now);
  learning.dirty.places.add(place!);
};

export const observeTiming = (learning: ProjectLearning, model: ChatModel, outputTokens: number, measuredMs: number): void => {
  const pace = getOrMake(learning.paces, model.id, () => ({ factor: 1, calls: 0 }));
  addTiming(pace, measuredMs, guessedLatency(model, outputTokens));
  learning.dirty.paces.add(model.id);
};

/** From coarse to fine: the model at the task, at that difficulty, at prompts like this one; each starts from what the one before says. */
export const learnedAbout = (
  { outcomes, paces, places }: ProjectLearning,
  { task, complexity, vector }: { task: TaskType; complexity: number; vector?: Float32Array },
  now: number,
): Learned => {
  const models = outcomes.get(task);
  const band = bandOf(complexity);
  const nearest = models === undefined || vector === undefined ? undefined : findNearest(places, vector);
  const nearby = nearest !== undefined && isNear(nearest) ? places[nearest.index]!.outcomes : undefined;
  return {
    of: (model) => {
      const bands = models?.get(model);
      if (bands === undefined) return NOTHING;
      const all = sumOf(bands, now);
      const shift = shiftFrom(bands[band], shiftFrom(all, 0, now), now);
      const here = nearby?.get(model);
      const isEnough = here !== undefined && here.trials * freshness(here.atMs, now) >= ENOUGH_NEARBY;
      return { shift: isEnough ? shiftFrom(here, shift, now) : shift, trials: all.trials };
    },
    paceOf: (model) => paces.get(model)?.factor ?? 1,
  };
};
