-- Imports of a site, worked off one request at a time: `step` is the number of the request that comes next, so that of two
-- deliveries of a job one counts. `robots`: the site's robots.txt, null until it was read.
CREATE TABLE site_imports (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  base_id TEXT NOT NULL,
  url TEXT NOT NULL,
  origin TEXT NOT NULL,
  page_limit INTEGER NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  robots TEXT,
  step INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX site_imports_running ON site_imports (tenant_id, origin) WHERE status = 'running';
CREATE INDEX site_imports_of ON site_imports (tenant_id, base_id);
CREATE INDEX site_imports_updated ON site_imports (status, updated_at);

-- Its pages, and the site maps that name some, in the order in which they were found.
CREATE TABLE site_pages (
  import_id TEXT NOT NULL REFERENCES site_imports (id) ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  document_id TEXT,
  PRIMARY KEY (import_id, url)
) WITHOUT ROWID;
CREATE INDEX site_pages_next ON site_pages (import_id, status, kind DESC, n);
CREATE INDEX site_pages_of ON site_pages (tenant_id);
