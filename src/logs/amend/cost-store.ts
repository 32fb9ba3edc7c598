/** Changes a call's cost in its row, its attempts and the daily sums. */

import type { Sql } from "../../database/database.ts";
import { pack, unpack } from "../store.ts";
import { changeCall } from "../sums/sums-store.ts";

type Row = {
  seq: number;
  key_id: string;
  started_at: number;
  cost_nano_usd: number;
};
type Details = { attempts: { success: boolean; costNanoUsd: number }[] };

/** Undefined if there is no such call. */
export const updateCost = (
  sql: Sql,
  callId: string,
  costNanoUsd: number,
): { keyId: string; startedAtMs: number; costBefore: number } | undefined => {
  const call = sql.get<Row>("SELECT seq, key_id, started_at, cost_nano_usd FROM calls WHERE id = ?", callId);
  if (call === undefined) return undefined;
  changeCall(sql, call.seq, () => sql.run("UPDATE calls SET cost_nano_usd = ? WHERE seq = ?", costNanoUsd, call.seq));
  const details = sql.get<{ data: Uint8Array }>("SELECT data FROM call_details WHERE call_seq = ?", call.seq);
  if (details !== undefined) {
    const data = unpack<Details>(details.data);
    const attempts = data.attempts.map((attempt) => (attempt.success ? { ...attempt, costNanoUsd } : attempt));
    sql.run("UPDATE call_details SET data = ? WHERE call_seq = ?", pack({ ...data, attempts }), call.seq);
  }
  return { keyId: call.key_id, startedAtMs: call.started_at, costBefore: call.cost_nano_usd };
};
