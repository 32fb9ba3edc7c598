-- Who changed what of the server's and its projects' settings. It refers to no other table, because what was deleted stays told.
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
) STRICT;
CREATE INDEX history_by_time ON history (changed_at);
CREATE INDEX history_by_kind ON history (kind, changed_at);
