-- Until a committed merge is carried through, ids of the merged space lead to where they still are.
ALTER TABLE space_merges ADD COLUMN source_tag INTEGER;
ALTER TABLE space_tags ADD COLUMN merge_id TEXT;
