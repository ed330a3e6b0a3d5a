-- What users used in the last day is summed when a list in its order is read, tenant by tenant.
DROP INDEX users_tokens_due;
CREATE INDEX users_tokens_due ON users (tenant_id, tokens_24h_until) WHERE tokens_24h_until IS NOT NULL;
