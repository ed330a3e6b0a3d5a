-- Tokens that one user may use in a day; null for no such ceiling.
ALTER TABLE tenants ADD COLUMN daily_tokens_per_user INTEGER;
