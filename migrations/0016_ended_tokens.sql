-- Whatever raises a user's token version leaves this mark behind: the version that the user's objects were told of is
-- lower. Those raised before are told again once, since nobody noted whether that was finished.
ALTER TABLE users ADD COLUMN told_version INTEGER NOT NULL DEFAULT 1;
CREATE INDEX users_untold ON users (id) WHERE told_version < token_version AND status = 'active';
