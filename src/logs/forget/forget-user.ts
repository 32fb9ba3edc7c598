/**
 * `DELETE /v1/logs/user/{user_id}`: deletes everything that a project's log has of a user, and what those calls produced (decisions §10).
 */

import { emptyWal } from "../../database/empty-wal.ts";
import { inSteps } from "../../database/in-steps.ts";
import { forgetMedia } from "../../files/forget-media.ts";
import type { Author } from "../../history/author.ts";
import { recordChange } from "../../history/store.ts";
import { deleteSomeAnswersTo } from "../../http/idempotency/store.ts";
import { forgetMemory } from "../../memory/forget-memory.ts";
import type { Platform } from "../../platform.ts";
import { deleteInBatches } from "./delete-in-batches.ts";
import { callsOfUser } from "./forget-store.ts";

/** Returns the number of deleted calls. Resolves when their texts are neither in the file nor in the write-ahead log. */
export const forgetUser = async (platform: Platform, by: Author, projectId: string, userId: string): Promise<number> => {
  const { db } = platform;
  // First, so that nothing is deleted untold if this is interrupted; who was forgotten is not kept.
  await db.write((sql) => recordChange(sql, by, { action: "user.forgotten", projectId }));
  const deleted = await deleteInBatches(db, {
    find: (most) => callsOfUser(db, projectId, userId, most),
    before: (calls) => {
      const ids = calls.map(({ id }) => id);
      return inSteps(db, () => deleteSomeAnswersTo(db, projectId, ids));
    },
  });
  await forgetMedia(platform, projectId, userId);
  await forgetMemory(db, projectId, userId);
  await db.write((sql) => platform.learning.forgetPlaces(sql, projectId));
  await emptyWal(platform);
  return deleted;
};
