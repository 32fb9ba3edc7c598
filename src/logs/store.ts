/** The calls table and its companions. Only this feature writes them. */

import type { Sql } from "../database/database.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ToolCall } from "../providers/provider.ts";
import { type Call, failureModeOfCall, fallbackUsed, latencyMsOf, retryCount } from "./call.ts";
import { dropSegmentOf } from "./segments/segment-store.ts";
import { listToSum } from "./sums/sums-store.ts";

const rowOf = (call: Call) => ({
  id: call.id,
  project_id: call.projectId,
  mode: call.mode,
  key_id: call.keyId,
  kind: call.kind,
  route: call.route,
  started_at: call.startedAtMs,
  completed_at: call.completedAtMs,
  latency_ms: latencyMsOf(call),
  upstream_ms: Math.round(call.upstreamMs),
  first_token_ms: call.firstTokenMs,
  status: call.status,
  error_type: call.errorType,
  streamed: call.streamed,
  task_type: call.taskType,
  complexity: call.complexity,
  confidence: call.confidence,
  model: call.model,
  first_choice: call.firstChoice,
  pinned: call.pinned ?? false,
  provider: call.provider,
  attempt_count: call.attempts.length,
  retry_count: retryCount(call),
  fallback_used: fallbackUsed(call),
  validation_passed: call.validationPassed,
  failure_mode: failureModeOfCall(call),
  quality_score: call.qualityScore,
  cost_warning: call.costWarning !== undefined,
  input_tokens: call.usage.input,
  cache_read_tokens: call.usage.cacheRead,
  cache_write_tokens: call.usage.cacheWrite,
  output_tokens: call.usage.output,
  reasoning_tokens: call.usage.reasoning,
  usage_source: call.usageSource,
  cost_nano_usd: call.costNanoUsd,
  saved_nano_usd: call.reused?.savedNanoUsd,
  prompt_hash: Bun.hash(call.promptText).toString(16).padStart(16, "0"),
  prompt_length: call.promptText.length,
  message_count: call.messageCount,
  output_length: call.outputText.length,
  format_valid: call.formatValid,
  user_id: call.userId,
  session_id: call.sessionId,
});

/** As it is read: a flag is 0 or 1, and what the call lacks is null. */
type Stored<Value> = Value extends boolean ? number : Value extends undefined ? null : Value;
type Row = ReturnType<typeof rowOf>;
export type CallRow = { seq: number; total_tokens: number } & { [Column in keyof Row]: Stored<Row[Column]> };

export const insertCall = (sql: Sql, call: Call, keepBodies: boolean): number => {
  const seq = sql.insert("calls", rowOf(call));
  sql.run(
    "INSERT INTO call_details (call_seq, data) VALUES (?, ?)",
    seq,
    pack({
      ...(keepBodies && !call.redacted ? detailsOf(call) : withoutWords(detailsOf(call))),
      ...(keepBodies && bodiesOf(call)),
    }),
  );
  listToSum(sql, seq, call);
  dropSegmentOf(sql, call);
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
  pictures: call.pictures,
  isRefusal: call.isRefusal,
  echo: call.echo,
  reusedFrom: call.reused?.callId,
});
/** `textsDeleted`: a caller had prompt and answer deleted. */
export type CallDetails = ReturnType<typeof detailsOf> & { textsDeleted?: true };

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

/** The router's evidence contains words of the prompt, and the echo those of tools and schemas, so both are left out if the prompt is. */
const withoutWords = <Details extends Partial<CallDetails>>({ echo: _echo, ...details }: Details) => {
  if (!isRecord(details.decisionFactors)) return details;
  const { evidence: _, ...factors } = details.decisionFactors;
  return { ...details, decisionFactors: factors };
};

/**
 * The packed details of a call, its prompt and answer among them, as they are once those have been deleted. What a provider said of a failure
 * goes too: it may quote the prompt.
 */
export const withoutTexts = (packed: Uint8Array): Uint8Array => {
  const { prompt: _prompt, output: _output, ...details } = unpack<Partial<CallDetails & StoredBodies>>(packed);
  const attempts = details.attempts?.map(({ failureMessage: _quotes, ...attempt }) => attempt);
  return pack({ ...withoutWords(details), attempts, textsDeleted: true });
};

/** A dictionary would halve the stored details, at several times the cost, because each use creates a new compressor. */
const ZSTD_FAST = { level: 1 };
export const pack = (value: unknown): Uint8Array => Bun.zstdCompressSync(JSON.stringify(value), ZSTD_FAST);
export const unpack = <T>(bytes: Uint8Array): T =>
  JSON.parse(Buffer.from(Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>)).toString("utf8")) as T;

/** What is packed of a call. Older calls have prompt and answer in a separate table (`call_bodies`), others with the details. */
export type PackedCall = { details: Uint8Array | null; prompt: Uint8Array | null; output: Uint8Array | null };

/** Prompt and answer are absent if bodies are not stored. */
export const unpackCall = (stored: PackedCall): { details: Partial<CallDetails> } & Partial<Bodies> => {
  const { prompt, output, ...details } =
    stored.details === null ? {} : unpack<CallDetails & Partial<StoredBodies>>(stored.details);
  return {
    details,
    prompt: stored.prompt === null ? prompt && promptOf(prompt) : unpack<Bodies["prompt"]>(stored.prompt),
    output: stored.output === null ? output : unpack<Bodies["output"]>(stored.output),
  };
};
