/** Regular chores of the log: adds up new calls, packs older ones into segments, deletes those that are older than the project keeps. */

import { inStepsUntilDrain } from "../database/in-steps.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/clock.ts";
import type { Platform } from "../platform.ts";
import { applyRetention } from "./forget/apply-retention.ts";
import { deleteSomeKeptAnswers } from "./kept-answers-store.ts";
import { makeSegments } from "./segments/make-segments.ts";
import { addUpCalls } from "./sums/add-up.ts";

const SECOND_MS = 1_000;

export const startLogChores = (platform: Platform): void => {
  const { background, db, clock } = platform;
  background.every(HOUR_MS, "log retention", () => applyRetention(platform));
  background.every(SECOND_MS, "sums of the log", () => addUpCalls(db));
  background.every(HOUR_MS, "answers not given again any more", () =>
    inStepsUntilDrain(platform, () => deleteSomeKeptAnswers(db, clock.now())),
  );
  // Calls in no segment are read row by row: at 200 calls a second some 50,000.
  background.every(MINUTE_MS, "segments of the log", () => makeSegments(platform));
};
