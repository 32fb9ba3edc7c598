/** Calls that a crash left out of the sums: what their transactions owed was lost with the process (sums-store.ts). */

import type { Db } from "../database/database.ts";
import type { Attempt } from "./call.ts";
import type { StoredCall } from "./search-store.ts";
import { unpackCall } from "./store.ts";
import { addToSums, type Summed } from "./sums-store.ts";

/** At a start, before anything is served. Returns how many there were. */
export const addUnsummed = (db: Db): Promise<number> =>
  db.write((sql) => {
    const calls = sql.all<StoredCall>(
      `SELECT c.*, d.data AS details, NULL AS prompt, NULL AS output FROM calls c LEFT JOIN call_details d ON d.call_seq = c.seq
       WHERE c.seq > (SELECT through FROM summed_calls)`,
    );
    for (const call of calls) addToSums(sql, call.seq, summedOf(call));
    sql.settle();
    return calls.length;
  });

/** What the sums take of a call, from its row. */
const summedOf = (call: StoredCall): Summed => {
  const { attempts = [], cancelled } = unpackCall(call).details;
  return {
    projectId: call.project_id,
    mode: call.mode,
    kind: call.kind,
    startedAtMs: call.started_at,
    completedAtMs: call.completed_at,
    upstreamMs: call.upstream_ms,
    status: call.status,
    streamed: call.streamed === 1,
    pinned: call.pinned === 1,
    attempts: attempts as Attempt[],
    usage: {
      input: call.input_tokens,
      cacheRead: call.cache_read_tokens,
      cacheWrite: call.cache_write_tokens,
      output: call.output_tokens,
      reasoning: call.reasoning_tokens,
    },
    costNanoUsd: call.cost_nano_usd,
    messageCount: call.message_count,
    ...(cancelled && { cancelled }),
    ...present({
      taskType: call.task_type,
      complexity: call.complexity,
      provider: call.provider,
      model: call.model,
      firstChoice: call.first_choice,
      validationPassed: call.validation_passed === null ? null : call.validation_passed === 1,
      failureMode: call.failure_mode,
      qualityScore: call.quality_score,
      costWarning: call.cost_warning === 1 ? true : null,
    }),
  } as Summed;
};

/** The members that are not null. */
const present = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
