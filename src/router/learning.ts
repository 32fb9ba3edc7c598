/**
 * Learning from the deployment's own log: one state for each project and mode, loaded when first needed, written a moment after it
 * changed, many changes at once. What an operator sees, resets and freezes.
 */

import type { Mode } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { TASK_TYPES, type TaskType } from "../catalog/task-type.ts";
import type { Db, Sql } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { type Call, failureModeOf } from "../logs/call.ts";
import type { FeedbackEvent } from "../logs/feedback-store.ts";
import { completionTokens } from "../providers/provider.ts";
import type { Classification } from "./classify.ts";
import { deleteLearning, deletePlaces, type LearningOwner, loadLearning, saveLearning } from "./learning-store.ts";
import {
  joinPlace,
  learnedAbout,
  newLearning,
  type Outcome,
  observe,
  observeTiming,
  type ProjectLearning,
} from "./project-learning.ts";
import type { Learned } from "./score-candidates.ts";

type ShadowOutcome = { callId: string; mode: Mode; model: string; passed: boolean };

export type Learning = {
  /** For one decision. */
  about(projectId: string, mode: Mode, classification: Classification): Learned;
  /** After a chat call has ended, however it ended. */
  heardOfCall(project: Project, call: Call, classification: Classification, keepsPrompt: boolean): void;
  /** A caller's word weighs as much as several checks; a later one takes the earlier back. */
  heardOfFeedback(project: Project, event: FeedbackEvent): void;
  heardOfShadow(project: Project, shadow: ShadowOutcome, classification: Classification): void;
  /** What is known right now; not to be changed. */
  of(projectId: string, mode: Mode): ProjectLearning;
  /** Forgets all that was learned in that mode. Resolves to the number of records that went. */
  reset(projectId: string, mode: Mode): Promise<number>;
  /** Prompts gather in places: where a person's calls are forgotten, the project's places go too. Inside a unit of work. */
  forgetPlaces(sql: Sql, projectId: string): void;
  /** Writes what is waiting. */
  flush(): Promise<void>;
};

const WRITE_AFTER_MS = 1_000;
const REMEMBERED_PROJECTS = 200;
/** At least so many calls are remembered with their place, for feedback that may come. */
const REMEMBERED_CALLS = 5_000;
const FEEDBACK_WEIGHT = 3;

type Remembered = LearningOwner & { learning: ProjectLearning };

export const createLearning = (db: Db, clock: Clock, catalog: Catalog): Learning => {
  const states = new Map<string, Remembered>();
  const waiting = new Set<Remembered>();
  /** By call id; those before the last few thousand are forgotten together, which costs nothing a call. */
  let placeOfCall = new Map<string, number>();
  let placeOfEarlierCall = new Map<string, number>();
  let timer: Timer | undefined;

  const stateOf = (projectId: string, mode: Mode): Remembered => {
    const key = `${mode} ${projectId}`;
    let state = states.get(key);
    if (state === undefined) {
      state = { projectId, mode, learning: loadLearning(db, { projectId, mode }) };
      if (states.size >= REMEMBERED_PROJECTS) forgetOldest();
      states.set(key, state);
    }
    return state;
  };
  const forgetOldest = () => {
    for (const [key, state] of states) {
      if (waiting.has(state)) continue;
      states.delete(key);
      return;
    }
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const changed = [...waiting];
    waiting.clear();
    await db.write((sql) => {
      for (const state of changed) saveLearning(sql, state, state.learning);
    });
  };
  const writeSoon = (state: Remembered): void => {
    waiting.add(state);
    // What a failed write leaves out goes with the next change of the same row.
    timer ??= setTimeout(() => void flush().catch(() => {}), WRITE_AFTER_MS);
    timer.unref();
  };
  const learn = (state: Remembered, modelId: string, about: About, place: number | undefined, outcome: Outcome): void => {
    const model = catalog.findChatModel(modelId);
    if (model === undefined) return;
    observe(state.learning, { model, ...about, place, outcome }, clock.now());
    writeSoon(state);
  };
  const rememberPlace = (callId: string, place: number | undefined): void => {
    if (place === undefined) return;
    placeOfCall.set(callId, place);
    if (placeOfCall.size < REMEMBERED_CALLS) return;
    placeOfEarlierCall = placeOfCall;
    placeOfCall = new Map();
  };
  const findPlace = (callId: string): number | undefined => placeOfCall.get(callId) ?? placeOfEarlierCall.get(callId);
  const forgetCalls = (): void => {
    placeOfCall.clear();
    placeOfEarlierCall.clear();
  };
  const time = (state: Remembered, call: Call): void => {
    const [attempt] = call.attempts;
    if (call.mode === "test" || call.cancelled || call.attempts.length !== 1 || !attempt!.success) return;
    const model = catalog.findChatModel(attempt!.model);
    if (model !== undefined) observeTiming(state.learning, model, completionTokens(attempt!.usage), attempt!.latencyMs);
  };

  return {
    about: (projectId, mode, classification) => learnedAbout(stateOf(projectId, mode).learning, classification, clock.now()),
    heardOfCall: (project, call, classification, keepsPrompt) => {
      if (project.settings.learningFrozen) return;
      const verdicts = verdictsOn(call);
      if (verdicts.length === 0) return;
      const state = stateOf(project.id, call.mode);
      const place = keepsPrompt ? joinPlace(state.learning, classification.vector) : undefined;
      rememberPlace(call.id, place);
      for (const { model, outcome } of verdicts) learn(state, model, classification, place, outcome);
      time(state, call);
    },
    heardOfFeedback: (project, { callId, mode, model, taskType, complexity, score, earlierScore }) => {
      if (project.settings.learningFrozen || model === null || complexity === null || !isTask(taskType)) return;
      const state = stateOf(project.id, mode as Mode);
      const about = { task: taskType, complexity };
      const place = findPlace(callId);
      if (earlierScore !== null) learn(state, model, about, place, { score: earlierScore, weight: -FEEDBACK_WEIGHT });
      learn(state, model, about, place, { score, weight: FEEDBACK_WEIGHT });
    },
    heardOfShadow: (project, { callId, mode, model, passed }, classification) => {
      if (project.settings.learningFrozen) return;
      learn(stateOf(project.id, mode), model, classification, findPlace(callId), { passed });
    },
    of: (projectId, mode) => stateOf(projectId, mode).learning,
    reset: async (projectId, mode) => {
      const state = stateOf(projectId, mode);
      state.learning = newLearning();
      forgetCalls();
      return db.write((sql) => deleteLearning(sql, state));
    },
    forgetPlaces: (sql, projectId) => {
      for (const state of states.values()) {
        if (state.projectId !== projectId) continue;
        state.learning.places.length = 0;
        state.learning.dirty.places.clear();
      }
      forgetCalls();
      deletePlaces(sql, projectId);
    },
    flush,
  };
};

type About = { task: TaskType; complexity: number };

const isTask = (text: string | null): text is TaskType => TASK_TYPES.includes(text as TaskType);

/** What can be said of each model that was asked. A provider's failure says nothing of the model's work, nor does a call left early. */
const verdictsOn = (call: Call): { model: string; outcome: Outcome }[] => {
  if (call.cancelled) return [];
  const verdicts: { model: string; outcome: Outcome }[] = [];
  for (const [index, attempt] of call.attempts.entries()) {
    const failed = attempt.failure !== "truncated" && failureModeOf(attempt.failure) !== undefined;
    if (!attempt.success && !failed) continue;
    // An answer that was streamed is checked when it has left: the attempt went well, the call did not.
    const last = index === call.attempts.length - 1;
    const passed = attempt.success && !(last && call.validationPassed === false);
    verdicts.push({ model: attempt.model, outcome: last ? withJudge(call, passed) : { passed } });
  }
  return verdicts;
};

/** Criteria that a judge found unmet count as so much less good. */
const withJudge = (call: Call, passed: boolean): Outcome => {
  const evaluation = call.contentEvaluation as { criteria_passed?: number; criteria_failed?: number } | undefined;
  const failed = evaluation?.criteria_failed ?? 0;
  if (failed === 0 || !passed) return { passed };
  return { score: (evaluation?.criteria_passed ?? 0) / (failed + (evaluation?.criteria_passed ?? 0)), weight: 1 };
};
