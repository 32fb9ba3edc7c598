-- The log's index begins with what every question says: a scan of a range compares the time alone, and finds what it ranks by next to it.
DROP INDEX calls_by_time;
CREATE INDEX calls_by_time ON calls (project_id, mode, started_at, cost_nano_usd, latency_ms, total_tokens, status, task_type, model);
