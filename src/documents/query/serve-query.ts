/** A search as a call of its own: its cost is reserved from the key's budget, and recorded in the ledger if an embedder was paid. */

import type { Caller } from "../../accounts/authenticate.ts";
import { beginCall, type Call } from "../../logs/call.ts";
import { recordCall } from "../../logs/record-call.ts";
import type { Platform } from "../../platform.ts";
import { reviewAnyText } from "../../policies/content/review-json.ts";
import { noUsage } from "../../providers/provider.ts";
import { type Embedded, estimateQuery } from "../embedding/embed-query.ts";
import { findSpace } from "../embedding/store.ts";
import { type QueryAnswer, type QueryOrder, queryDocuments } from "./query-documents.ts";

/** Throws 429 `budget_exceeded`. */
export const serveQuery = async (platform: Platform, caller: Caller, order: QueryOrder): Promise<QueryAnswer> => {
  const { documents, budgets } = platform;
  const asker = { projectId: caller.project.id, mode: caller.mode };
  const estimate = await estimateQuery(documents, findSpace(documents.db, "live")!, asker, order.text);
  const reservation = estimate > 0 ? budgets.reserve(caller.key, estimate) : undefined;
  try {
    const answer = await queryDocuments(documents, asker.projectId, asker.mode, order);
    if (answer.embedded !== undefined)
      await recordCall(platform, caller.project, await toCall(platform, caller, order.text, answer.embedded));
    return answer;
  } finally {
    reservation?.release();
  }
};

const toCall = async (platform: Platform, caller: Caller, query: string, embedded: Embedded): Promise<Call> => {
  const { provider, model, inputTokens, costNanoUsd, latencyMs } = embedded;
  const { logs } = await platform.policies.of(caller.project.id);
  const usage = { ...noUsage(), input: inputTokens };
  const paid = { model, provider, costNanoUsd, usage, usageSource: "provider" as const };
  return {
    ...beginCall(caller),
    ...paid,
    kind: "embedding",
    route: "/v1/documents/query",
    completedAtMs: platform.clock.now(),
    upstreamMs: latencyMs,
    status: 200,
    streamed: false,
    attempts: [{ ...paid, number: 1, purpose: "first", success: true, latencyMs }],
    promptText: logs === undefined ? query : reviewAnyText(logs, query).text,
    ...(logs !== undefined && { redacted: true }),
    messageCount: 1,
    outputText: "",
  };
};
