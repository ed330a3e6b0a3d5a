-- Remote MCP servers. `headers` holds the sealed values, bound to the row and its address; `tools` the pinned definitions,
-- null until the server was first asked; `pending` what it announced since and the tenant has not accepted.
CREATE TABLE mcp_servers (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  transport TEXT NOT NULL,
  url TEXT NOT NULL,
  headers TEXT,
  header_names TEXT NOT NULL DEFAULT '[]',
  enabled INTEGER NOT NULL DEFAULT 1,
  era TEXT,
  tools TEXT,
  pending TEXT NOT NULL DEFAULT '[]',
  outcome TEXT,
  last_error TEXT,
  checking_at INTEGER,
  last_checked_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, name)
);
