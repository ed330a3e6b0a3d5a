-- Whether readers of an answer may have the originals of a base, and whether its search is reranked by a model.
ALTER TABLE knowledge_bases ADD COLUMN downloads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_bases ADD COLUMN rerank INTEGER NOT NULL DEFAULT 0;
