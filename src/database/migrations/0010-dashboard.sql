-- Who is signed in to the dashboard: the digest of each session's secret, never the secret.
CREATE TABLE dashboard_sessions (
  secret_hash TEXT PRIMARY KEY,
  ip TEXT,
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
