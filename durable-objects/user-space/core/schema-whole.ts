/**
 * What the steps of `schema.ts` come to: a new object takes it at once, which is half of what they cost one by one. A step is
 * written into both; `test/unit/schema-whole.test.ts` compares them.
 */
export const SPACE_SCHEMA = `CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE sessions (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, agent_name TEXT NOT NULL, channel TEXT NOT NULL,
     alias TEXT, title_sealed TEXT, title_by_user INTEGER NOT NULL DEFAULT 0, message_count INTEGER NOT NULL DEFAULT 0,
     read_count INTEGER NOT NULL DEFAULT 0, summary_sealed TEXT, summary_upto TEXT, forked_from TEXT, created_at INTEGER NOT
     NULL, updated_at INTEGER NOT NULL, prefill_sealed TEXT, title_vector_sealed TEXT, title_embedder TEXT, handoff_id TEXT,
     misses INTEGER NOT NULL DEFAULT 0, outbox TEXT, ranked_at INTEGER NOT NULL DEFAULT 0, cta_from INTEGER DEFAULT 0)
     WITHOUT ROWID;
   CREATE UNIQUE INDEX sessions_alias ON sessions (alias) WHERE alias IS NOT NULL;
   CREATE INDEX sessions_ranked ON sessions (ranked_at DESC, id DESC);
   CREATE TABLE messages (session_id TEXT NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL, agent_name TEXT, status TEXT NOT
     NULL, body_sealed TEXT NOT NULL, feedback TEXT, created_at INTEGER NOT NULL, edited_at INTEGER, comment_sealed TEXT,
     variant_of TEXT, left_with TEXT, feedback_reasons TEXT, PRIMARY KEY (session_id, id)) WITHOUT ROWID;
   CREATE INDEX messages_variants ON messages (session_id, variant_of) WHERE variant_of IS NOT NULL;
   CREATE TABLE attachments (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, message_id TEXT NOT NULL, mime TEXT NOT NULL,
     name_sealed TEXT NOT NULL, size_bytes INTEGER NOT NULL, wrapped_key TEXT NOT NULL, created_at INTEGER NOT NULL, voice
     TEXT) WITHOUT ROWID;
   CREATE INDEX attachments_by_session ON attachments (session_id, id);
   CREATE INDEX attachments_by_message ON attachments (message_id);
   CREATE TABLE repeats (key TEXT PRIMARY KEY, body_hash TEXT NOT NULL, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
     created_at INTEGER NOT NULL, answer TEXT) WITHOUT ROWID;
   CREATE INDEX repeats_age ON repeats (created_at);
   CREATE TABLE reminders (id TEXT PRIMARY KEY, kind TEXT NOT NULL, status TEXT NOT NULL, due_at INTEGER NOT NULL, timezone
     TEXT NOT NULL, source TEXT NOT NULL, agent_name TEXT, session_id TEXT, text_sealed TEXT NOT NULL, repeat_key TEXT,
     repeat_hash TEXT, created_at INTEGER NOT NULL, delivered_at INTEGER, cancelled_at INTEGER, away INTEGER NOT NULL
     DEFAULT 0, handed_on INTEGER NOT NULL DEFAULT 0, handed_at INTEGER) WITHOUT ROWID;
   CREATE INDEX reminders_recent ON reminders (kind, created_at DESC, id DESC);
   CREATE INDEX reminders_due ON reminders (due_at) WHERE status = 'pending';
   CREATE INDEX reminders_handed ON reminders (handed_at) WHERE handed_on = 1;
   CREATE INDEX reminders_repeat ON reminders (repeat_key) WHERE repeat_key IS NOT NULL;
   CREATE TABLE reminder_channels (reminder_id TEXT NOT NULL, channel TEXT NOT NULL, claimed_at INTEGER NOT NULL, outcome
     TEXT, PRIMARY KEY (reminder_id, channel)) WITHOUT ROWID;
   CREATE TABLE events (id INTEGER PRIMARY KEY, type TEXT NOT NULL, ref TEXT NOT NULL, body_sealed TEXT NOT NULL, created_at
     INTEGER NOT NULL, heard INTEGER NOT NULL);
   CREATE INDEX events_unheard ON events (id) WHERE heard = 0;
   CREATE TABLE memories (id TEXT PRIMARY KEY, kind TEXT NOT NULL, importance INTEGER NOT NULL, made_by TEXT NOT NULL,
     agent_name TEXT NOT NULL, session_id TEXT, message_id TEXT, body_sealed TEXT NOT NULL, vector_sealed TEXT, embedder
     TEXT, carried_from TEXT, superseded_by TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE INDEX memories_by_message ON memories (message_id) WHERE message_id IS NOT NULL;
   CREATE UNIQUE INDEX memories_carried ON memories (carried_from) WHERE carried_from IS NOT NULL;
   CREATE TABLE remembered (agent_name TEXT PRIMARY KEY, body_sealed TEXT NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE space_documents (id TEXT PRIMARY KEY, name_sealed TEXT NOT NULL, kind TEXT NOT NULL, mime TEXT NOT NULL,
     size_bytes INTEGER NOT NULL, wrapped_key TEXT NOT NULL, title_sealed TEXT, common_sealed TEXT, status TEXT NOT NULL,
     progress INTEGER NOT NULL DEFAULT 0, error TEXT, attempts INTEGER NOT NULL DEFAULT 0, chunk_count INTEGER NOT NULL
     DEFAULT 0, progressed_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE space_chunks (document_id TEXT NOT NULL, n INTEGER NOT NULL, body_sealed TEXT NOT NULL, PRIMARY KEY
     (document_id, n)) WITHOUT ROWID;
   CREATE TABLE space_indexes (document_id TEXT NOT NULL, part INTEGER NOT NULL, index_sealed BLOB NOT NULL, PRIMARY KEY
     (document_id, part)) WITHOUT ROWID;
   CREATE TABLE incoming (id TEXT PRIMARY KEY, state TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE staged (n INTEGER PRIMARY KEY, merge_id TEXT NOT NULL, part TEXT NOT NULL, key TEXT NOT NULL, row TEXT NOT
     NULL, UNIQUE (merge_id, part, key));
   CREATE TABLE enrollments (id TEXT PRIMARY KEY, storyline_id TEXT NOT NULL, revision_id TEXT NOT NULL, agent_id TEXT NOT
     NULL, status TEXT NOT NULL, paused_by TEXT, node TEXT NOT NULL, session_id TEXT NOT NULL, due_at INTEGER, holds INTEGER
     NOT NULL DEFAULT 0, kept_sealed TEXT NOT NULL, reports INTEGER NOT NULL DEFAULT 0, unreported INTEGER NOT NULL DEFAULT
     0, entered_node_at INTEGER NOT NULL, last_turn_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT
     NULL) WITHOUT ROWID;
   CREATE UNIQUE INDEX enrollments_open ON enrollments (storyline_id) WHERE status IN ('offered', 'active', 'paused');
   CREATE INDEX enrollments_of_agent ON enrollments (agent_id, status);
   CREATE INDEX enrollments_due ON enrollments (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX enrollments_unreported ON enrollments (unreported) WHERE unreported = 1;
   CREATE TABLE enrollment_steps (enrollment_id TEXT NOT NULL, n INTEGER NOT NULL, body_sealed TEXT NOT NULL, created_at
     INTEGER NOT NULL, PRIMARY KEY (enrollment_id, n)) WITHOUT ROWID;
   CREATE TABLE enrollment_calls (enrollment_id TEXT NOT NULL, step INTEGER NOT NULL, body_sealed TEXT NOT NULL, PRIMARY KEY
     (enrollment_id, step)) WITHOUT ROWID;
   CREATE TABLE enrollment_reports (enrollment_id TEXT NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY
     (enrollment_id, n)) WITHOUT ROWID;
   CREATE TABLE handoffs (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
     body_sealed TEXT NOT NULL, due_at INTEGER, n INTEGER NOT NULL, told INTEGER NOT NULL, created_at INTEGER NOT NULL,
     answered_at INTEGER, closed_at INTEGER) WITHOUT ROWID;
   CREATE INDEX handoffs_of_session ON handoffs (session_id);
   CREATE INDEX handoffs_due ON handoffs (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX handoffs_untold ON handoffs (id) WHERE told < n;
   CREATE TABLE turn_slots (slot INTEGER PRIMARY KEY, id TEXT NOT NULL, session_id TEXT NOT NULL, user_message_id TEXT NOT
     NULL, agent_id TEXT NOT NULL, agent_name TEXT NOT NULL, started_at INTEGER NOT NULL, replaces TEXT, over INTEGER NOT
     NULL DEFAULT 0);`
