-- Documents that were fetched from an address are asked again on the schedule of their base. `fetched_at`: when the address
-- last answered, null for what was uploaded; `fetch_after`: not before, while a job has it or after it failed; `missed`:
-- answers in a row that said it is gone.
ALTER TABLE knowledge_bases ADD COLUMN refresh TEXT NOT NULL DEFAULT 'off';
ALTER TABLE documents ADD COLUMN fetched_at INTEGER;
ALTER TABLE documents ADD COLUMN fetch_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN etag TEXT;
ALTER TABLE documents ADD COLUMN last_modified TEXT;
ALTER TABLE documents ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN gone_at INTEGER;
CREATE INDEX knowledge_bases_refreshed ON knowledge_bases (refresh) WHERE refresh <> 'off';
CREATE INDEX documents_fetched ON documents (tenant_id, base_id, fetched_at) WHERE fetched_at IS NOT NULL;
-- What was fetched until now: its path begins with the host of its address.
UPDATE documents SET fetched_at = updated_at
WHERE substr(path, 1, instr(path || '/', '/') - 1) =
  substr(source_url, instr(source_url, '://') + 3, instr(substr(source_url, instr(source_url, '://') + 3) || '/', '/') - 1);
