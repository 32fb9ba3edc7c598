CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  secret_hash TEXT NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  scopes TEXT,
  budget_nano_usd INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  created_at INTEGER NOT NULL
, models TEXT, budget_period TEXT NOT NULL DEFAULT 'month', requests_per_minute INTEGER, tokens_per_minute INTEGER) STRICT;

CREATE INDEX api_keys_by_project ON api_keys (project_id);

CREATE TABLE attempt_hours (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  hour INTEGER NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  failed_calls INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  rate_limits INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  format_violation INTEGER NOT NULL,
  refusal INTEGER NOT NULL,
  hallucination INTEGER NOT NULL,
  incomplete INTEGER NOT NULL,
  reasoning_error INTEGER NOT NULL,
  latency_00 INTEGER NOT NULL DEFAULT 0,
  latency_01 INTEGER NOT NULL DEFAULT 0,
  latency_02 INTEGER NOT NULL DEFAULT 0,
  latency_03 INTEGER NOT NULL DEFAULT 0,
  latency_04 INTEGER NOT NULL DEFAULT 0,
  latency_05 INTEGER NOT NULL DEFAULT 0,
  latency_06 INTEGER NOT NULL DEFAULT 0,
  latency_07 INTEGER NOT NULL DEFAULT 0,
  latency_08 INTEGER NOT NULL DEFAULT 0,
  latency_09 INTEGER NOT NULL DEFAULT 0,
  latency_10 INTEGER NOT NULL DEFAULT 0,
  latency_11 INTEGER NOT NULL DEFAULT 0,
  latency_12 INTEGER NOT NULL DEFAULT 0,
  latency_13 INTEGER NOT NULL DEFAULT 0,
  latency_14 INTEGER NOT NULL DEFAULT 0,
  latency_15 INTEGER NOT NULL DEFAULT 0,
  latency_16 INTEGER NOT NULL DEFAULT 0,
  latency_17 INTEGER NOT NULL DEFAULT 0,
  latency_18 INTEGER NOT NULL DEFAULT 0,
  latency_19 INTEGER NOT NULL DEFAULT 0,
  latency_20 INTEGER NOT NULL DEFAULT 0,
  latency_21 INTEGER NOT NULL DEFAULT 0,
  latency_22 INTEGER NOT NULL DEFAULT 0,
  latency_23 INTEGER NOT NULL DEFAULT 0,
  latency_24 INTEGER NOT NULL DEFAULT 0,
  latency_25 INTEGER NOT NULL DEFAULT 0,
  latency_26 INTEGER NOT NULL DEFAULT 0,
  latency_27 INTEGER NOT NULL DEFAULT 0,
  latency_28 INTEGER NOT NULL DEFAULT 0,
  latency_29 INTEGER NOT NULL DEFAULT 0,
  latency_30 INTEGER NOT NULL DEFAULT 0,
  latency_31 INTEGER NOT NULL DEFAULT 0,
  latency_32 INTEGER NOT NULL DEFAULT 0,
  latency_33 INTEGER NOT NULL DEFAULT 0,
  latency_34 INTEGER NOT NULL DEFAULT 0,
  latency_35 INTEGER NOT NULL DEFAULT 0,
  latency_36 INTEGER NOT NULL DEFAULT 0,
  latency_37 INTEGER NOT NULL DEFAULT 0,
  latency_38 INTEGER NOT NULL DEFAULT 0,
  latency_39 INTEGER NOT NULL DEFAULT 0,
  latency_40 INTEGER NOT NULL DEFAULT 0,
  latency_41 INTEGER NOT NULL DEFAULT 0,
  latency_42 INTEGER NOT NULL DEFAULT 0,
  latency_43 INTEGER NOT NULL DEFAULT 0,
  latency_44 INTEGER NOT NULL DEFAULT 0,
  latency_45 INTEGER NOT NULL DEFAULT 0,
  latency_46 INTEGER NOT NULL DEFAULT 0,
  latency_47 INTEGER NOT NULL DEFAULT 0,
  latency_48 INTEGER NOT NULL DEFAULT 0,
  latency_49 INTEGER NOT NULL DEFAULT 0,
  latency_50 INTEGER NOT NULL DEFAULT 0,
  latency_51 INTEGER NOT NULL DEFAULT 0,
  latency_52 INTEGER NOT NULL DEFAULT 0,
  latency_53 INTEGER NOT NULL DEFAULT 0,
  latency_54 INTEGER NOT NULL DEFAULT 0,
  latency_55 INTEGER NOT NULL DEFAULT 0,
  latency_56 INTEGER NOT NULL DEFAULT 0,
  latency_57 INTEGER NOT NULL DEFAULT 0,
  latency_58 INTEGER NOT NULL DEFAULT 0,
  latency_59 INTEGER NOT NULL DEFAULT 0,
  latency_60 INTEGER NOT NULL DEFAULT 0,
  latency_61 INTEGER NOT NULL DEFAULT 0,
  latency_62 INTEGER NOT NULL DEFAULT 0,
  latency_63 INTEGER NOT NULL DEFAULT 0,
  latency_64 INTEGER NOT NULL DEFAULT 0,
  latency_65 INTEGER NOT NULL DEFAULT 0,
  latency_66 INTEGER NOT NULL DEFAULT 0,
  latency_67 INTEGER NOT NULL DEFAULT 0,
  latency_68 INTEGER NOT NULL DEFAULT 0,
  latency_69 INTEGER NOT NULL DEFAULT 0,
  latency_70 INTEGER NOT NULL DEFAULT 0,
  latency_71 INTEGER NOT NULL DEFAULT 0,
  latency_72 INTEGER NOT NULL DEFAULT 0,
  latency_73 INTEGER NOT NULL DEFAULT 0,
  latency_74 INTEGER NOT NULL DEFAULT 0,
  latency_75 INTEGER NOT NULL DEFAULT 0,
  latency_76 INTEGER NOT NULL DEFAULT 0,
  latency_77 INTEGER NOT NULL DEFAULT 0,
  latency_78 INTEGER NOT NULL DEFAULT 0,
  latency_79 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, mode, hour, provider, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_bodies (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  prompt BLOB,
  output BLOB
) STRICT;

CREATE TABLE call_days (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  day INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task_type TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  upstream_ms INTEGER NOT NULL,
  cost_nano_usd INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  retried INTEGER NOT NULL,
  fell_back INTEGER NOT NULL,
  validated INTEGER NOT NULL,
  validation_passed INTEGER NOT NULL,
  quality_micro INTEGER NOT NULL,
  quality_count INTEGER NOT NULL,
  complexity_micro INTEGER NOT NULL,
  complexity_count INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  cost_warnings INTEGER NOT NULL,
  streamed INTEGER NOT NULL,
  routed INTEGER NOT NULL,
  first_choice_held INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  troubled INTEGER NOT NULL,
  retry_succeeded INTEGER NOT NULL,
  fallback_succeeded INTEGER NOT NULL,
  format_violation INTEGER NOT NULL,
  refusal INTEGER NOT NULL,
  hallucination INTEGER NOT NULL,
  incomplete INTEGER NOT NULL,
  reasoning_error INTEGER NOT NULL, cache_hits INTEGER NOT NULL DEFAULT 0, saved_nano_usd INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, mode, day, gone, kind, task_type, provider, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_details (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  data BLOB NOT NULL,
  embedding BLOB
) STRICT;

CREATE TABLE call_feedback (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  score REAL NOT NULL,
  comment TEXT,
  checked_quality REAL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE call_hours (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  hour INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER NOT NULL,
  calls INTEGER,
  outcome BLOB,
  task_type BLOB,
  model BLOB,
  key_id BLOB,
  user_id BLOB,
  session_id BLOB,
  cost_nano_usd BLOB,
  latency_ms BLOB,
  total_tokens BLOB,
  seq BLOB,
  started_at BLOB
, retry_count BLOB, fallback_used BLOB, cache_hit BLOB, kind BLOB) STRICT;

CREATE UNIQUE INDEX call_segments_by_end ON call_segments (project_id, mode, to_ms, from_ms);

CREATE TABLE call_shadows (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  model TEXT NOT NULL,
  cost_nano_usd INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  quality_score REAL,
  quality_comparison TEXT NOT NULL
) STRICT;

CREATE TRIGGER call_changed AFTER UPDATE OF status, task_type, model, cost_nano_usd, latency_ms ON calls BEGIN
  DELETE FROM call_segments WHERE from_ms <= OLD.started_at AND id = (
    SELECT id FROM call_segments WHERE project_id = OLD.project_id AND mode = OLD.mode AND to_ms > OLD.started_at ORDER BY to_ms LIMIT 1);
END;

CREATE TRIGGER call_deleted AFTER DELETE ON calls BEGIN
  DELETE FROM call_segments WHERE from_ms <= OLD.started_at AND id = (
    SELECT id FROM call_segments WHERE project_id = OLD.project_id AND mode = OLD.mode AND to_ms > OLD.started_at ORDER BY to_ms LIMIT 1);
END;

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
, saved_nano_usd INTEGER) STRICT;

CREATE INDEX calls_by_time ON calls (project_id, mode, started_at, cost_nano_usd, latency_ms, total_tokens, status, task_type, model);

CREATE INDEX calls_by_user ON calls (project_id, user_id, started_at) WHERE user_id IS NOT NULL;

CREATE INDEX calls_with_failure_mode ON calls (project_id, mode, started_at) WHERE failure_mode IS NOT NULL;

CREATE TABLE calls_to_sum (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  attempts TEXT NOT NULL
) STRICT;

CREATE TABLE chunk_batches (
  project_id TEXT NOT NULL,
  document_number INTEGER NOT NULL,
  first_index INTEGER NOT NULL,
  first_chunk_id INTEGER NOT NULL,
  lengths BLOB NOT NULL,
  PRIMARY KEY (document_number, first_index)
) STRICT;

CREATE VIRTUAL TABLE chunk_frequencies USING fts5vocab (chunk_terms, row);

CREATE VIRTUAL TABLE chunk_postings USING fts5vocab (chunk_terms, instance);

CREATE VIRTUAL TABLE chunk_terms USING fts5 (terms, content = '', contentless_delete = 1, tokenize = 'ascii');

CREATE TABLE 'chunk_terms_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'chunk_terms_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'chunk_terms_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'chunk_terms_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE chunk_vectors (
  space_id INTEGER NOT NULL,
  document_number INTEGER NOT NULL,
  first_index INTEGER NOT NULL,
  vectors BLOB NOT NULL,
  PRIMARY KEY (space_id, document_number, first_index)
) STRICT;

CREATE INDEX chunk_vectors_by_document ON chunk_vectors (document_number);

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  document_number INTEGER NOT NULL,
  chunk_index INTEGER NOT NULL,
  page_from INTEGER NOT NULL,
  page_to INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  headings TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX chunks_by_document ON chunks (document_number, chunk_index);

CREATE TABLE collections (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  document_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE dashboard_sessions (
  secret_hash TEXT PRIMARY KEY,
  ip TEXT,
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
, member TEXT COLLATE NOCASE) STRICT, WITHOUT ROWID;

CREATE TABLE document_files (
  document_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, part)
) STRICT;

CREATE TABLE document_pages (
  document_number INTEGER NOT NULL,
  page INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (document_number, page)
) STRICT;

CREATE TABLE document_projects (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 0,
  document_count INTEGER NOT NULL DEFAULT 0,
  size_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  collection_id TEXT,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  -- Of the key that uploaded it: a test key's text never leaves the machine.
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  status TEXT NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
  error_message TEXT,
  -- How far ingestion has come: null until the text is out; chunks written so far; chunks in all once they are known.
  page_count INTEGER,
  character_count INTEGER,
  chunks_done INTEGER NOT NULL DEFAULT 0,
  chunk_count INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX documents_by_collection ON documents (project_id, collection_id, number);

CREATE INDEX documents_by_project ON documents (project_id, number);

CREATE TABLE embedding_spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  revision TEXT NOT NULL,
  dimensions INTEGER,
  state TEXT NOT NULL CHECK (state IN ('building', 'live')),
  created_at INTEGER NOT NULL,
  UNIQUE (provider, model, revision)
) STRICT;

CREATE TABLE file_pieces (
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (file_id, number)
) STRICT;

CREATE TABLE file_signing_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret BLOB NOT NULL
) STRICT;

CREATE TABLE files (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  user_id TEXT,
  media_type TEXT NOT NULL,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX files_by_expiry ON files (expires_at);

CREATE INDEX files_by_user ON files (project_id, user_id) WHERE user_id IS NOT NULL;

CREATE TABLE history (
  seq INTEGER PRIMARY KEY,
  changed_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  key_id TEXT,
  key_name TEXT,
  ip TEXT,
  action TEXT NOT NULL,
  kind TEXT NOT NULL,
  object_id TEXT,
  object_name TEXT,
  project_id TEXT,
  project_name TEXT,
  fields TEXT NOT NULL
, member TEXT) STRICT;

CREATE INDEX history_by_kind ON history (kind, changed_at);

CREATE INDEX history_by_time ON history (changed_at);

CREATE TABLE idempotency_keys (
  project_id TEXT NOT NULL,
  route TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  owner TEXT NOT NULL,
  status INTEGER,
  headers TEXT,
  body BLOB,
  user_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, route, idempotency_key)
) STRICT;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  project_id TEXT,
  payload TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  lease_until INTEGER,
  fence INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
, interruptions INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX jobs_by_project ON jobs (kind, coalesce(project_id, ''), run_at, id);

CREATE INDEX jobs_by_time ON jobs (run_at);

CREATE TABLE kept_answers (
  -- Digest of all that shapes an answer, its project and mode included.
  question TEXT PRIMARY KEY,
  call_seq INTEGER NOT NULL REFERENCES calls (seq) ON DELETE CASCADE,
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX kept_answers_by_call ON kept_answers (call_seq);

CREATE INDEX kept_answers_by_end ON kept_answers (kept_until);

CREATE TABLE "key_spend" (
  key_id TEXT NOT NULL,
  day TEXT NOT NULL,
  spent_nano_usd INTEGER NOT NULL,
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE learned_neighbourhoods (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  place INTEGER NOT NULL,
  centre BLOB NOT NULL,
  calls INTEGER NOT NULL,
  outcomes TEXT NOT NULL,
  PRIMARY KEY (project_id, mode, place)
) STRICT;

CREATE TABLE learned_outcomes (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  -- 0 easy, 1 middling, 2 hard
  band INTEGER NOT NULL,
  trials REAL NOT NULL,
  good REAL NOT NULL,
  expected REAL NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, task, model, band)
) STRICT, WITHOUT ROWID;

CREATE TABLE learned_paces (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  factor REAL NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE limit_counters (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  limit_group TEXT NOT NULL,
  period TEXT NOT NULL,
  used REAL NOT NULL,
  PRIMARY KEY (project_id, mode, limit_group, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  role TEXT NOT NULL,
  password_hash TEXT,
  invitation_digest TEXT,
  invited_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "memory_messages" (
  session TEXT NOT NULL REFERENCES "memory_sessions" (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  project_id TEXT NOT NULL,
  message TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  user_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_messages_by_user ON memory_messages (project_id, user_id) WHERE user_id IS NOT NULL;

CREATE TABLE "memory_sessions" (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  -- The sequence the next message gets.
  next_sequence INTEGER NOT NULL DEFAULT 1,
  message_count INTEGER NOT NULL DEFAULT 0,
  -- Of the messages after `summary_upto`; the summary counts apart.
  token_count INTEGER NOT NULL DEFAULT 0,
  summary TEXT,
  summary_tokens INTEGER NOT NULL DEFAULT 0,
  summary_upto INTEGER NOT NULL DEFAULT 0,
  summary_version INTEGER NOT NULL DEFAULT 0,
  -- Until then one summarising is under way and no other begins.
  folding_until INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- 0 = opened for a call whose turn is not stored yet.
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (project_id, session_id)
) STRICT;

CREATE INDEX memory_sessions_by_expiry ON memory_sessions (expires_at);

CREATE INDEX memory_sessions_by_update ON memory_sessions (project_id, updated_at DESC);

CREATE TABLE policies (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  policy_type TEXT NOT NULL CHECK (policy_type IN ('routing', 'content')),
  config TEXT NOT NULL,
  priority INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  template TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX policies_in_order ON policies (project_id, priority, created_at, id, enabled, version);

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE schema_versions (
  schema_id TEXT NOT NULL REFERENCES schemas (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  schema TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (schema_id, version)
) STRICT;

CREATE TABLE schemas (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, slug)
) STRICT;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE user_spend (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  user_digest TEXT NOT NULL,
  day TEXT NOT NULL,
  spent_nano_usd INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, user_digest, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE video_jobs (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  call_id TEXT NOT NULL,
  user_id TEXT,
  model TEXT NOT NULL,
  -- The upstream and its own id of the job; null until it has accepted.
  provider TEXT,
  upstream_model TEXT,
  upstream_job_id TEXT,
  prompt TEXT NOT NULL,
  duration_seconds REAL NOT NULL,
  resolution TEXT NOT NULL,
  aspect_ratio TEXT NOT NULL,
  -- `creating` is shown as pending: the upstream has not answered yet.
  state TEXT NOT NULL CHECK (state IN ('creating', 'pending', 'processing', 'complete', 'failed')),
  progress_percent INTEGER NOT NULL DEFAULT 0,
  cost_nano_usd INTEGER NOT NULL,
  file_id TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE INDEX video_jobs_by_project ON video_jobs (project_id, mode, created_at);

CREATE INDEX video_jobs_under_way ON video_jobs (project_id, mode) WHERE state IN ('creating', 'pending', 'processing');
