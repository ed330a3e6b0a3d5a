-- Questions that were not answered well, for the tenant to review. `seq` tells whether a review came since one looked.
CREATE TABLE reviews (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  agent_id TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  base_id TEXT,
  reasons TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  count INTEGER NOT NULL DEFAULT 1,
  first_message_id TEXT NOT NULL,
  last_message_id TEXT NOT NULL,
  draft TEXT,
  document_id TEXT,
  document_version TEXT,
  verified INTEGER,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  decided_at INTEGER
);
CREATE INDEX reviews_by_tenant ON reviews (tenant_id, seq);
CREATE INDEX reviews_by_status ON reviews (tenant_id, status, seq);
CREATE INDEX reviews_unverified ON reviews (decided_at) WHERE status = 'approved' AND verified IS NULL;

-- Who asked, in whose words: one row for each review and user. Texts and vectors are envelopes under the tenant's key, so
-- deleting a user takes exactly what came from that user.
CREATE TABLE review_origins (
  review_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  question TEXT NOT NULL,
  body TEXT NOT NULL,
  vector TEXT,
  embedder TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (review_id, user_id)
) WITHOUT ROWID;
CREATE INDEX review_origins_recent ON review_origins (tenant_id, last_seen_at);
CREATE INDEX review_origins_by_user ON review_origins (tenant_id, user_id);
