-- The log can be filtered by retries and fallbacks, too. Segments that lack these columns are removed: they are made anew in the background.
DELETE FROM call_segments;
ALTER TABLE call_segments ADD COLUMN retry_count BLOB;
ALTER TABLE call_segments ADD COLUMN fallback_used BLOB;
