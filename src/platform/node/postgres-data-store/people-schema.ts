/**
 * Who may log in, and who is logged in. `identity` is as `identityOf` makes it. Like secrets, these tables belong to the whole
 * installation: their columns are called `organization`, since tables with an `organization_id` are distributed over Citus's workers.
 */
export function peopleTables(): string {
  return `
  CREATE TABLE people (id text COLLATE "C" PRIMARY KEY, identity text COLLATE "C" NOT NULL UNIQUE, entry bytea NOT NULL);
  CREATE TABLE members (
    id text COLLATE "C" PRIMARY KEY,
    person_id text COLLATE "C" NOT NULL REFERENCES people (id),
    organization text COLLATE "C" NOT NULL,
    entry bytea NOT NULL
  );
  CREATE INDEX members_by_person ON members (person_id);
  CREATE INDEX members_by_organization ON members (organization);
  CREATE TABLE passkeys (
    id text COLLATE "C" PRIMARY KEY,
    person_id text COLLATE "C" NOT NULL REFERENCES people (id),
    entry bytea NOT NULL
  );
  CREATE INDEX passkeys_by_person ON passkeys (person_id);
  CREATE TABLE invitations (
    id text COLLATE "C" PRIMARY KEY,
    token_hash text COLLATE "C" NOT NULL UNIQUE,
    organization text COLLATE "C" NOT NULL,
    email text COLLATE "C" NOT NULL,
    expires double precision NOT NULL,
    entry bytea NOT NULL
  );
  CREATE INDEX invitations_by_organization ON invitations (organization);
  CREATE INDEX invitations_by_email ON invitations (email);
  CREATE TABLE sessions (
    id text COLLATE "C" PRIMARY KEY,
    person_id text COLLATE "C" NOT NULL,
    member_id text COLLATE "C" NOT NULL REFERENCES members (id),
    until double precision NOT NULL,
    entry bytea NOT NULL
  );
  CREATE INDEX sessions_by_person ON sessions (person_id);
  CREATE INDEX sessions_by_member ON sessions (member_id);
  CREATE INDEX sessions_by_end ON sessions (until);
  `;
}
