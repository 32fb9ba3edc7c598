-- The log can be filtered by kinds of calls, too. Segments that lack this column are removed: they are made anew in the background.
DELETE FROM call_segments;
ALTER TABLE call_segments ADD COLUMN kind BLOB;
