/** The calls table and its companions. Only this feature writes them. */

import type { Sql } from "../database/database.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ToolCall } from "../providers/provider.ts";
import { type Call, failureModeOfCall, fallbackUsed, latencyMsOf, retryCount } from "./call.ts";
import { dropSegments } from "./segments/segment-store.ts";
import { addToSums } from "./sums/sums-store.ts";

const COLUMNS = [
  "id", "project_id", "mode", "key_id", "kind", "route", "started_at", "completed_at", "latency_ms", "upstream_ms", "first_token_ms",
  "status", "error_type", "streamed", "task_type", "complexity", "confidence", "model", "first_choice", "pinned", "provider", "attempt_count",
  "retry_count", "fallback_used", "validation_passed", "failure_mode", "quality_score", "cost_warning", "input_tokens",
  "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens", "usage_source", "cost_nano_usd", "prompt_hash",
  "prompt_length", "message_count", "output_length", "format_valid", "user_id", "session_id",
]; // biome-ignore format: read against the migration
const INSERT_CALL = `INSERT INTO calls (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;

const flag = (value: boolean | undefined): number | null => (value === undefined ? null : value ? 1 : 0);

export const insertCall = (sql: Sql, call: Call, keepBodies: boolean): number => {
  const { lastInsertRowid: seq } = sql.run(
    INSERT_CALL,
    call.id, call.projectId, call.mode, call.keyId, call.kind, call.route, call.startedAtMs, call.completedAtMs,
    latencyMsOf(call), Math.round(call.upstreamMs), call.firstTokenMs === undefined ? null : Math.round(call.firstTokenMs),
    call.status, call.errorType ?? null, flag(call.streamed), call.taskType ?? null, call.complexity ?? null, call.confidence ?? null,
    call.model ?? null, call.firstChoice ?? null, flag(call.pinned ?? false), call.provider ?? null, call.attempts.length, retryCount(call), flag(fallbackUsed(call)),
    flag(call.validationPassed), failureModeOfCall(call) ?? null, call.qualityScore ?? null, flag(call.costWarning !== undefined),
    call.usage.input, call.usage.cacheRead, call.usage.cacheWrite, call.usage.output, call.usage.reasoning, call.usageSource,
    call.costNanoUsd, Bun.hash(call.promptText).toString(16).padStart(16, "0"), call.promptText.length, call.messageCount,
    call.outputText.length, flag(call.formatValid), call.userId ?? null, call.sessionId ?? null,
  ); // biome-ignore format: in the order of COLUMNS
  sql.run(
    "INSERT INTO call_details (call_seq, data, embedding) VALUES (?, ?, ?)",
    seq,
    pack({
      ...(keepBodies && !call.redacted ? detailsOf(call) : withoutEvidence(detailsOf(call))),
      ...(keepBodies && bodiesOf(call)),
    }),
    call.embedding ?? null,
  );
  addToSums(sql, call);
  sql.gather(dropSegments, { projectId: call.projectId, mode: call.mode, startedAtMs: call.startedAtMs });
  return seq;
};

/** What only the detail view shows, as it is stored. */
const detailsOf = (call: Call) => ({
  keyHash: call.keyHash,
  errorMessage: call.errorMessage,
  cancelled: call.cancelled,
  detectedFormat: call.detectedFormat,
  routingReason: call.routingReason,
  decisionFactors: call.decisionFactors,
  attempts: call.attempts,
  validationChecks: call.validationChecks,
  costWarning: call.costWarning,
  custom: call.custom,
  requestIp: call.requestIp,
  userAgent: call.userAgent,
  policyEvaluation: call.policyEvaluation,
  contentEvaluation: call.contentEvaluation,
  context: call.context,
  redacted: call.redacted,
  hasInstructions: call.hasInstructions,
});
export type CallDetails = ReturnType<typeof detailsOf>;

type Output = { text: string; parsedJson?: unknown; toolCalls?: ToolCall[] | undefined };
type Bodies = { prompt: { text: string; messages?: unknown }; output: Output };
/** The prompt's text is mostly a message's too: then that is all there is of it, and `askedIn` says which. */
type StoredBodies = { prompt: Omit<Bodies["prompt"], "text"> & { text?: string; askedIn?: number }; output: Bodies["output"] };

/** In one piece with the details: every piece more costs a compressor and a row. */
const bodiesOf = ({ promptText, messages, outputText, parsedJson, toolCalls }: Call): StoredBodies => {
  const askedIn = Array.isArray(messages) ? messages.findLastIndex((message) => message.content === promptText) : -1;
  return {
    prompt: askedIn < 0 ? { text: promptText, messages } : { messages, askedIn },
    output: { text: outputText, parsedJson, toolCalls },
  };
};

const promptOf = ({ text, messages, askedIn }: StoredBodies["prompt"]): Bodies["prompt"] => ({
  text: text ?? (messages as { content: string }[])[askedIn!]!.content,
  messages,
});

/** What the router saw holds words of the prompt: they stay out where the prompt does. */
const withoutEvidence = (details: CallDetails): CallDetails => {
  if (!isRecord(details.decisionFactors)) return details;
  const { evidence: _, ...factors } = details.decisionFactors;
  return { ...details, decisionFactors: factors };
};

/** A dictionary would halve what is stored of the details, at several times the cost: each use makes a new compressor. */
const ZSTD_FAST = { level: 1 };
export const pack = (value: unknown): Uint8Array => Bun.zstdCompressSync(JSON.stringify(value), ZSTD_FAST);
export const unpack = <T>(bytes: Uint8Array): T =>
  JSON.parse(Buffer.from(Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>)).toString("utf8")) as T;

/** Of older calls prompt and answer lie apart (`call_bodies`). Both are absent where bodies are not stored. */
export const unpackCall = (stored: {
  details: Uint8Array | null;
  prompt: Uint8Array | null;
  output: Uint8Array | null;
}): { details: Partial<CallDetails> } & Partial<Bodies> => {
  const { prompt, output, ...details } =
    stored.details === null ? {} : unpack<CallDetails & Partial<StoredBodies>>(stored.details);
  return {
    details,
    prompt: stored.prompt === null ? prompt && promptOf(prompt) : unpack<Bodies["prompt"]>(stored.prompt),
    output: stored.output === null ? output : unpack<Bodies["output"]>(stored.output),
  };
};
