/** Learned state for each project and mode: loaded when first needed, written a moment after it changed, with many changes at once. */

import type { Mode } from "../../accounts/api-key.ts";
import type { Db } from "../../database/database.ts";
import { type LearningOwner, loadLearning, saveLearning } from "./learning-store.ts";
import type { ProjectLearning } from "./project-learning.ts";

export type LearningState = LearningOwner & { learning: ProjectLearning };

type LearningStates = {
  of(projectId: string, mode: Mode): LearningState;
  /** The project's states that are in memory; all others are complete in the file. */
  ofProject(projectId: string): LearningState[];
  writeSoon(state: LearningState): void;
  /** Writes what is waiting. */
  flush(): Promise<void>;
};

const WRITE_AFTER_MS = 1_000;
const REMEMBERED_STATES = 200;

export const createLearningStates = (db: Db): LearningStates => {
  const states = new Map<string, LearningState>();
  const changed = new Set<LearningState>();
  let timer: Timer | undefined;

  const forgetOldest = (): void => {
    for (const [key, state] of states) {
      if (changed.has(state)) continue;
      states.delete(key);
      return;
    }
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (changed.size === 0) return;
    const written = [...changed];
    changed.clear();
    await db.write((sql) => {
      for (const state of written) saveLearning(sql, state, state.learning);
    });
  };
  return {
    of: (projectId, mode) => {
      const key = `${mode} ${projectId}`;
      const known = states.get(key);
      if (known !== undefined) return known;
      const state = { projectId, mode, learning: loadLearning(db, { projectId, mode }) };
      if (states.size >= REMEMBERED_STATES) forgetOldest();
      states.set(key, state);
      return state;
    },
    ofProject: (projectId) => [...states.values()].filter((state) => state.projectId === projectId),
    writeSoon: (state) => {
      changed.add(state);
      // Rows that a failed write left out are written with their next change.
      timer ??= setTimeout(() => void flush().catch(() => {}), WRITE_AFTER_MS);
      timer.unref();
    },
    flush,
  };
};
