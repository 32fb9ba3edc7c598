-- Between which figures the calls of an hour lie, so that the dearest, slowest and longest are looked for only where they can be.
-- Bounds may be wider than what is there (calls are deleted, their cost is put right), never narrower; the defaults hold for any call.
ALTER TABLE call_hours ADD COLUMN least_latency_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE call_hours ADD COLUMN most_latency_ms INTEGER NOT NULL DEFAULT 9007199254740991;
ALTER TABLE call_hours ADD COLUMN least_cost_nano_usd INTEGER NOT NULL DEFAULT 0;
ALTER TABLE call_hours ADD COLUMN most_cost_nano_usd INTEGER NOT NULL DEFAULT 9007199254740991;
ALTER TABLE call_hours ADD COLUMN least_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE call_hours ADD COLUMN most_tokens INTEGER NOT NULL DEFAULT 9007199254740991;
-- An hour whose sums were let go comes back: from now on they stay as long as its calls.
INSERT INTO call_hours (project_id, mode, hour, model, calls, failures, latency_ms, cost_nano_usd, tokens,
  least_latency_ms, most_latency_ms, least_cost_nano_usd, most_cost_nano_usd, least_tokens, most_tokens)
SELECT project_id, mode, started_at / 3600000, coalesce(model, ''), count(*), sum(status >= 400), sum(latency_ms), sum(cost_nano_usd), sum(total_tokens),
  min(latency_ms), max(latency_ms), min(cost_nano_usd), max(cost_nano_usd), min(total_tokens), max(total_tokens)
FROM calls INDEXED BY calls_by_time WHERE true GROUP BY 1, 2, 3, 4
ON CONFLICT (project_id, mode, hour, model) DO UPDATE SET
  least_latency_ms = excluded.least_latency_ms, most_latency_ms = excluded.most_latency_ms,
  least_cost_nano_usd = excluded.least_cost_nano_usd, most_cost_nano_usd = excluded.most_cost_nano_usd,
  least_tokens = excluded.least_tokens, most_tokens = excluded.most_tokens;
