-- Sessions of chat memory. Messages stay as they were said until the session ends; the summary is a view of those up to `summary_upto`.
CREATE TABLE memory_sessions (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
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
CREATE INDEX memory_sessions_by_update ON memory_sessions (project_id, updated_at DESC);
CREATE INDEX memory_sessions_by_expiry ON memory_sessions (expires_at);

CREATE TABLE memory_messages (
  session TEXT NOT NULL REFERENCES memory_sessions (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  project_id TEXT NOT NULL,
  message TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  user_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_messages_by_user ON memory_messages (project_id, user_id) WHERE user_id IS NOT NULL;
