-- Of an hour's tokens, those that no provider reported.
ALTER TABLE usage_hourly ADD COLUMN estimated_tokens INTEGER NOT NULL DEFAULT 0;
