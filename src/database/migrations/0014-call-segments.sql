-- Some thousand calls by column: a page of the log looks at a few bytes of each call, whatever it is filtered and sorted by.
-- A segment holds every call of its range, [from_ms, to_ms); ranges do not overlap. `calls` is null while it is being made.
-- Figures are 8-byte floats. Names are codes of 2 bytes, then the names themselves as JSON, a line each, in the order of the codes.
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
) STRICT;
CREATE UNIQUE INDEX call_segments_by_end ON call_segments (project_id, mode, to_ms, from_ms);

-- Whatever changes one of its calls takes a segment away, also one that is being made; it is made anew. A call that is added does so by
-- the program's own hand: a trigger would have SQLite copy each page that the call's row touches.
CREATE TRIGGER call_deleted AFTER DELETE ON calls BEGIN
  DELETE FROM call_segments WHERE from_ms <= OLD.started_at AND id = (
    SELECT id FROM call_segments WHERE project_id = OLD.project_id AND mode = OLD.mode AND to_ms > OLD.started_at ORDER BY to_ms LIMIT 1);
END;
CREATE TRIGGER call_changed AFTER UPDATE OF status, task_type, model, cost_nano_usd, latency_ms ON calls BEGIN
  DELETE FROM call_segments WHERE from_ms <= OLD.started_at AND id = (
    SELECT id FROM call_segments WHERE project_id = OLD.project_id AND mode = OLD.mode AND to_ms > OLD.started_at ORDER BY to_ms LIMIT 1);
END;
