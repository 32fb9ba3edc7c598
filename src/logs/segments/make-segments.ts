/** Packs older calls into segments, in the background, a few thousand at a time. */

import { listProjects } from "../../accounts/store.ts";
import { MINUTE_MS } from "../../lib/clock.ts";
import type { Platform } from "../../platform.ts";
import {
  beginSegment,
  type columnsOfRange,
  deleteUnfinishedSegments,
  fillSegment,
  type nextToSegment,
  type Range,
} from "./segment-store.ts";

/** Small enough to be rebuilt in a few milliseconds, large enough that a range of months has only dozens. */
const CALLS_A_SEGMENT = 4096;
/** By then nearly all calls of the time have ended and are in the ledger; a later one removes its segment. */
const SETTLED_AFTER_MS = 3 * MINUTE_MS;
/** Pause between two segments, so that calls come first. */
const PAUSE_MS = 5;

/** Must not run twice at a time: segments that were begun but not filled count as left over from a killed process. */
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
    const range = await db.ask<typeof nextToSegment>("nextToSegment", { ...whole, fromMs, most });
    if (range === null) return;
    // Begun before the calls are read, so that no change to them can be missed.
    const id = await db.write((sql) => beginSegment(sql, range));
    if (id !== undefined) {
      const columns = await db.ask<typeof columnsOfRange>("columnsOfRange", range);
      await db.write((sql) => fillSegment(sql, id, columns));
    }
    fromMs = range.toMs;
    await Bun.sleep(PAUSE_MS);
  }
};
