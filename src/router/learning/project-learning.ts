/**
 * The learned state of one project and mode, in memory: evidence by task, model and difficulty, response times, and places of similar
 * prompts.
 */

import type { ChatModel } from "../../catalog/model.ts";
import type { TaskType } from "../../catalog/task-type.ts";
import { bandOf } from "../difficulty.ts";
import { predictQuality, textTaskOf } from "../predict-quality.ts";
import { guessedLatency, type Learned } from "../score-candidates.ts";
import {
  addOutcome,
  addTiming,
  type Evidence,
  freshness,
  goodnessOf,
  noEvidence,
  type Pace,
  PRIOR_TRIALS,
  shiftFrom,
  sumOf,
} from "./learn.ts";
import { findNearest, isNear, type Place, settle } from "./places.ts";

export type Bands = [Evidence, Evidence, Evidence];

export type ProjectLearning = {
  /** By task, then by model id. */
  outcomes: Map<TaskType, Map<string, Bands>>;
  /** By model id. */
  paces: Map<string, Pace>;
  places: Place[];
  /** Changes that are not written yet. */
  dirty: { outcomes: Map<string, { task: TaskType; model: string; band: number }>; paces: Set<string>; places: Set<number> };
};

/** How an answer did: what the output checks said, or a judgement from 0 to 1. */
export type Outcome = { passed: boolean } | { score: number; weight: number };

type Observation = {
  model: ChatModel;
  task: TaskType;
  complexity: number;
  /** The place of the prompt, from `joinPlace`. */
  place: number | undefined;
  outcome: Outcome;
};

/** The key of the evidence of all models together: whether prompts here are easier for every model than the catalog says. */
export const EVERY_MODEL = "";
/** The least number of a model's outcomes in a place from which they count in addition to those at the task. */
const ENOUGH_NEARBY = 4;

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
  const there = place === undefined ? undefined : learning.places[place];
  for (const id of [model.id, EVERY_MODEL]) {
    addOutcome(bandsOf(learning, task, id, now)[band], good, expected, weight, now);
    learning.dirty.outcomes.set(`${task} ${band} ${id}`, { task, model: id, band });
    if (there === undefined) continue;
    addOutcome(
      getOrMake(there.outcomes, id, () => noEvidence(now)),
      good,
      expected,
      weight,
      now,
    );
  }
  if (there !== undefined) learning.dirty.places.add(place!);
};

export const observeTiming = (learning: ProjectLearning, model: ChatModel, outputTokens: number, measuredMs: number): void => {
  const pace = getOrMake(learning.paces, model.id, () => ({ factor: 1, calls: 0 }));
  addTiming(pace, measuredMs, guessedLatency(model, outputTokens));
  learning.dirty.paces.add(model.id);
};

/**
 * Goes from coarse to fine evidence, each step with the one before as its prior: every model at the task, this model at it, at that
 * difficulty, at similar prompts. What is true of every model also holds for models without outcomes of their own.
 */
export const learnedAbout = (
  { outcomes, paces, places }: ProjectLearning,
  { task, complexity, vector }: { task: TaskType; complexity: number; vector: Float32Array },
  now: number,
): Learned => {
  const models = outcomes.get(task);
  const band = bandOf(complexity);
  const nearest = models === undefined ? undefined : findNearest(places, vector);
  const nearby = nearest !== undefined && isNear(nearest) ? places[nearest.index]!.outcomes : undefined;
  const everywhere = shiftsOf(models?.get(EVERY_MODEL), band, { all: 0, here: 0 }, now);
  const everyModel = { ...everywhere, near: nearShift(nearby?.get(EVERY_MODEL), everywhere.here, now) };
  const untried = { shift: everyModel.near, trials: 0 };
  return {
    of: (model) => {
      const bands = models?.get(model);
      if (bands === undefined) return untried;
      const own = shiftsOf(bands, band, everyModel, now);
      const before = own.here + everyModel.near - everyModel.here;
      return { shift: nearShift(nearby?.get(model), before, now), trials: own.trials };
    },
    paceOf: (model) => paces.get(model)?.factor ?? 1,
  };
};

/** `all`: at the task whatever the difficulty; `here`: at the difficulty in question. */
type Shifts = { all: number; here: number; trials: number };

export const shiftsOf = (bands: Bands | undefined, band: 0 | 1 | 2, before: Omit<Shifts, "trials">, now: number): Shifts => {
  if (bands === undefined) return { ...before, trials: 0 };
  const sum = sumOf(bands, now);
  const all = shiftFrom(sum, before.all, now, PRIOR_TRIALS.task);
  return { all, here: shiftFrom(bands[band], all + before.here - before.all, now, PRIOR_TRIALS.difficulty), trials: sum.trials };
};

const nearShift = (here: Evidence | undefined, before: number, now: number): number =>
  here === undefined || here.trials * freshness(here.atMs, now) < ENOUGH_NEARBY
    ? before
    : shiftFrom(here, before, now, PRIOR_TRIALS.place);
