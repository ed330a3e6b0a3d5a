-- What a user says of themself. Name and contacts are sealed under the user's own key, so deleting that key makes every copy unreadable.
CREATE TABLE user_profiles (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  tenant_id TEXT NOT NULL,
  pref_name TEXT,
  contact_email TEXT,
  contact_phone TEXT,
  pref_city TEXT,
  pref_timezone TEXT,
  updated_at INTEGER NOT NULL
);
