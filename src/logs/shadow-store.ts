/** Writes what a shadow model made of a call (decisions §10): beside the call, never part of its cost. */

import type { Db } from "../database/database.ts";

export type ShadowCall = {
  model: string;
  costNanoUsd: number;
  latencyMs: number;
  qualityScore?: number;
  /** `better`, `similar` or `worse` than the answer that was sent, in the output checks' eyes; `unknown` where they could not say. */
  comparison: "better" | "similar" | "worse" | "unknown";
};

/** Nothing happens where the call is no longer in the log. */
export const saveShadow = (db: Db, projectId: string, callId: string, shadow: ShadowCall): Promise<void> =>
  db.write((sql) => {
    sql.run(
      `INSERT OR REPLACE INTO call_shadows (call_seq, model, cost_nano_usd, latency_ms, quality_score, quality_comparison)
       SELECT seq, ?, ?, ?, ?, ? FROM calls WHERE id = ? AND project_id = ?`,
      shadow.model,
      shadow.costNanoUsd,
      Math.round(shadow.latencyMs),
      shadow.qualityScore ?? null,
      shadow.comparison,
      callId,
      projectId,
    );
  });
