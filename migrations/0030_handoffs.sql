-- Conversations that wait for a person, or were answered by one: the tenant's inbox. What the user's object says of them is
-- copied here by a job; `n` is the number of its last word. `summary` is sealed by the tenant's key for this one row.
CREATE TABLE handoffs (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  space_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  summary TEXT,
  n INTEGER NOT NULL,
  mailed_at INTEGER,
  created_at INTEGER NOT NULL,
  answered_at INTEGER,
  closed_at INTEGER
) WITHOUT ROWID;
CREATE INDEX handoffs_of ON handoffs (tenant_id, status, id);
CREATE INDEX handoffs_by_id ON handoffs (tenant_id, id);
CREATE INDEX handoffs_by_user ON handoffs (user_id, space_id);
