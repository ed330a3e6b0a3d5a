-- Messaging channels: a tenant's bot, the chats that are linked to its users, and messages that wait for their answer.

-- `token` is sealed under the tenant's key. `secret_hash` is the SHA-256 of what the channel sends along with every call.
CREATE TABLE tenant_channels (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  channel TEXT NOT NULL,
  bot_id TEXT NOT NULL,
  bot_name TEXT NOT NULL,
  bot_username TEXT NOT NULL,
  token TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, channel),
  UNIQUE (channel, bot_id)
) WITHOUT ROWID;

-- A code that links a chat, once: `hash` is the SHA-256 of the code, `used_by` the chat that used it.
CREATE TABLE channel_codes (
  hash TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  space_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  used_by TEXT,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX channel_codes_by_user ON channel_codes (user_id, channel);
CREATE INDEX channel_codes_by_age ON channel_codes (expires_at);

-- `chat_index` is the tenant's blind index of the chat's id, `chat` the id sealed under the user's key.
CREATE TABLE channel_links (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  chat_index TEXT NOT NULL,
  chat TEXT NOT NULL,
  space_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  session_id TEXT,
  lang TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, channel, user_id),
  UNIQUE (tenant_id, channel, chat_index)
) WITHOUT ROWID;
CREATE INDEX channel_links_by_user ON channel_links (user_id);

-- One row per message that came in: the same message never makes a second one. `body` is sealed under the user's key and
-- emptied once it is answered; `seq` is the channel's own order; `sent_parts` of the answer have left.
CREATE TABLE channel_inbox (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  seq INTEGER NOT NULL,
  body TEXT,
  sent_parts INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  claimed_at INTEGER,
  received_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX channel_inbox_waiting ON channel_inbox (user_id, channel, seq) WHERE body IS NOT NULL;
CREATE INDEX channel_inbox_by_age ON channel_inbox (received_at);
