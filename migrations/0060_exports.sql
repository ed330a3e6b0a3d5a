-- Exports of all that a user has, made in the background: `at` is where the next part begins (null before the first one),
-- `parts` names the sealed pieces of the archive that are in the object store, in their order.
CREATE TABLE exports (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  status TEXT NOT NULL,
  error TEXT,
  at TEXT,
  parts TEXT NOT NULL,
  files INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  told_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX exports_running ON exports (tenant_id, user_id) WHERE status = 'running';
CREATE INDEX exports_of ON exports (tenant_id, user_id, created_at);
CREATE INDEX exports_untold ON exports (updated_at) WHERE told_at IS NULL;
CREATE INDEX exports_expire ON exports (expires_at);
