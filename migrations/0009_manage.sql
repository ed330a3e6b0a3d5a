-- What lists of users show without asking their objects, and the deletions that are under way.

-- As a space's object counted them at `counted_at`.
ALTER TABLE spaces ADD COLUMN session_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN counted_at INTEGER NOT NULL DEFAULT 0;

-- Tokens of the running hour and the 23 before it. At `tokens_24h_until` the oldest of these hours leaves the sum.
ALTER TABLE users ADD COLUMN tokens_24h INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN tokens_24h_until INTEGER;
CREATE INDEX users_by_tokens ON users (tenant_id, tokens_24h, id);
CREATE INDEX users_tokens_due ON users (tokens_24h_until) WHERE tokens_24h_until IS NOT NULL;

CREATE INDEX accounts_by_visitor ON accounts (visitor_id) WHERE visitor_id IS NOT NULL;

-- A deletion is written with the mark that cuts access, so that whatever dies in between, somebody goes on with it.
-- `space_id` is empty where the whole user goes. `removed` holds what was counted before it went.
CREATE TABLE deletions (
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  space_id TEXT NOT NULL DEFAULT '',
  request_id TEXT NOT NULL,
  removed TEXT,
  requested_at INTEGER NOT NULL,
  finished_at INTEGER,
  PRIMARY KEY (user_id, space_id)
) WITHOUT ROWID;
CREATE INDEX deletions_open ON deletions (requested_at) WHERE finished_at IS NULL;
CREATE INDEX deletions_finished ON deletions (finished_at) WHERE finished_at IS NOT NULL;
