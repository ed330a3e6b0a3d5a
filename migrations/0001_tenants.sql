-- Tenants, their API keys, the audit trail and what makes a POST repeatable. Times are milliseconds since 1970 (UTC).

CREATE TABLE tenants (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  alias TEXT UNIQUE,
  auth_mode TEXT NOT NULL DEFAULT 'native',
  status TEXT NOT NULL DEFAULT 'active',
  monthly_token_ceiling INTEGER,
  features TEXT NOT NULL DEFAULT '{}',
  privacy_mode INTEGER NOT NULL DEFAULT 0,
  profile TEXT NOT NULL DEFAULT '{}',
  onboarding_config TEXT,
  wrapped_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  scopes TEXT,
  revoked INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
);
CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, created_at);

-- Each entry holds the hash of the one before. `seq` has no gaps within a tenant.
CREATE TABLE audit (
  tenant_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  via TEXT NOT NULL,
  action TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_id TEXT,
  entity_name TEXT,
  before TEXT,
  after TEXT,
  request_id TEXT,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant_id, seq)
) WITHOUT ROWID;

-- What the two-year purge leaves behind: the hash that the oldest kept entry builds on.
CREATE TABLE audit_anchors (
  tenant_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
);

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'audit entries are immutable');
END;

CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
WHEN OLD.created_at > (unixepoch('now', '-2 years') * 1000)
BEGIN
  SELECT RAISE(ABORT, 'audit entries are kept two years');
END;

-- One row per Idempotency-Key seen in the last 24 hours; `answer` is sealed under the tenant's key.
CREATE TABLE idempotency (
  scope TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER,
  answer TEXT,
  created_at INTEGER NOT NULL
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);
