/** What a remote embedder was asked for, in the ledger: a question as one row, and each batch of a document's chunks. */

import type { ApiKey } from "../../accounts/api-key.ts";
import { findProject } from "../../accounts/store.ts";
import { newId } from "../../lib/ids.ts";
import type { beginCall, Call } from "../../logs/call.ts";
import { recordCall } from "../../logs/record-call.ts";
import { redactCall } from "../../logs/redact-call.ts";
import type { Platform } from "../../platform.ts";
import { noUsage, type UsageSource } from "../../providers/provider.ts";
import type { Embedded } from "./embed-texts.ts";
import type { MissingBatch } from "./store.ts";

/** Whom an embedding is billed to, as the ledger names keys. */
export type Payer = Pick<ApiKey, "id" | "logHash">;

/** For what no key asked for: a change of the embedder, or a document whose upload is older than this record. */
export const OPERATOR: Payer = { id: "embedder", logHash: "embedder" };

type Asking = Pick<ReturnType<typeof beginCall>, "id" | "projectId" | "mode" | "keyId" | "keyHash" | "startedAtMs"> &
  Pick<Call, "route" | "promptText" | "custom">;

export const toEmbeddingCall = async (platform: Platform, asking: Asking, embedded: Embedded): Promise<Call> => {
  const { provider, model, inputTokens, estimated, costNanoUsd, latencyMs } = embedded;
  const { logs } = await platform.policies.of(asking.projectId);
  const usage = { ...noUsage(), input: inputTokens };
  const usageSource: UsageSource = estimated ? "estimated" : "provider";
  const paid = { model, provider, costNanoUsd, usage, usageSource };
  const call: Call = {
    ...asking,
    ...paid,
    kind: "embedding",
    completedAtMs: platform.clock.now(),
    upstreamMs: latencyMs,
    status: 200,
    streamed: false,
    attempts: [{ ...paid, number: 1, purpose: "first", success: true, latencyMs }],
    messageCount: 1,
    outputText: "",
  };
  return redactCall(call, logs);
};

/** Its text in the log is the file's name: the passages are in the document. */
export const recordBatch = async (
  platform: Platform,
  payer: Payer,
  { projectId, documentId, filename }: MissingBatch,
  embedded: Embedded,
): Promise<void> => {
  const project = await findProject(platform.db, projectId);
  // It was deleted meanwhile.
  if (project === undefined) return;
  const asking: Asking = {
    id: newId("call"),
    projectId,
    mode: "live",
    keyId: payer.id,
    keyHash: payer.logHash,
    startedAtMs: platform.clock.now() - embedded.latencyMs,
    route: "/v1/documents",
    promptText: filename,
    custom: { document_id: documentId },
  };
  await recordCall(platform, project, await toEmbeddingCall(platform, asking, embedded));
};
