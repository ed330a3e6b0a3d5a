/**
 * Storage of one knowledge base. Append-only: a migration is never edited once merged.
 *
 * Two full-text indexes: `kb_a` by words (in scripts without spaces by characters and their pairs), `kb_b` by letters
 * (4-grams; in scripts without spaces by words). What goes into them is cut by `src/text/analyze.ts`.
 *
 * A chunk's rowid is `version id × 2^20 + n`, here and in both indexes, so a hit tells its version and number without a
 * lookup, and a version is a range of rowids. A read copy of a base could follow `versions` alone: rows appear,
 * become live and go; a version's chunks never change.
 */
export const KNOWLEDGE_BASE_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL,
    version TEXT NOT NULL,
    live INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    modes TEXT NOT NULL DEFAULT '{}',
    id_prefix TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    url TEXT,
    UNIQUE (document_id, version)
  );
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL,
    page INTEGER,
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL,
    heading TEXT,
    text TEXT NOT NULL
  );
  CREATE TABLE embedders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  );
  CREATE TABLE vectors (
    chunk_id INTEGER PRIMARY KEY,
    embedder_id INTEGER NOT NULL,
    scale REAL NOT NULL,
    bytes BLOB NOT NULL
  );
  CREATE TABLE vector_removals (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE VIRTUAL TABLE kb_a USING fts5(
    title, body, content='', contentless_delete=1,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
  );
  CREATE VIRTUAL TABLE kb_b USING fts5(
    title, body, content='', contentless_delete=1,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
  );
  CREATE VIRTUAL TABLE kb_a_df USING fts5vocab(kb_a, 'row');
  CREATE VIRTUAL TABLE kb_b_df USING fts5vocab(kb_b, 'row');
  `,
  // What every search asks of the versions, without reading all of them when the object wakes.
  `
  CREATE INDEX versions_hidden ON versions (id) WHERE live = 0;
  CREATE TABLE modes (mode TEXT PRIMARY KEY, chunks INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO modes (mode, chunks)
    SELECT key, sum(value) FROM versions, json_each(versions.modes) GROUP BY key;
  `,
  // What the vector index does not have yet, in the order of its changes, and how far it was sent. What it was given of
  // bases that are not copied to it goes.
  `
  CREATE TABLE index_backlog (seq INTEGER PRIMARY KEY AUTOINCREMENT, chunk_id INTEGER NOT NULL UNIQUE);
  CREATE TABLE index_marks (seq INTEGER PRIMARY KEY, sent_at INTEGER NOT NULL, mutation TEXT NOT NULL);
  INSERT OR IGNORE INTO vector_removals (id)
    SELECT versions.id_prefix || printf('%08x', chunks.id & 1048575)
    FROM chunks JOIN versions ON versions.id = chunks.id >> 20;
  `,
  // Where each term stands, for a search that adds up scores itself.
  `
  CREATE VIRTUAL TABLE kb_a_places USING fts5vocab(kb_a, 'instance');
  CREATE VIRTUAL TABLE kb_b_places USING fts5vocab(kb_b, 'instance');
  `,
  // Which version of a document is the later one, whichever is staged first.
  `ALTER TABLE versions ADD COLUMN edition INTEGER NOT NULL DEFAULT 0;`,
  // Other ways to ask what a passage answers (`src/text/phrasings.ts`).
  `ALTER TABLE chunks ADD COLUMN phrasings TEXT;`,
  // A transaction's passages are one segment each, and few are merged while a document comes: upkeep does that when it is quiet.
  `
  INSERT INTO kb_a (kb_a, rank) VALUES ('hashsize', 8388608);
  INSERT INTO kb_b (kb_b, rank) VALUES ('hashsize', 8388608);
  INSERT INTO kb_a (kb_a, rank) VALUES ('automerge', 16);
  INSERT INTO kb_b (kb_b, rank) VALUES ('automerge', 16);
  `,
]
