-- Which of a document's versions is the later one: a version is a digest, and may come back.
ALTER TABLE documents ADD COLUMN edition INTEGER NOT NULL DEFAULT 0;
