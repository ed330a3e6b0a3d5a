-- Tools of a remote server that a user confirms before they are called: a list of their names, or "all".
ALTER TABLE mcp_servers ADD COLUMN confirm TEXT NOT NULL DEFAULT '[]';
