-- An entry gets its number with its change and its place in the chain right after: until it is sealed its hash is empty.
-- `digest` fixes what it says from the first moment. Entries without `sealed_at` were sealed with their change.
ALTER TABLE audit ADD COLUMN digest TEXT;
ALTER TABLE audit ADD COLUMN sealed_at INTEGER;
CREATE INDEX audit_unsealed ON audit (tenant_id, seq) WHERE hash = '';

-- The only update there is: sealing, once, behind a sealed entry, and nothing else of the entry.
DROP TRIGGER audit_no_update;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
WHEN OLD.hash <> '' OR length(NEW.hash) <> 64 OR OLD.sealed_at IS NOT NULL OR NEW.sealed_at IS NULL
  OR NEW.tenant_id <> OLD.tenant_id OR NEW.seq <> OLD.seq OR NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at
  OR NEW.actor <> OLD.actor OR NEW.actor_type <> OLD.actor_type OR NEW.via <> OLD.via OR NEW.action <> OLD.action
  OR NEW.entity <> OLD.entity OR NEW.entity_id IS NOT OLD.entity_id OR NEW.entity_name IS NOT OLD.entity_name
  OR NEW.before IS NOT OLD.before OR NEW.after IS NOT OLD.after OR NEW.request_id IS NOT OLD.request_id
  OR NEW.digest IS NOT OLD.digest
  OR EXISTS (SELECT 1 FROM audit WHERE tenant_id = OLD.tenant_id AND seq = OLD.seq - 1 AND hash = '')
BEGIN
  SELECT RAISE(ABORT, 'audit entries are immutable');
END;

-- As before; besides, an entry that comes sealed does not pass those that still wait, and one that waits has its digest.
DROP TRIGGER audit_in_order;
CREATE TRIGGER audit_in_order BEFORE INSERT ON audit
WHEN NEW.seq IS NOT NULL AND (
  NEW.seq <> 1 + coalesce(
    (SELECT max(seq) FROM audit WHERE tenant_id = NEW.tenant_id),
    (SELECT seq FROM audit_anchors WHERE tenant_id = NEW.tenant_id),
    0
  )
  OR (NEW.hash = '' AND NEW.digest IS NULL)
  OR (NEW.hash <> '' AND EXISTS (SELECT 1 FROM audit WHERE tenant_id = NEW.tenant_id AND seq = NEW.seq - 1 AND hash = ''))
)
BEGIN
  SELECT RAISE(ABORT, 'audit entries follow one another');
END;
