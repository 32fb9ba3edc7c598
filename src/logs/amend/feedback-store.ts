/** Feedback of callers on answers. */

import type { Db } from "../../database/database.ts";
import { changeCall } from "../sums/sums-store.ts";

/** A piece of feedback, as the router learns from it. */
export type FeedbackEvent = {
  callId: string;
  mode: string;
  model: string | null;
  taskType: string | null;
  complexity: number | null;
  /** The caller's score, 0-1. */
  score: number;
  /** The feedback that this one replaces. */
  earlier: { score: number; atMs: number } | null;
};

type Judged = {
  seq: number;
  model: string | null;
  task_type: string | null;
  complexity: number | null;
  quality_score: number | null;
};

/** Half the caller's score, half the output checks'; the caller's alone if nothing was checked. */
const qualityWith = (score: number, checkedQuality: number | null): number =>
  checkedQuality === null ? score : Math.round(500_000 * (score + checkedQuality)) / 1_000_000;

type Feedback = { callId: string; mode: string; score: number; comment?: string | undefined; atMs: number };

/** Undefined if the project has no such call in that mode. Later feedback replaces earlier feedback. */
export const saveFeedback = (
  db: Db,
  projectId: string,
  { callId, mode, score, comment, atMs }: Feedback,
): Promise<FeedbackEvent | undefined> =>
  db.write((sql) => {
    const call = sql.get<Judged>(
      "SELECT seq, model, task_type, complexity, quality_score FROM calls WHERE id = ? AND project_id = ? AND mode = ?",
      callId,
      projectId,
      mode,
    );
    if (call === undefined) return undefined;
    const earlier = sql.get<{ score: number; atMs: number; checkedQuality: number | null }>(
      "SELECT score, created_at AS atMs, checked_quality AS checkedQuality FROM call_feedback WHERE call_seq = ?",
      call.seq,
    );
    const checkedQuality = earlier === undefined ? call.quality_score : earlier.checkedQuality;
    const qualityScore = qualityWith(score, checkedQuality);
    sql.run(
      "INSERT OR REPLACE INTO call_feedback (call_seq, score, comment, checked_quality, created_at) VALUES (?, ?, ?, ?, ?)",
      call.seq,
      score,
      comment ?? null,
      checkedQuality,
      atMs,
    );
    changeCall(sql, call.seq, () => sql.run("UPDATE calls SET quality_score = ? WHERE seq = ?", qualityScore, call.seq));
    return {
      callId,
      mode,
      model: call.model,
      taskType: call.task_type,
      complexity: call.complexity,
      score,
      earlier: earlier ?? null,
    };
  });
