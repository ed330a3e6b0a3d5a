-- Which request holds an Idempotency-Key while it runs: one that dies leaves its claim, which others take over after a while.
ALTER TABLE idempotency ADD COLUMN claim TEXT;
