/** The last calls of a project with their texts, newest first, for features that look back (the policies' dry run). */

import type { Mode } from "../accounts/api-key.ts";
import type { Platform } from "../platform.ts";
import { pieceStatement, type StoredCall } from "./search-store.ts";
import { unpackCall } from "./store.ts";

export type RecentCall = {
  id: string;
  startedAtMs: number;
  /** Catalog id; null where the call never got to a model. */
  model: string | null;
  provider: string | null;
  costNanoUsd: number;
  latencyMs: number;
  /** Absent where bodies are not stored. */
  prompt?: string;
  output?: string;
};

const READ_AT_ONCE = 50;

export const recentCalls = async function* (
  platform: Platform,
  projectId: string,
  mode: Mode,
  most: number,
): AsyncGenerator<RecentCall> {
  const piece = pieceStatement(projectId, { mode, fromMs: 0, toMs: null }, "desc", most);
  for await (const rows of platform.db.scanPages<StoredCall>(piece.text, piece.params, READ_AT_ONCE)) {
    for (const row of rows) yield toRecentCall(row);
  }
};

const toRecentCall = (row: StoredCall): RecentCall => {
  const { prompt, output } = unpackCall(row);
  return {
    id: row.id,
    startedAtMs: row.started_at,
    model: row.model,
    provider: row.provider,
    costNanoUsd: row.cost_nano_usd,
    latencyMs: row.latency_ms,
    ...(prompt !== undefined && { prompt: prompt.text }),
    ...(output !== undefined && { output: output.text }),
  };
};
