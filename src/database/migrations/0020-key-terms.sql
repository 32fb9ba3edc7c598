-- What a key may do, besides its scopes: the models it may use (a JSON list; NULL = all), the period of its budget, and its own limits.
ALTER TABLE api_keys ADD COLUMN models TEXT;
ALTER TABLE api_keys ADD COLUMN budget_period TEXT NOT NULL DEFAULT 'month';
ALTER TABLE api_keys ADD COLUMN requests_per_minute INTEGER;
ALTER TABLE api_keys ADD COLUMN tokens_per_minute INTEGER;

-- What a key has spent is kept by UTC day, of which every period is made. What was spent by month counts on the first day of the month.
CREATE TABLE key_spend_anew (
  key_id TEXT NOT NULL,
  day TEXT NOT NULL,
  spent_nano_usd INTEGER NOT NULL,
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO key_spend_anew SELECT key_id, month || '-01', spent_nano_usd FROM key_spend;
DROP TABLE key_spend;
ALTER TABLE key_spend_anew RENAME TO key_spend;
