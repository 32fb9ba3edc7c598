-- Generated files and the video jobs that make them.

-- Signs file URLs; made with the file, never leaves it.
CREATE TABLE file_signing_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret BLOB NOT NULL
) STRICT;
INSERT INTO file_signing_key (id, secret) VALUES (1, randomblob(32));

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

-- The bytes in pieces of 1 MiB, so that a range is served without reading the whole.
CREATE TABLE file_pieces (
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (file_id, number)
) STRICT;

CREATE TABLE video_jobs (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  call_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
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
