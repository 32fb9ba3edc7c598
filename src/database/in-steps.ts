/** Much work as many short writes, such as deleting what was kept of a project: other writes come between them. */

import type { Platform } from "../platform.ts";
import type { Db } from "./database.ts";

/** A step writes ten megabytes at most; from 49 MB on, a commit would have to checkpoint the write-ahead log itself. */
const STEPS_A_CHECKPOINT = 5;

/** Repeats `step` until it says that there was nothing left to do, or until `isOver`. */
export const inSteps = async (db: Db, step: () => Promise<boolean>, isOver = (): boolean => false): Promise<void> => {
  for (let steps = 1; !isOver() && (await step()); steps++) {
    if (steps % STEPS_A_CHECKPOINT === 0) await db.checkpoint();
  }
};

/** The same, ended early when the program stops: what is left is done by a later run. */
export const inStepsUntilDrain = (platform: Platform, step: () => Promise<boolean>): Promise<void> =>
  inSteps(platform.db, step, () => platform.draining);
