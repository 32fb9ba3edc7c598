/** Regular chores of the log: adds up new calls, packs older ones into segments, deletes those that are older than the project keeps. */

import { inSteps } from "../database/in-steps.ts";
import { HOUR_MS } from "../lib/clock.ts";
import type { Platform } from "../platform.ts";
import { applyRetention } from "./forget/apply-retention.ts";
import { deleteSomeKeptAnswers } from "./kept-answers-store.ts";
import { startMakingSegments } from "./segments/make-segments.ts";
import { addUpCalls } from "./sums/add-up.ts";

const SECOND_MS = 1_000;

export const startLogChores = (platform: Platform): void => {
  const { background, db, clock } = platform;
  background.every(HOUR_MS, "log retention", () => applyRetention(platform));
  background.every(SECOND_MS, "sums of the log", () => addUpCalls(db));
  background.every(HOUR_MS, "answers not given again any more", () =>
    inSteps(
      db,
      () => deleteSomeKeptAnswers(db, clock.now()),
      () => platform.draining,
    ),
  );
  startMakingSegments(platform);
};
