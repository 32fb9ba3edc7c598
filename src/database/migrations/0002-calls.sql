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
CREATE INDEX calls_by_time ON calls (project_id, mode, started_at);
CREATE INDEX calls_by_user ON calls (project_id, user_id) WHERE user_id IS NOT NULL;

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

CREATE TABLE call_feedback (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  score REAL NOT NULL,
  comment TEXT,
  created_at INTEGER NOT NULL
) STRICT;
