/** The calls of the last minutes as limits counted them, to rebuild rolling windows that were lost with the process. */

import type { ApiKey, Mode } from "../accounts/api-key.ts";
import type { Db } from "../database/database.ts";
import { MINUTE_MS } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import type { LimitGroup } from "../limits/tiers.ts";
import { unpackCall } from "./store.ts";

/**
 * The rows that each group counted; null for groups that leave none, or have no limit of a minute. Media made by a chat (which has a
 * classification) counted as a chat, too.
 */
const COUNTED: Record<LimitGroup, string | null> = {
  chat: "(kind = 'chat' OR task_type IS NOT NULL)",
  embeddings: "(kind = 'embedding' AND route = '/v1/embeddings' OR kind IN ('rerank', 'moderation'))",
  images: "kind = 'image'",
  speech: "kind = 'speech'",
  search: "kind = 'search'",
  streams: null,
  video: null,
  transcription: null,
  documents: null,
  memory: null,
  policies: null,
  schemas: null,
  metrics: null,
  logs: null,
};

type Row = { started_at: number; details: Uint8Array | null };

/** Start times after `sinceMs`, oldest first. A request for several images counts as many. */
export const countedSince = (db: Db, projectId: string, mode: Mode, group: LimitGroup, sinceMs: number): number[] => {
  const counted = COUNTED[group];
  if (counted === null) return [];
  const rows = db.all<Row>(
    `SELECT started_at, ${group === "images" ? "(SELECT data FROM call_details WHERE call_seq = seq)" : "NULL"} AS details
     FROM calls INDEXED BY calls_by_time WHERE project_id = ? AND mode = ? AND started_at > ? AND ${counted} ORDER BY started_at`,
    projectId,
    mode,
    sinceMs,
  );
  return rows.flatMap((row) => Array<number>(group === "images" ? imagesOf(row) : 1).fill(row.started_at));
};

/** Rows that a request made: one for each, unlike the batches in which documents are embedded. */
const OF_REQUESTS = "(kind <> 'embedding' OR route = '/v1/embeddings')";

/** Start times of a key's requests after `sinceMs`, oldest first. */
export const requestsOfKeySince = (db: Db, { id, projectId, mode }: ApiKey, sinceMs: number): number[] =>
  db
    .all<{ atMs: number }>(
      `SELECT started_at AS atMs FROM calls INDEXED BY calls_by_time
       WHERE project_id = ? AND mode = ? AND started_at > ? AND key_id = ? AND ${OF_REQUESTS} ORDER BY started_at`,
      projectId,
      mode,
      sinceMs,
      id,
    )
    .map(({ atMs }) => atMs);

/** Longer than a call takes. */
const BEGAN_BEFORE_MS = 15 * MINUTE_MS;

/** What a key's calls that ended after `sinceMs` have used, oldest first. */
export const tokensOfKeySince = (db: Db, { id, projectId, mode }: ApiKey, sinceMs: number): { tokens: number; atMs: number }[] =>
  db.all(
    `SELECT total_tokens AS tokens, completed_at AS atMs FROM calls INDEXED BY calls_by_time
     WHERE project_id = ? AND mode = ? AND started_at > ? AND key_id = ? AND completed_at > ? ORDER BY completed_at`,
    projectId,
    mode,
    sinceMs - BEGAN_BEFORE_MS,
    id,
    sinceMs,
  );

const imagesOf = ({ details }: Row): number => {
  const asked = unpackCall({ details, prompt: null, output: null }).details.decisionFactors;
  return isRecord(asked) && typeof asked["n"] === "number" ? asked["n"] : 1;
};
