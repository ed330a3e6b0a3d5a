-- A base's own object has its vectors, so nothing of a document waits for the vector index. Those that only the index has
-- are made again.
UPDATE documents SET embedder = NULL, embedded = 0, vectors = 'none', embed_after = 0
WHERE vector_mutation IS NOT NULL;
DROP INDEX documents_unconfirmed;
ALTER TABLE documents DROP COLUMN vector_mutation;
ALTER TABLE documents DROP COLUMN vectors_at;
