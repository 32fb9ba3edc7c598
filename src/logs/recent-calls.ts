/** The latest calls of a project with their texts, newest first, for features that look back (the policies' dry run). */

import type { Mode } from "../accounts/api-key.ts";
import type { Platform } from "../platform.ts";
import type { CallKind } from "./call.ts";
import { allCalls } from "./list/filter.ts";
import { CALL_STATEMENT, type Place, placesStatement, type StoredCall } from "./read-store.ts";
import { unpackCall } from "./store.ts";

export type RecentCall = {
  id: string;
  startedAtMs: number;
  kind: CallKind;
  /** Catalog id; null if the call never reached a model. */
  model: string | null;
  provider: string | null;
  costNanoUsd: number;
  latencyMs: number;
  /** Absent if bodies are not stored. */
  prompt?: string;
  output?: string;
};

export const recentCalls = async function* (
  platform: Platform,
  projectId: string,
  mode: Mode,
  most: number,
): AsyncGenerator<RecentCall> {
  const { text, params } = placesStatement(allCalls({ projectId, mode }), "desc", most);
  for (const { seq } of await platform.db.scan<Place>(text, params)) {
    const [row] = await platform.db.scan<StoredCall>(CALL_STATEMENT, [seq, projectId]);
    // Deleted meanwhile.
    if (row !== undefined) yield toRecentCall(row);
  }
};

const toRecentCall = (row: StoredCall): RecentCall => {
  const { prompt, output } = unpackCall(row);
  return {
    id: row.id,
    startedAtMs: row.started_at,
    kind: row.kind as CallKind,
    model: row.model,
    provider: row.provider,
    costNanoUsd: row.cost_nano_usd,
    latencyMs: row.latency_ms,
    ...(prompt !== undefined && { prompt: prompt.text }),
    ...(output !== undefined && { output: output.text }),
  };
};
