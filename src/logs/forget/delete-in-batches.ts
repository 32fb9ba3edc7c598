/** Deletes many calls, in batches that block the serving thread for a few milliseconds each. */

import type { Db } from "../../database/database.ts";
import { inSteps } from "../../database/in-steps.ts";
import { deleteCalls, type FoundCall } from "./forget-store.ts";

/** How long one batch may block the serving thread. */
const HOLD_MS = 4;
/** Few, because each call touches a separate page of the users' index. */
const FIRST_BATCH = 50;
const SMALLEST_BATCH = 5;
const LARGEST_BATCH = 200;

/** The size of the next batch, after one of `size` blocked the serving thread for `heldMs`: slow or busy machines get smaller batches. */
export const batchAfter = (size: number, heldMs: number): number => {
  const fitting = (size * HOLD_MS) / Math.max(heldMs, 0.1);
  return Math.round(Math.min(LARGEST_BATCH, 2 * size, Math.max(SMALLEST_BATCH, fitting)));
};

type Batches = {
  /** Finds at most so many of the calls that are left. */
  find(most: number): FoundCall[];
  before(calls: readonly FoundCall[]): Promise<void>;
  isOver?(): boolean;
};

/** Returns the number of deleted calls. */
export const deleteInBatches = async (db: Db, { find, before, isOver }: Batches): Promise<number> => {
  let deleted = 0;
  let size = FIRST_BATCH;
  const deleteSome = async (): Promise<boolean> => {
    const calls = find(size);
    if (calls.length === 0) return false;
    await before(calls);
    const batch = await deleteCalls(db, calls);
    deleted += batch.deleted;
    size = batchAfter(size, batch.heldMs);
    return true;
  };
  await inSteps(db, deleteSome, isOver);
  return deleted;
};
