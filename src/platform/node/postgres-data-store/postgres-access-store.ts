import type {
  AccessStore,
  ApiKey,
  DatabaseUser,
  Location,
  Organization,
  Part,
} from '../../../data-service/ports/access-store.ts';
import {
  changesOf,
  changesOfDatabaseUser,
  changesOfRefusedLogIns,
  changesOfSecret,
  type AccessKind,
  type ChangedEntries,
} from '../../../data-service/ports/describe-changes.ts';
import { byName } from '../../../data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { withQuota } from '../../../data-service/ports/usage-store.ts';
import { advisoryLock } from './advisory-lock.ts';
import { EntryTable } from './entry-table.ts';
import type { KeepChanges } from './postgres-audit-store.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

interface OfOrganization {
  readonly id: string;
  readonly organizationId: string;
}

type KindOfOrganization = Exclude<AccessKind, 'organization'>;

const key = ({ id, organizationId }: OfOrganization) => ({ organization_id: textKey(organizationId), id: textKey(id) });
const keyOfOrganization = (id: string) => ({ organization_id: textKey(id) });

/** Who there is, in tables. */
export const accessTables = {
  organizations: new EntryTable<Organization>('organizations', { key: ({ id }) => keyOfOrganization(id) }),
  locations: new EntryTable<Location>('locations', { key }),
  parts: new EntryTable<Part>('parts', { key }),
  keys: new EntryTable<ApiKey>('keys', { key }),
  users: new EntryTable<DatabaseUser>('database_users', {
    key: ({ organizationId }) => keyOfOrganization(organizationId),
  }),
};

const { organizations, locations, parts, keys, users } = accessTables;

export function postgresAccessStore(database: PostgresDatabase, keep: KeepChanges): AccessStore {
  /** An id is one entry's in all organizations together, which no key of the table says: its organization comes first. */
  const create = async <Kind extends KindOfOrganization>(
    statements: Statements,
    table: EntryTable<ChangedEntries[Kind]>,
    kind: Kind,
    entry: ChangedEntries[Kind],
  ): Promise<void> => {
    await advisoryLock(statements, `ids of ${kind}s`, entry.id);
    if ((await table.find(statements, { id: textKey(entry.id) })) !== null) throw alreadyExists(kind, entry.id);
    await table.insert(statements, entry);
    await keep(statements, changesOf(kind, null, entry));
  };
  const requireOrganization = async (statements: Statements, id: string): Promise<Organization> => {
    const organization = await organizations.find(statements, keyOfOrganization(id), 'FOR UPDATE');
    if (organization === null) throw notFound('organization', id);
    return organization;
  };
  const find = <Entry>(table: EntryTable<Entry>, id: string): Promise<Entry | null> =>
    table.find(database, { id: textKey(id) });
  const listOf = async <Entry extends { readonly id: string; readonly name: string }>(
    table: EntryTable<Entry>,
    organizationId: string,
  ): Promise<readonly Entry[]> => (await table.list(database, keyOfOrganization(organizationId))).sort(byName);
  const remove = <Kind extends KindOfOrganization>(
    table: EntryTable<ChangedEntries[Kind]>,
    kind: Kind,
    id: string,
  ): Promise<void> =>
    database.write(async (statements) => {
      const entry = await table.find(statements, { id: textKey(id) });
      // of two that delete it at once, one finds it gone
      if (entry === null || (await table.delete(statements, key(entry))) === 0) throw notFound(kind, id);
      await keep(statements, changesOf(kind, entry, null));
    });
  const changeOrganization = (id: string, change: (organization: Organization) => Organization): Promise<void> =>
    database.write(async (statements) => {
      const organization = await requireOrganization(statements, id);
      const changed = change(organization);
      await organizations.replace(statements, changed);
      await keep(statements, changesOf('organization', organization, changed));
    });
  const secretOf = async (name: string): Promise<Uint8Array | null> => {
    const [row] = await database.rows('SELECT secret FROM installation_secrets WHERE name = $1', name);
    return row === undefined ? null : Uint8Array.from(row['secret'] as Uint8Array);
  };

  return {
    createOrganization: (organization) =>
      database.write(async (statements) => {
        if (!(await organizations.insert(statements, organization))) {
          throw alreadyExists('organization', organization.id);
        }
        await keep(statements, changesOf('organization', null, organization));
      }),
    getOrganization: (id) => organizations.find(database, keyOfOrganization(id)),
    listOrganizations: async () => (await organizations.list(database, {})).sort(byName),
    renameOrganization: (id, name) => changeOrganization(id, (organization) => ({ ...organization, name })),
    setQuota: (id, quotaBytes) => changeOrganization(id, (organization) => withQuota(organization, quotaBytes)),
    noteRefusedLogIns: (refused) => database.write((statements) => keep(statements, changesOfRefusedLogIns(refused))),

    createLocation: (location) =>
      database.write(async (statements) => {
        await requireOrganization(statements, location.organizationId);
        await create(statements, locations, 'location', location);
      }),
    getLocation: (id) => find(locations, id),
    listLocations: (organizationId) => listOf(locations, organizationId),

    createPart: (part) =>
      database.write(async (statements) => {
        const { locationId, organizationId } = part;
        if ((await locations.find(statements, key({ id: locationId, organizationId }))) === null) {
          throw notFound('location', locationId);
        }
        await create(statements, parts, 'part', part);
      }),
    getPart: (id) => find(parts, id),
    listParts: (organizationId) => listOf(parts, organizationId),
    deletePart: (id) => remove(parts, 'part', id),

    createKey: (created) =>
      database.write(async (statements) => {
        await requireOrganization(statements, created.organizationId);
        await create(statements, keys, 'key', created);
      }),
    getKey: (id) => find(keys, id),
    listKeys: (organizationId) => listOf(keys, organizationId),
    deleteKey: (id) => remove(keys, 'key', id),

    async tokenRenewal(tokenId) {
      const [row] = await database.rows('SELECT until FROM token_renewals WHERE token = $1', textKey(tokenId));
      return (row?.['until'] as number | undefined) ?? null;
    },
    renewToken: (tokenId, until, now) =>
      database.write(async (statements) => {
        await statements.run(
          `INSERT INTO token_renewals VALUES ($1, $2)
           ON CONFLICT (token) DO UPDATE SET until = greatest(token_renewals.until, excluded.until)`,
          textKey(tokenId),
          until,
        );
        await statements.run('DELETE FROM token_renewals WHERE until <= $1', now);
      }),
    useOnce: (tokenId, until, now) =>
      database.write(async (statements) => {
        await statements.run('DELETE FROM token_renewals WHERE until <= $1', now);
        const sql = 'INSERT INTO token_renewals VALUES ($1, $2) ON CONFLICT (token) DO NOTHING';
        return (await statements.run(sql, textKey(tokenId), until)) === 1;
      }),

    putDatabaseUser: (user) =>
      database.write(async (statements) => {
        const former = await users.find(statements, keyOfOrganization(user.organizationId), 'FOR UPDATE');
        if (!(await users.insert(statements, user))) await users.replace(statements, user);
        await keep(statements, changesOfDatabaseUser(former, user));
      }),
    getDatabaseUser: (organizationId) => users.find(database, keyOfOrganization(organizationId)),

    async installationSecret(name, candidate) {
      const kept = await secretOf(name);
      if (kept !== null) return kept;
      await database.write((statements) =>
        statements.run(
          'INSERT INTO installation_secrets VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
          name,
          candidate,
        ),
      );
      return (await secretOf(name))!;
    },
    replaceInstallationSecret: (name, secret) =>
      database.write(async (statements) => {
        await statements.run(
          `INSERT INTO installation_secrets VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET secret = excluded.secret`,
          name,
          secret,
        );
        const ids = (await organizations.list(statements, {})).map(({ id }) => id);
        await keep(statements, changesOfSecret(name, ids));
      }),
  };
}
