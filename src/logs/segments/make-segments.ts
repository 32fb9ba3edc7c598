/** Puts calls into segments once their time is over: in the background, some thousand at a time. */

import { listProjects } from "../../accounts/store.ts";
import { MINUTE_MS } from "../../lib/clock.ts";
import type { Platform } from "../../platform.ts";
import { beginSegment, type columnsOfRange, deleteUnfinishedSegments, fillSegment, type Range } from "./segment-store.ts";

/** Small enough to be made anew in some milliseconds, large enough that a range of months has some dozens. */
const CALLS_A_SEGMENT = 4096;
/** By then nearly every call that began has ended, and is in the ledger; one that comes later takes its segment away. */
const SETTLED_AFTER_MS = 3 * MINUTE_MS;
/** What is in no segment yet is looked at row by row: of 200 calls a second some 50,000. */
const MADE_EVERY_MS = MINUTE_MS;
/** Between two segments: calls come first. */
const PAUSE_MS = 5;

export const startMakingSegments = (platform: Platform): void => {
  let making: Promise<void> | undefined;
  const make = () => {
    making ??= makeSegments(platform).finally(() => {
      making = undefined;
    });
    return making;
  };
  platform.background.every(MADE_EVERY_MS, "segments of the log", make);
  platform.background.soon("segments of the log", make);
};

/** Not twice at a time: segments that were begun and never filled are taken for those of a program that was ended. */
export const makeSegments = async (platform: Platform, most = CALLS_A_SEGMENT): Promise<void> => {
  await platform.db.write(deleteUnfinishedSegments);
  const toMs = platform.clock.now() - SETTLED_AFTER_MS;
  for (const { id } of await listProjects(platform.db))
    for (const mode of ["live", "test"] as const) await makeSegmentsOf(platform, { projectId: id, mode, fromMs: 0, toMs }, most);
};

const makeSegmentsOf = async (platform: Platform, whole: Range, most: number): Promise<void> => {
  const { db } = platform;
  let { fromMs } = whole;
  while (!platform.draining) {
    const range = await db.ask<Range | null>("nextToSegment", { ...whole, fromMs, most });
    if (range === null) return;
    // Begun before it is read: no change of its calls can be missed.
    const id = await db.write((sql) => beginSegment(sql, range));
    if (id !== undefined) {
      const columns = await db.ask<ReturnType<typeof columnsOfRange>>("columnsOfRange", range);
      await db.write((sql) => fillSegment(sql, id, columns));
    }
    fromMs = range.toMs;
    await Bun.sleep(PAUSE_MS);
  }
};
