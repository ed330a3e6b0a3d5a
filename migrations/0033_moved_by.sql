-- The order of its tenant that last moved an enrollment: by this the order finds whom it moved when it is taken back.
ALTER TABLE storyline_enrollments ADD COLUMN moved_by TEXT;
CREATE INDEX storyline_enrollments_moved ON storyline_enrollments (moved_by, id) WHERE moved_by IS NOT NULL;
