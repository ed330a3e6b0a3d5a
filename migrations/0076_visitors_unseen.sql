-- Visitors who took a token and did nothing with it, the oldest first: once the token has ended they go.
CREATE INDEX users_unseen ON users (created_at) WHERE source = 'anonymous' AND last_active_at = created_at AND status = 'active';
