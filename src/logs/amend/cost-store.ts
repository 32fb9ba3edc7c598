/** Changes a call's cost in its row, its attempts and the daily sums. */

import type { PaidCall } from "../../accounts/budgets.ts";
import type { Sql } from "../../database/database.ts";
import { pack, unpack } from "../store.ts";
import { changeCall } from "../sums/sums-store.ts";

type Corrected = PaidCall & { costBefore: number };
type Details = { attempts: { success: boolean; costNanoUsd: number }[] };

/** Undefined if there is no such call. */
export const updateCost = (sql: Sql, callId: string, costNanoUsd: number): Corrected | undefined => {
  const call = sql.get<Corrected & { seq: number }>(
    `SELECT seq, key_id AS keyId, project_id AS projectId, mode, user_id AS userId, started_at AS startedAtMs,
       cost_nano_usd AS costBefore
     FROM calls WHERE id = ?`,
    callId,
  );
  if (call === undefined) return undefined;
  changeCall(sql, call.seq, () => sql.run("UPDATE calls SET cost_nano_usd = ? WHERE seq = ?", costNanoUsd, call.seq));
  const details = sql.get<{ data: Uint8Array }>("SELECT data FROM call_details WHERE call_seq = ?", call.seq);
  if (details !== undefined) {
    const data = unpack<Details>(details.data);
    const attempts = data.attempts.map((attempt) => (attempt.success ? { ...attempt, costNanoUsd } : attempt));
    sql.run("UPDATE call_details SET data = ? WHERE call_seq = ?", pack({ ...data, attempts }), call.seq);
  }
  return call;
};
