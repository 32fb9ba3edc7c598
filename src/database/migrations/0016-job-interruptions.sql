-- How often the process ended while it held the job, without progress in between: no failure of the job's, unless it is the cause.
ALTER TABLE jobs ADD COLUMN interruptions INTEGER NOT NULL DEFAULT 0;
