/** Append-only: an object runs the steps it has not run yet. */
export const METER_MIGRATIONS: readonly string[] = [
  `CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE revoked_keys (id TEXT PRIMARY KEY) WITHOUT ROWID;
   CREATE TABLE reservations (id TEXT PRIMARY KEY, tokens INTEGER NOT NULL, expires_at INTEGER NOT NULL, settled INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
   CREATE TABLE months (month TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE usage (
     hour INTEGER NOT NULL, agent_id TEXT NOT NULL, user_id TEXT NOT NULL, space_id TEXT NOT NULL,
     model TEXT NOT NULL, kind TEXT NOT NULL,
     requests INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
     cached_tokens INTEGER NOT NULL, events INTEGER NOT NULL, dirty INTEGER NOT NULL,
     PRIMARY KEY (hour, agent_id, user_id, space_id, model, kind)
   ) WITHOUT ROWID;
   CREATE TABLE windows (name TEXT PRIMARY KEY, started_at INTEGER NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;`,
  'ALTER TABLE usage ADD COLUMN estimated_tokens INTEGER NOT NULL DEFAULT 0',
  'CREATE TABLE user_days (name TEXT PRIMARY KEY, ends_at INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID',
  // Tokens of the row that its month has: a month is written when D1 hears of the hour, not at each turn.
  `ALTER TABLE usage ADD COLUMN in_month INTEGER NOT NULL DEFAULT 0;
   UPDATE usage SET in_month = input_tokens + output_tokens;`,
  // When the user last asked, and with which key: D1 hears of it with the hour.
  `ALTER TABLE usage ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE usage ADD COLUMN key_id TEXT;`,
  // Turns reserve below a mark that is raised in steps, and are known as settled by the row that they are booked in.
  `CREATE TABLE high_water (month TEXT PRIMARY KEY, tokens INTEGER NOT NULL) WITHOUT ROWID;
   ALTER TABLE usage ADD COLUMN settled_ids TEXT NOT NULL DEFAULT '';`,
  // Up to when D1 has heard of who was seen: by the hour, and when somebody asks.
  `ALTER TABLE usage ADD COLUMN seen_noted INTEGER NOT NULL DEFAULT 0;
   UPDATE usage SET seen_noted = seen_at WHERE dirty = 0;`,
  // A user may come by several keys within an hour.
  `ALTER TABLE usage ADD COLUMN keys_seen TEXT NOT NULL DEFAULT '{}';
   UPDATE usage SET keys_seen = json_object(key_id, seen_at) WHERE key_id IS NOT NULL;
   ALTER TABLE usage DROP COLUMN key_id;`,
  // What may be under way since before the meter stopped, each part with its end.
  "ALTER TABLE high_water ADD COLUMN lost TEXT NOT NULL DEFAULT '[]'",
  // Spaces whose turns may be settled with a later one.
  "ALTER TABLE high_water ADD COLUMN spaces TEXT NOT NULL DEFAULT '[]'",
]
