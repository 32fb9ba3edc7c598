-- People who sign in to the dashboard with a name of their own. A password is stored as its hash, an invitation's token as its digest.
CREATE TABLE members (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  role TEXT NOT NULL,
  password_hash TEXT,
  invitation_digest TEXT,
  invited_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Null: the operator, who has the dashboard's own password.
ALTER TABLE dashboard_sessions ADD COLUMN member TEXT COLLATE NOCASE;
-- Which member made a change; null for the operator and all others.
ALTER TABLE history ADD COLUMN member TEXT;
