/** Changes what a call cost: its row, its attempts and the sums over hours and days that hold it. */

import type { Sql } from "../database/database.ts";
import { HOUR_MS } from "../lib/clock.ts";
import { changeCall } from "./rollup.ts";
import { pack, unpack } from "./store.ts";

type Row = {
  seq: number;
  project_id: string;
  mode: string;
  model: string | null;
  key_id: string;
  started_at: number;
  cost_nano_usd: number;
};
type Details = { attempts: { success: boolean; costNanoUsd: number }[] };

/** Undefined where there is no such call or nothing to change. */
export const updateCost = (
  sql: Sql,
  callId: string,
  costNanoUsd: number,
): { keyId: string; startedAtMs: number; costBefore: number } | undefined => {
  const call = sql.get<Row>(
    "SELECT seq, project_id, mode, model, key_id, started_at, cost_nano_usd FROM calls WHERE id = ?",
    callId,
  );
  if (call === undefined || call.cost_nano_usd === costNanoUsd) return undefined;
  changeCall(sql, call.seq, () => sql.run("UPDATE calls SET cost_nano_usd = ? WHERE seq = ?", costNanoUsd, call.seq));
  sql.run(
    `UPDATE call_hours SET cost_nano_usd = cost_nano_usd + ?1, least_cost_nano_usd = min(least_cost_nano_usd, ?2),
       most_cost_nano_usd = max(most_cost_nano_usd, ?2) WHERE project_id = ?3 AND mode = ?4 AND hour = ?5 AND model = ?6`,
    costNanoUsd - call.cost_nano_usd,
    costNanoUsd,
    call.project_id,
    call.mode,
    Math.floor(call.started_at / HOUR_MS),
    call.model ?? "",
  );
  const details = sql.get<{ data: Uint8Array }>("SELECT data FROM call_details WHERE call_seq = ?", call.seq);
  if (details !== undefined) {
    const data = unpack<Details>(details.data);
    const attempts = data.attempts.map((attempt) => (attempt.success ? { ...attempt, costNanoUsd } : attempt));
    sql.run("UPDATE call_details SET data = ? WHERE call_seq = ?", pack({ ...data, attempts }), call.seq);
  }
  return { keyId: call.key_id, startedAtMs: call.started_at, costBefore: call.cost_nano_usd };
};
