/** Deletes prompt and answer of one call. Its row stays with all of its figures, because it is the owner's record of what was paid. */

import { emptyWal } from "../../database/empty-wal.ts";
import { inSteps } from "../../database/in-steps.ts";
import type { Author } from "../../history/author.ts";
import { recordChange } from "../../history/store.ts";
import { deleteSomeAnswersTo } from "../../http/idempotency/store.ts";
import type { Platform } from "../../platform.ts";
import { clearTexts } from "./forget-store.ts";

/** Resolves when the texts are neither in the file nor in the write-ahead log. Nothing is done if the call is no longer in the log. */
export const deleteTexts = async (platform: Platform, by: Author, projectId: string, callId: string): Promise<void> => {
  const { db } = platform;
  // First, because without its texts the call counts as deleted, and is not deleted again if this fails.
  await inSteps(db, () => deleteSomeAnswersTo(db, projectId, [callId]));
  await db.write((sql) => {
    if (clearTexts(sql, projectId, callId)) recordChange(sql, by, { action: "call.texts_deleted", id: callId, projectId });
  });
  await emptyWal(platform);
};
