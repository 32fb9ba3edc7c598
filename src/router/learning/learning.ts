/** Learning from the deployment's own log, for each project and mode. The router asks it; an operator sees, resets and freezes it. */

import type { Mode } from "../../accounts/api-key.ts";
import type { Project } from "../../accounts/project.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { TASK_TYPES, type TaskType } from "../../catalog/task-type.ts";
import type { Db, Sql } from "../../database/database.ts";
import type { Author } from "../../history/author.ts";
import { recordChange } from "../../history/store.ts";
import type { Clock } from "../../lib/clock.ts";
import { createRecent } from "../../lib/recent.ts";
import type { FeedbackEvent } from "../../logs/amend/feedback-store.ts";
import type { Call } from "../../logs/call.ts";
import { completionTokens } from "../../providers/provider.ts";
import type { Classification } from "../classify.ts";
import type { Learned } from "../score-candidates.ts";
import { freshness } from "./learn.ts";
import { createLearningStates, type LearningState } from "./learning-states.ts";
import { deleteLearning, deletePlaces } from "./learning-store.ts";
import {
  joinPlace,
  learnedAbout,
  newLearning,
  type Outcome,
  observe,
  observeTiming,
  type ProjectLearning,
} from "./project-learning.ts";
import { verdictsOn } from "./verdicts-on.ts";

type ShadowOutcome = { callId: string; mode: Mode; model: string; passed: boolean };

export type Learning = {
  /** For one decision. */
  about(projectId: string, mode: Mode, classification: Classification): Learned;
  /** After a chat call has ended, however it ended. */
  heardOfCall(project: Project, call: Call, classification: Classification, keepsPrompt: boolean): void;
  /** A caller's feedback weighs as much as several checks; later feedback on a call replaces earlier. */
  heardOfFeedback(project: Project, event: FeedbackEvent): void;
  heardOfShadow(project: Project, shadow: ShadowOutcome, classification: Classification): void;
  /** The current state; read-only. */
  of(projectId: string, mode: Mode): ProjectLearning;
  /**
   * Forgets all that was learned in that mode; `by` is null where the project is deleted. Resolves to the number of records deleted.
   */
  reset(by: Author | null, projectId: string, mode: Mode): Promise<number>;
  /** For when a person's calls are deleted: a place is an average of prompts, theirs among them. Call it inside a unit of work. */
  forgetPlaces(sql: Sql, projectId: string): void;
  /** Writes what is waiting. */
  flush(): Promise<void>;
};

/** The least number of calls whose place is remembered, for feedback that may come. */
const REMEMBERED_CALLS = 5_000;
const FEEDBACK_WEIGHT = 3;

export const createLearning = (db: Db, clock: Clock, catalog: Catalog): Learning => {
  const states = createLearningStates(db);
  const placeOfCall = createRecent<number>(REMEMBERED_CALLS);

  const learn = (state: LearningState, modelId: string, about: About, place: number | undefined, outcome: Outcome): void => {
    const model = catalog.findChatModel(modelId);
    if (model === undefined) return;
    observe(state.learning, { model, ...about, place, outcome }, clock.now());
    states.writeSoon(state);
  };
  const learnPace = (state: LearningState, call: Call): void => {
    const [attempt] = call.attempts;
    if (call.mode === "test" || call.attempts.length !== 1 || !attempt!.success) return;
    const model = catalog.findChatModel(attempt!.model);
    if (model !== undefined) observeTiming(state.learning, model, completionTokens(attempt!.usage), attempt!.latencyMs);
  };

  return {
    about: (projectId, mode, classification) => learnedAbout(states.of(projectId, mode).learning, classification, clock.now()),
    heardOfCall: (project, call, classification, keepsPrompt) => {
      if (project.settings.learningFrozen) return;
      const verdicts = verdictsOn(call);
      if (verdicts.length === 0) return;
      const state = states.of(project.id, call.mode);
      const place = keepsPrompt ? joinPlace(state.learning, classification.vector) : undefined;
      if (place !== undefined) placeOfCall.keep(call.id, place);
      for (const { model, outcome } of verdicts) learn(state, model, classification, place, outcome);
      learnPace(state, call);
    },
    heardOfFeedback: (project, { callId, mode, model, taskType, complexity, score, earlier }) => {
      if (project.settings.learningFrozen || model === null || complexity === null || !isTask(taskType)) return;
      const state = states.of(project.id, mode as Mode);
      const about = { task: taskType, complexity };
      const place = placeOfCall.find(callId);
      if (earlier !== null) {
        const weight = -FEEDBACK_WEIGHT * freshness(earlier.atMs, clock.now());
        learn(state, model, about, place, { score: earlier.score, weight });
      }
      learn(state, model, about, place, { score, weight: FEEDBACK_WEIGHT });
    },
    heardOfShadow: (project, { callId, mode, model, passed }, classification) => {
      if (project.settings.learningFrozen) return;
      learn(states.of(project.id, mode), model, classification, placeOfCall.find(callId), { passed });
    },
    of: (projectId, mode) => states.of(projectId, mode).learning,
    reset: async (by, projectId, mode) => {
      const state = states.of(projectId, mode);
      state.learning = newLearning();
      placeOfCall.forget();
      return db.write((sql) => {
        if (by !== null) recordChange(sql, by, { action: "learning.reset", name: mode, projectId });
        return deleteLearning(sql, state);
      });
    },
    forgetPlaces: (sql, projectId) => {
      for (const state of states.ofProject(projectId)) {
        state.learning.places.length = 0;
        state.learning.dirty.places.clear();
      }
      placeOfCall.forget();
      deletePlaces(sql, projectId);
    },
    flush: states.flush,
  };
};

type About = { task: TaskType; complexity: number };

const isTask = (text: string | null): text is TaskType => TASK_TYPES.includes(text as TaskType);
