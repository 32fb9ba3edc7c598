-- A deleted project's sessions are deleted after its row, a few at a time, as its calls and documents are: they no longer refer to the row.
-- SQLite cannot drop a reference, so both tables are made anew.
CREATE TABLE sessions_anew (
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
INSERT INTO sessions_anew SELECT * FROM memory_sessions;
-- Without a turn, a session now expires an hour after it was opened.
UPDATE sessions_anew SET expires_at = created_at + 3600000 WHERE updated_at = 0;

CREATE TABLE messages_anew (
  session TEXT NOT NULL REFERENCES sessions_anew (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  project_id TEXT NOT NULL,
  message TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  user_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO messages_anew SELECT * FROM memory_messages;

DROP TABLE memory_messages;
DROP TABLE memory_sessions;
ALTER TABLE sessions_anew RENAME TO memory_sessions;
ALTER TABLE messages_anew RENAME TO memory_messages;
CREATE INDEX memory_sessions_by_update ON memory_sessions (project_id, updated_at DESC);
CREATE INDEX memory_sessions_by_expiry ON memory_sessions (expires_at);
CREATE INDEX memory_messages_by_user ON memory_messages (project_id, user_id) WHERE user_id IS NOT NULL;
