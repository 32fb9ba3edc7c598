-- The ledger: one narrow row a served request; details and bodies lie apart so that lists and metrics stay fast.
CREATE TABLE calls (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  key_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  route TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  completed_at INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  upstream_ms INTEGER NOT NULL,
  first_token_ms INTEGER,
  status INTEGER NOT NULL,
  error_type TEXT,
  streamed INTEGER NOT NULL,
  task_type TEXT,
  complexity REAL,
  confidence REAL,
  model TEXT,
  first_choice TEXT,
  pinned INTEGER NOT NULL,
  provider TEXT,
  attempt_count INTEGER NOT NULL,
  retry_count INTEGER NOT NULL,
  fallback_used INTEGER NOT NULL,
  validation_passed INTEGER,
  failure_mode TEXT,
  quality_score REAL,
  cost_warning INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  total_tokens INTEGER AS (input_tokens + cache_read_tokens + cache_write_tokens + output_tokens + reasoning_tokens) VIRTUAL,
  usage_source TEXT NOT NULL,
  cost_nano_usd INTEGER NOT NULL,
  prompt_hash TEXT,
  prompt_length INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  output_length INTEGER NOT NULL,
  format_valid INTEGER,
  user_id TEXT,
  session_id TEXT
) STRICT;
-- Covers every filter and sort of the log, so that counting and ranking never touch the rows.
CREATE INDEX calls_by_time ON calls (project_id, started_at, mode, status, task_type, model, cost_nano_usd, latency_ms, total_tokens);
CREATE INDEX calls_by_user ON calls (project_id, user_id, started_at) WHERE user_id IS NOT NULL;
-- Where the failure metrics look for what the troubled calls have in common.
CREATE INDEX calls_with_failure_mode ON calls (project_id, mode, started_at) WHERE failure_mode IS NOT NULL;

-- JSON of what only the detail view shows (attempts, decision factors, checks, policies, request), zstd-compressed.
CREATE TABLE call_details (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  data BLOB NOT NULL,
  embedding BLOB
) STRICT;

-- Prompt and answer as text, zstd-compressed; absent where the project or a policy leaves bodies out.
CREATE TABLE call_bodies (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  prompt BLOB,
  output BLOB
) STRICT;

-- `checked_quality` is the call's quality score without the feedback, so that a later word replaces the earlier one.
CREATE TABLE call_feedback (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  score REAL NOT NULL,
  comment TEXT,
  checked_quality REAL,
  created_at INTEGER NOT NULL
) STRICT;

-- What another model made of the same call, after the answer had gone out.
CREATE TABLE call_shadows (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  model TEXT NOT NULL,
  cost_nano_usd INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  quality_score REAL,
  quality_comparison TEXT NOT NULL
) STRICT;
