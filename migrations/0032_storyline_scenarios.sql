-- Conversations that a storyline must lead as expected. `body` is sealed: what people say is often taken from life.
CREATE TABLE storyline_scenarios (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  storyline_id TEXT NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (storyline_id, name)
);
