-- The call of a video has its key.
ALTER TABLE video_jobs DROP COLUMN key_id;
