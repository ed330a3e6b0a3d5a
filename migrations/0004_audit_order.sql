-- An entry can neither be put in place of another (which fires no delete trigger) nor leave a gap.
CREATE TRIGGER audit_in_order BEFORE INSERT ON audit
WHEN NEW.seq IS NOT NULL AND NEW.seq <> 1 + coalesce(
  (SELECT max(seq) FROM audit WHERE tenant_id = NEW.tenant_id),
  (SELECT seq FROM audit_anchors WHERE tenant_id = NEW.tenant_id),
  0
)
BEGIN
  SELECT RAISE(ABORT, 'audit entries follow one another');
END;
