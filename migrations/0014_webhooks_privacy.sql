-- Webhooks of a tenant and what was sent to them; the tenant's own model key.

-- `secret` is sealed under the tenant's key. `failing_since` is the first failure since the last success.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  description TEXT,
  secret TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  disabled_reason TEXT,
  failing_since INTEGER,
  last_delivery_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX webhooks_by_tenant ON webhooks (tenant_id, id);

-- `data` holds ids only. An event reaches a webhook once: a repeated job finds its row; a replay is a row of its own.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  replay_of TEXT,
  status TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  response_status INTEGER,
  error TEXT,
  happened_at INTEGER NOT NULL,
  first_attempt_at INTEGER,
  last_attempt_at INTEGER,
  next_attempt_at INTEGER,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (webhook_id, event_id) WHERE replay_of IS NULL;
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);

-- The whole configuration of the tenant's own model (provider, address, key, model), sealed under the tenant's key;
-- the provider once more in the clear, for the answer that names nothing else.
ALTER TABLE tenants ADD COLUMN byok TEXT;
ALTER TABLE tenants ADD COLUMN byok_provider TEXT;
