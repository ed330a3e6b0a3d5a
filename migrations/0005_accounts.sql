-- Sign-in: native accounts, identities at providers, single-use tokens; and the tenant's settings that they stand on.

ALTER TABLE users ADD COLUMN lang TEXT;

-- One account per (tenant, e-mail). `email` is sealed under the user's key, `email_index` is the tenant's blind index of
-- it. `password` is null where the user only signs in through providers. `visitor_id` is the anonymous user whose
-- remembered points belong to this account.
CREATE TABLE accounts (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  email_index TEXT NOT NULL,
  email TEXT NOT NULL,
  email_verified INTEGER NOT NULL DEFAULT 0,
  password TEXT,
  visitor_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, email_index)
);

-- `subject` is the tenant's blind index of the provider's own id of the person.
CREATE TABLE identities (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, provider, subject)
) WITHOUT ROWID;
CREATE INDEX identities_by_user ON identities (user_id);

-- `id` is that of the job that sends the link (a repeat replaces the hash), `hash` the SHA-256 of the token. `binding` and
-- `data` serve a sign-in at a provider: the browser that began it, and what it began (sealed under the tenant's key).
CREATE TABLE one_time_tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  purpose TEXT NOT NULL,
  user_id TEXT,
  binding TEXT,
  data TEXT,
  expires_at INTEGER NOT NULL,
  sent_at INTEGER,
  used_at INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_id, purpose) WHERE user_id IS NOT NULL;
CREATE INDEX one_time_tokens_by_age ON one_time_tokens (expires_at);

-- File name of the logo below the tenant's prefix: its id and the extension of its checked type.
ALTER TABLE tenants ADD COLUMN logo TEXT;

-- `password` is sealed under the tenant's key and serves this host alone.
CREATE TABLE tenant_smtp (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  user TEXT NOT NULL,
  password TEXT,
  from_addr TEXT NOT NULL,
  starttls INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

-- A provider may be switched on before or after its credentials are set. `client_secret` is sealed under the tenant's key.
CREATE TABLE tenant_oauth (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  provider TEXT NOT NULL,
  client_id TEXT,
  client_secret TEXT,
  enabled INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, provider)
) WITHOUT ROWID;
