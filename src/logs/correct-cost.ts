/** A call whose outcome is known only later (a video job) is priced when it is answered; what it really cost is put right here. */

import type { Platform } from "../platform.ts";
import { pack, unpack } from "./store.ts";

/** Ledger and the key's spending change together; once corrected, correcting again to the same cost does nothing. */
export const correctCost = (platform: Platform, callId: string, costNanoUsd: number): Promise<void> =>
  platform.db.write((sql) => {
    const call = sql.get<{ seq: number; key_id: string; started_at: number; cost_nano_usd: number }>(
      "SELECT seq, key_id, started_at, cost_nano_usd FROM calls WHERE id = ?",
      callId,
    );
    if (call === undefined || call.cost_nano_usd === costNanoUsd) return;
    sql.run("UPDATE calls SET cost_nano_usd = ? WHERE seq = ?", costNanoUsd, call.seq);
    const details = sql.get<{ data: Uint8Array }>("SELECT data FROM call_details WHERE call_seq = ?", call.seq);
    if (details !== undefined) {
      const data = unpack<{ attempts: { success: boolean; costNanoUsd: number }[] }>(details.data);
      const attempts = data.attempts.map((attempt) => (attempt.success ? { ...attempt, costNanoUsd } : attempt));
      sql.run("UPDATE call_details SET data = ? WHERE call_seq = ?", pack({ ...data, attempts }), call.seq);
    }
    platform.budgets.spend(sql, call.key_id, costNanoUsd - call.cost_nano_usd, call.started_at);
  });
