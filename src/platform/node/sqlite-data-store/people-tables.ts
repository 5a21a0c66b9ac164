/** Who may log in, and who is logged in. `identity` is as `identityOf` makes it. */
export const peopleTables = (): string => `
  CREATE TABLE people (id TEXT PRIMARY KEY, identity TEXT NOT NULL UNIQUE, entry BLOB NOT NULL) STRICT;
  CREATE TABLE members (
    id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    organization_id TEXT NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX members_by_person ON members (person_id);
  CREATE INDEX members_by_organization ON members (organization_id);
  CREATE TABLE passkeys (id TEXT PRIMARY KEY, person_id TEXT NOT NULL REFERENCES people (id), entry BLOB NOT NULL) STRICT;
  CREATE INDEX passkeys_by_person ON passkeys (person_id);
  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    email TEXT NOT NULL,
    expires REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX invitations_by_organization ON invitations (organization_id);
  CREATE INDEX invitations_by_email ON invitations (email);
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL,
    member_id TEXT NOT NULL REFERENCES members (id),
    until REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_person ON sessions (person_id);
  CREATE INDEX sessions_by_member ON sessions (member_id);
  CREATE INDEX sessions_by_end ON sessions (until);
  `;
