-- Storylines: what a tenant writes, what it has published, who is where in it, and what is counted of it.

-- The working copy. `graph` and `profile_schema` are JSON as they were sent; the words of the enumerations too.
CREATE TABLE storylines (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  agent_name TEXT NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  graph TEXT NOT NULL,
  profile_schema TEXT NOT NULL,
  status TEXT NOT NULL,
  published_revision_id TEXT,
  is_default INTEGER NOT NULL,
  user_visibility TEXT NOT NULL,
  entry TEXT NOT NULL,
  display_name TEXT NOT NULL,
  allow_exit INTEGER NOT NULL,
  show_profile INTEGER NOT NULL,
  on_complete TEXT NOT NULL,
  allow_agent_enroll INTEGER NOT NULL,
  enroll_trigger TEXT NOT NULL,
  concurrency TEXT NOT NULL,
  next_storyline_id TEXT,
  position INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, agent_name, key)
);

-- What publishing froze, never changed: the graph as format 1, the slots, and how the storyline behaves. An enrollment
-- stays on the revision that it began with.
CREATE TABLE storyline_revisions (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  storyline_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  actor TEXT,
  graph TEXT NOT NULL,
  profile_schema TEXT NOT NULL,
  behaviour TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX storyline_revisions_of ON storyline_revisions (storyline_id, id);

-- Where each enrollment stands, as the user's object last reported; what was said and noted stays there. `reports` is how
-- many of its reports were taken: each is taken once, in order.
CREATE TABLE storyline_enrollments (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  storyline_id TEXT NOT NULL,
  revision_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  space_id TEXT NOT NULL,
  node_key TEXT NOT NULL,
  status TEXT NOT NULL,
  reports INTEGER NOT NULL,
  entered_node_at INTEGER NOT NULL,
  last_turn_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX storyline_enrollments_of ON storyline_enrollments (storyline_id, id);
CREATE INDEX storyline_enrollments_at ON storyline_enrollments (storyline_id, status, node_key, last_turn_at);
CREATE INDEX storyline_enrollments_by_user ON storyline_enrollments (user_id, space_id);

-- How many enrollments of any revision did something at a node: `kind` is what, `name` the exit that was taken or the class
-- of seconds that were spent there.
CREATE TABLE storyline_counts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  storyline_id TEXT NOT NULL,
  node_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (storyline_id, node_key, kind, name)
) WITHOUT ROWID;
