/** Failed calls from the ledger's rows; all other figures of metrics come from the sums kept with the calls. */

import type { Db } from "../database/database.ts";
import { type CallScope, modesOf } from "../logs/call-scope.ts";

export type FailedCall = {
  failure_mode: string;
  task_type: string | null;
  complexity: number | null;
  prompt_length: number;
  message_count: number;
  streamed: number;
};

/** The latest calls in which a model's answer failed its checks, at most `most` of each mode. */
export const sampleFailures = async (db: Db, scope: CallScope, fromMs: number, most: number): Promise<FailedCall[]> => {
  const rows = modesOf(scope).map((mode) =>
    db.scan<FailedCall>(
      `SELECT failure_mode, task_type, complexity, prompt_length, message_count, streamed FROM calls INDEXED BY calls_with_failure_mode
       WHERE project_id = ? AND mode = ? AND started_at >= ? AND failure_mode IS NOT NULL ORDER BY started_at DESC LIMIT ?`,
      [scope.projectId, mode, fromMs, most],
    ),
  );
  return (await Promise.all(rows)).flat();
};
