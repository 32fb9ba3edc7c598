/** SQL of shadow calls. */

import type { Sql } from "../../database/database.ts";

export type ShadowCall = {
  model: string;
  costNanoUsd: number;
  latencyMs: number;
  /** With the answer that was sent, by the output checks. */
  comparison: "better" | "similar" | "worse";
};

/** Does nothing if the call is no longer in the log. */
export const insertShadow = (sql: Sql, projectId: string, callId: string, shadow: ShadowCall): void =>
  void sql.run(
    `INSERT OR REPLACE INTO call_shadows (call_seq, model, cost_nano_usd, latency_ms, quality_comparison)
     SELECT seq, ?, ?, ?, ? FROM calls WHERE id = ? AND project_id = ?`,
    shadow.model,
    shadow.costNanoUsd,
    Math.round(shadow.latencyMs),
    shadow.comparison,
    callId,
    projectId,
  );
