-- The vectors of a document's searched text: whose they are, how many chunks have one (from the first on), whether the
-- index has processed the last call that stored some, and when embedding is asked for again.
ALTER TABLE documents ADD COLUMN embedder TEXT;
ALTER TABLE documents ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN vectors TEXT NOT NULL DEFAULT 'none';
ALTER TABLE documents ADD COLUMN vector_mutation TEXT;
ALTER TABLE documents ADD COLUMN vectors_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN embed_after INTEGER NOT NULL DEFAULT 0;
CREATE INDEX documents_by_embedder ON documents (status, embedder);
CREATE INDEX documents_unembedded ON documents (status, embed_after) WHERE vectors = 'none';
CREATE INDEX documents_unconfirmed ON documents (vectors_at) WHERE vectors = 'pending';
