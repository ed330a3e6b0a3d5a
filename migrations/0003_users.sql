-- End users and their spaces; usage as the meter reports it.

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  token_version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  UNIQUE (tenant_id, source, external_id)
);
CREATE INDEX users_recent ON users (tenant_id, last_active_at, id);

-- `tag` is the last 40 bits of every id minted in the space, so an id alone leads to its object.
CREATE TABLE spaces (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  tag INTEGER NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX spaces_by_user ON spaces (tenant_id, user_id, id);
CREATE UNIQUE INDEX spaces_one_default ON spaces (user_id) WHERE is_default = 1;

CREATE TABLE space_agents (
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, agent_id)
) WITHOUT ROWID;

-- Absolute values per hour, upserted by the tenant's meter: writing a row twice changes nothing.
CREATE TABLE usage_hourly (
  tenant_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  space_id TEXT NOT NULL,
  model TEXT NOT NULL,
  kind TEXT NOT NULL,
  requests INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, hour, agent_id, user_id, space_id, model, kind)
) WITHOUT ROWID;
CREATE INDEX usage_by_user ON usage_hourly (tenant_id, user_id, hour);
