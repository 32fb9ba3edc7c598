/** The leaves of a log entry, as the columns of CSV and Parquet (decisions §11: one column per leaf with dotted names). */

import type { LogEntry } from "../to-wire.ts";

type ColumnType = "STRING" | "DOUBLE" | "INT32" | "INT64" | "BOOLEAN" | "TIMESTAMP" | "JSON";

type Leaves<T> = { [Name in keyof T]: ColumnType };
type Groups = { [Group in keyof LogEntry]: LogEntry[Group] extends string ? ColumnType : Leaves<LogEntry[Group]> };

/** Typed by the entry, so that no field of the log can be missing here. */
const LEAVES: Groups = {
  call_id: "STRING",
  timestamp: "TIMESTAMP",
  prompt: { text: "STRING", hash: "STRING", length: "INT32" },
  classification: { task_type: "STRING", complexity_score: "DOUBLE", confidence: "DOUBLE" },
  routing: {
    model_selected: "STRING",
    fallback_model: "STRING",
    routing_reason: "STRING",
    provider: "STRING",
    first_choice: "STRING",
    pinned: "BOOLEAN",
  },
  execution: {
    latency_ms: "INT64",
    input_tokens: "INT64",
    output_tokens: "INT64",
    total_tokens: "INT64",
    cost_usd: "DOUBLE",
    started_at: "TIMESTAMP",
    completed_at: "TIMESTAMP",
    usage_source: "STRING",
    success: "BOOLEAN",
    status: "INT32",
    error_type: "STRING",
    streamed: "BOOLEAN",
    first_token_ms: "INT64",
    overhead_ms: "INT64",
  },
  quality: {
    validation_passed: "BOOLEAN",
    retry_count: "INT32",
    fallback_used: "BOOLEAN",
    cost_warning_triggered: "BOOLEAN",
    output_quality_score: "DOUBLE",
    failure_mode: "STRING",
  },
  output: { text: "STRING", length: "INT32", format_valid: "BOOLEAN" },
  metadata: {
    user_id: "STRING",
    session_id: "STRING",
    api_key_hash: "STRING",
    custom: "JSON",
    mode: "STRING",
    kind: "STRING",
    endpoint: "STRING",
  },
};

export type Column = { name: string; type: ColumnType; read(entry: LogEntry): unknown };

export const COLUMNS: readonly Column[] = Object.entries(LEAVES).flatMap(([group, leaves]): Column[] =>
  typeof leaves === "string"
    ? [{ name: group, type: leaves, read: (entry) => entry[group as keyof LogEntry] }]
    : Object.entries(leaves as Record<string, ColumnType>).map(([leaf, type]) => ({
        name: `${group}.${leaf}`,
        type,
        read: (entry) => (entry[group as keyof LogEntry] as Record<string, unknown>)[leaf],
      })),
);
