-- Merges of spaces: the lock while one goes on, its only commit point, and where ids of a merged space lead to.

-- `committed` is final; `aborted` rows stay for a day, so that a write of a merge that was given up can no longer land.
CREATE TABLE space_merges (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  target_id TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX space_merges_by_user ON space_merges (tenant_id, user_id);

-- Tags of spaces that went over to another one.
CREATE TABLE space_tags (
  tag INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE
);
CREATE INDEX space_tags_by_space ON space_tags (space_id);

-- Reads like the constraint that it extends: a tag leads to one space.
CREATE TRIGGER spaces_tag_is_free BEFORE INSERT ON spaces
WHEN EXISTS (SELECT 1 FROM space_tags WHERE tag = NEW.tag)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: spaces.tag');
END;
