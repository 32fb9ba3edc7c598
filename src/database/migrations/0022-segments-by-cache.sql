-- The log can be filtered by answers given again, too. Segments that lack this column are removed: they are made anew in the background.
DELETE FROM call_segments;
ALTER TABLE call_segments ADD COLUMN cache_hit BLOB;
