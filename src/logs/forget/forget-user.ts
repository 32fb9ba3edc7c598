/**
 * `DELETE /v1/logs/user/{user_id}`: deletes everything that a project's log has of a user, and what those calls produced (decisions §10).
 */

import { forgetMedia } from "../../files/forget-media.ts";
import { forgetMemory } from "../../memory/forget-memory.ts";
import type { Platform } from "../../platform.ts";
import { deleteCallsOfUser } from "./forget-store.ts";

/** Returns the number of deleted calls. Resolves when their texts are neither in the file nor in the write-ahead log. */
export const forgetUser = async (platform: Platform, projectId: string, userId: string): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const count = await deleteCallsOfUser(platform.db, projectId, userId);
    if (count === 0) break;
    deleted += count;
  }
  await forgetMedia(platform, projectId, userId);
  await forgetMemory(platform.db, projectId, userId);
  await platform.db.write((sql) => platform.learning.forgetPlaces(sql, projectId));
  await emptyWal(platform);
  return deleted;
};

const TRIES = 20;

/** Call it after deleting texts, which the log holds until then. A heavy read may hold an old snapshot for a moment. */
export const emptyWal = async (platform: Platform): Promise<void> => {
  for (let tried = 0; tried < TRIES; tried++) {
    if (await platform.db.emptyWal()) return;
    await Bun.sleep(50);
  }
  platform.log.warn(
    "A reader kept the write-ahead log from being emptied; it still holds what was deleted until the next checkpoint",
  );
};
