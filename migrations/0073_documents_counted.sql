-- What lists of bases count of their documents, a hundred bases with thousands each: read without the documents themselves.
CREATE INDEX documents_counted ON documents (tenant_id, base_id, chunk_count, status, progress);
