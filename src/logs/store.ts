/** The calls table and its companions. Only this feature writes them. */

import type { Sql } from "../database/database.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ToolCall } from "../providers/provider.ts";
import { type Call, failureModeOfCall, fallbackUsed, latencyMsOf, retryCount } from "./call.ts";
import { dropSegments } from "./segments/segment-store.ts";
import { listToSum } from "./sums/sums-store.ts";

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
    "INSERT INTO call_details (call_seq, data) VALUES (?, ?)",
    seq,
    pack({
      ...(keepBodies && !call.redacted ? detailsOf(call) : withoutEvidence(detailsOf(call))),
      ...(keepBodies && bodiesOf(call)),
    }),
  );
  listToSum(sql, seq, call);
  sql.gather(dropSegments, { projectId: call.projectId, mode: call.mode, startedAtMs: call.startedAtMs });
  return seq;
};

/** The stored fields that only the detail view shows. */
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
/** The prompt's text is usually also a message's content, and then stored only once; `askedIn` is that message's index. */
type StoredBodies = { prompt: Omit<Bodies["prompt"], "text"> & { text?: string; askedIn?: number }; output: Bodies["output"] };

/** Stored in one piece with the details, because every further piece costs a compressor and a row. */
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

/** The router's evidence contains words of the prompt, so it is left out if the prompt is. */
const withoutEvidence = (details: CallDetails): CallDetails => {
  if (!isRecord(details.decisionFactors)) return details;
  const { evidence: _, ...factors } = details.decisionFactors;
  return { ...details, decisionFactors: factors };
};

/** A dictionary would halve the stored details, at several times the cost, because each use creates a new compressor. */
const ZSTD_FAST = { level: 1 };
export const pack = (value: unknown): Uint8Array => Bun.zstdCompressSync(JSON.stringify(value), ZSTD_FAST);
export const unpack = <T>(bytes: Uint8Array): T =>
  JSON.parse(Buffer.from(Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>)).toString("utf8")) as T;

/** Older calls have prompt and answer in a separate table (`call_bodies`). Both are absent if bodies are not stored. */
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
