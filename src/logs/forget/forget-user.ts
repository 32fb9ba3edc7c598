/**
 * `DELETE /v1/logs/user/{user_id}`: deletes everything that a project's log has of a user, and what those calls produced (decisions §10).
 */

import { emptyWal } from "../../database/empty-wal.ts";
import { inSteps } from "../../database/in-steps.ts";
import { forgetMedia } from "../../files/forget-media.ts";
import { deleteSomeAnswersTo } from "../../http/idempotency/store.ts";
import { forgetMemory } from "../../memory/forget-memory.ts";
import type { Platform } from "../../platform.ts";
import { batchAfter, FIRST_BATCH } from "./apply-retention.ts";
import { callsOfUser, deleteCalls } from "./forget-store.ts";

/** Returns the number of deleted calls. Resolves when their texts are neither in the file nor in the write-ahead log. */
export const forgetUser = async (platform: Platform, projectId: string, userId: string): Promise<number> => {
  const { db } = platform;
  let deleted = 0;
  let size = FIRST_BATCH;
  const deleteSomeCalls = async (): Promise<boolean> => {
    const calls = callsOfUser(db, projectId, userId, size);
    if (calls.length === 0) return false;
    const ids = calls.map(({ id }) => id);
    await inSteps(db, () => deleteSomeAnswersTo(db, projectId, ids));
    const batch = await deleteCalls(db, calls);
    deleted += batch.deleted;
    size = batchAfter(size, batch.heldMs);
    return true;
  };
  await inSteps(db, deleteSomeCalls);
  await forgetMedia(platform, projectId, userId);
  await forgetMemory(db, projectId, userId);
  await db.write((sql) => platform.learning.forgetPlaces(sql, projectId));
  await emptyWal(platform);
  return deleted;
};
