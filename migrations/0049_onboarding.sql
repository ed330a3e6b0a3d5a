-- When a user agreed to the tenant's terms, and the SHA-256 of the text that was shown.
ALTER TABLE user_profiles ADD COLUMN consent_at INTEGER;
ALTER TABLE user_profiles ADD COLUMN consent_hash TEXT;
