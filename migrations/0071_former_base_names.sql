-- Names that a base had: published storylines never change, and go on to name it so.
ALTER TABLE knowledge_bases ADD COLUMN former_names TEXT NOT NULL DEFAULT '[]';
