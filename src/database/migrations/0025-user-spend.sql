-- What each user of a project has spent on a UTC day, in projects that give every user a budget. Users are known by a digest of their id.
CREATE TABLE user_spend (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  user_digest TEXT NOT NULL,
  day TEXT NOT NULL,
  spent_nano_usd INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, user_digest, day)
) STRICT, WITHOUT ROWID;
