-- As of bases: what a revision names is found again when it is restored.
ALTER TABLE mcp_servers ADD COLUMN former_names TEXT NOT NULL DEFAULT '[]';
