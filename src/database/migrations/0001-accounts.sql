-- Projects, API keys, what they have used, settings, jobs, idempotency keys.
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL
) STRICT;

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
) STRICT;
CREATE INDEX api_keys_by_project ON api_keys (project_id);

-- Money spent by a key in one UTC month; written with the call that spent it.
CREATE TABLE key_spend (
  key_id TEXT NOT NULL,
  month TEXT NOT NULL,
  spent_nano_usd INTEGER NOT NULL,
  PRIMARY KEY (key_id, month)
) STRICT, WITHOUT ROWID;

-- Counts towards daily and monthly limits; `period` is a UTC day or month.
CREATE TABLE limit_counters (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  limit_group TEXT NOT NULL,
  period TEXT NOT NULL,
  used REAL NOT NULL,
  PRIMARY KEY (project_id, mode, limit_group, period)
) STRICT, WITHOUT ROWID;

-- The operator's settings: what the dashboard stored, secrets sealed.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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
) STRICT;
CREATE INDEX jobs_by_time ON jobs (run_at);

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
