-- Answers that may be given again to the same question. An answer itself is in the log, and goes when its call goes.
CREATE TABLE kept_answers (
  -- Digest of all that shapes an answer, its project and mode included.
  question TEXT PRIMARY KEY,
  call_seq INTEGER NOT NULL REFERENCES calls (seq) ON DELETE CASCADE,
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_answers_by_call ON kept_answers (call_seq);
CREATE INDEX kept_answers_by_end ON kept_answers (kept_until);

-- What the call cost whose answer was given again; NULL if a model was asked.
ALTER TABLE calls ADD COLUMN saved_nano_usd INTEGER;
ALTER TABLE call_days ADD COLUMN cache_hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE call_days ADD COLUMN saved_nano_usd INTEGER NOT NULL DEFAULT 0;
