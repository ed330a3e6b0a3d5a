-- Custom domains of tenants, and what makes an agent's page an installable app.

-- One binding a tenant. `label` is fresh for every binding: the name that the domain must point to begins with it.
-- `verified_at` is when the proof was last seen, `next_check_at` when it is looked for again.
CREATE TABLE custom_domains (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL UNIQUE REFERENCES tenants (id),
  domain TEXT NOT NULL,
  agent_alias TEXT,
  label TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  verified_at INTEGER,
  last_checked_at INTEGER,
  last_error TEXT,
  next_check_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
-- Claims block nobody; the first that is proved has the name.
CREATE UNIQUE INDEX custom_domains_active ON custom_domains (domain) WHERE status = 'active';
CREATE INDEX custom_domains_due ON custom_domains (next_check_at);

-- One row whose number rises with every change of what an active name leads to, so that isolates keep the list of names
-- and only ask whether it is still true.
CREATE TABLE custom_domain_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  n INTEGER NOT NULL
);
INSERT INTO custom_domain_version (id, n) VALUES (1, 0);
CREATE TRIGGER custom_domains_added AFTER INSERT ON custom_domains WHEN NEW.status = 'active'
BEGIN
  UPDATE custom_domain_version SET n = n + 1;
END;
CREATE TRIGGER custom_domains_removed AFTER DELETE ON custom_domains WHEN OLD.status = 'active'
BEGIN
  UPDATE custom_domain_version SET n = n + 1;
END;
CREATE TRIGGER custom_domains_changed AFTER UPDATE OF domain, status, agent_alias ON custom_domains
WHEN OLD.status = 'active' OR NEW.status = 'active'
BEGIN
  UPDATE custom_domain_version SET n = n + 1;
END;

-- `icon` names the folder of the pictures below the tenant's prefix; null is the product's own.
CREATE TABLE agent_apps (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  install_prompt TEXT NOT NULL DEFAULT 'off',
  icon TEXT,
  updated_at INTEGER NOT NULL
);
