/** A search as a call of its own: its cost is reserved from the budgets, and recorded in the ledger if an embedder was paid. */

import type { Caller } from "../../accounts/authenticate.ts";
import { beginCall } from "../../logs/call.ts";
import { recordCall } from "../../logs/record-call.ts";
import type { Platform } from "../../platform.ts";
import { estimateQuery } from "../embedding/embed-query.ts";
import { toEmbeddingCall } from "../embedding/record-embedding.ts";
import { liveSpace } from "../embedding/store.ts";
import { type QueryAnswer, type QueryOrder, queryDocuments } from "./query-documents.ts";

/** Throws 429 `budget_exceeded`. */
export const serveQuery = async (platform: Platform, caller: Caller, order: QueryOrder): Promise<QueryAnswer> => {
  const { db, budgets } = platform;
  const asker = { projectId: caller.project.id, mode: caller.mode };
  const estimate = await estimateQuery(platform, liveSpace(db), asker, order.text);
  const reservation = estimate > 0 ? budgets.reserve(caller, estimate) : undefined;
  try {
    const answer = await queryDocuments(platform, asker, order);
    if (answer.embedded !== undefined) {
      const asking = { ...beginCall(caller), route: "/v1/documents/query", promptText: order.text };
      await recordCall(platform, caller.project, await toEmbeddingCall(platform, asking, answer.embedded));
    }
    return answer;
  } finally {
    reservation?.release();
  }
};
