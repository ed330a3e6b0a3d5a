-- Orders to move the people of a storyline that take longer than a request, worked off in pieces: `at` is the last
-- enrollment that is done, and everything up to it is counted.
CREATE TABLE storyline_migrations (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  storyline_id TEXT NOT NULL,
  wanted TEXT NOT NULL,
  status TEXT NOT NULL,
  at TEXT NOT NULL,
  matched INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  slots_dropped INTEGER NOT NULL,
  skipped TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX storyline_migrations_running ON storyline_migrations (storyline_id) WHERE status = 'running';
CREATE INDEX storyline_migrations_of ON storyline_migrations (storyline_id);
