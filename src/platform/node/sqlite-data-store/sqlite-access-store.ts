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
import { EntryTable } from './entry-table.ts';
import type { KeepChanges } from './sqlite-audit-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Who there is, in tables. */
export function accessTables(database: SqliteDatabase) {
  const ofOrganization = ({ id, organizationId }: { readonly id: string; readonly organizationId: string }) => ({
    id,
    organization_id: organizationId,
  });
  return {
    organizations: new EntryTable<Organization>(database, 'organizations', ({ id }) => ({ id })),
    locations: new EntryTable<Location>(database, 'locations', ofOrganization),
    parts: new EntryTable<Part>(database, 'parts', (part) => ({
      ...ofOrganization(part),
      location_id: part.locationId,
    })),
    keys: new EntryTable<ApiKey>(database, 'keys', ofOrganization),
    users: new EntryTable<DatabaseUser>(database, 'database_users', ({ organizationId }) => ({
      organization_id: organizationId,
    })),
  };
}

export function sqliteAccessStore(database: SqliteDatabase, keep: KeepChanges): AccessStore {
  const { organizations, locations, parts, keys, users } = accessTables(database);

  const create = <Kind extends AccessKind>(
    table: EntryTable<ChangedEntries[Kind]>,
    kind: Kind,
    entry: ChangedEntries[Kind],
  ): void => {
    if (table.find({ id: entry.id })) throw alreadyExists(kind, entry.id);
    table.insert(entry);
    keep(changesOf(kind, null, entry));
  };
  const requireOrganization = (id: string): Organization => {
    const organization = organizations.find({ id });
    if (organization === undefined) throw notFound('organization', id);
    return organization;
  };
  const installationSecretOf = (name: string): Uint8Array | null => {
    const row = database.get('SELECT secret FROM installation_secrets WHERE name = ?', name);
    return (row?.['secret'] as Uint8Array | undefined) ?? null;
  };
  const find = <Entry>(table: EntryTable<Entry>, id: string): Promise<Entry | null> =>
    database.read(() => table.find({ id }) ?? null);
  const listOf = <Entry extends { readonly id: string; readonly name: string }>(
    table: EntryTable<Entry>,
    organizationId: string,
  ): Promise<readonly Entry[]> => database.read(() => table.list({ organization_id: organizationId }).sort(byName));
  const remove = <Kind extends AccessKind>(
    table: EntryTable<ChangedEntries[Kind]>,
    kind: Kind,
    id: string,
  ): Promise<void> =>
    database.write(() => {
      const entry = table.find({ id });
      if (entry === undefined) throw notFound(kind, id);
      table.delete({ id });
      keep(changesOf(kind, entry, null));
    });
  const changeOrganization = (id: string, change: (organization: Organization) => Organization): Promise<void> =>
    database.write(() => {
      const organization = requireOrganization(id);
      const changed = change(organization);
      organizations.replace(changed, { id });
      keep(changesOf('organization', organization, changed));
    });

  return {
    createOrganization: (organization) => database.write(() => create(organizations, 'organization', organization)),
    getOrganization: (id) => find(organizations, id),
    listOrganizations: () => database.read(() => organizations.list({}).sort(byName)),
    renameOrganization: (id, name) => changeOrganization(id, (organization) => ({ ...organization, name })),
    setQuota: (id, quotaBytes) => changeOrganization(id, (organization) => withQuota(organization, quotaBytes)),
    noteRefusedLogIns: (refused) => database.write(() => keep(changesOfRefusedLogIns(refused))),

    createLocation: (location) =>
      database.write(() => {
        requireOrganization(location.organizationId);
        create(locations, 'location', location);
      }),
    getLocation: (id) => find(locations, id),
    listLocations: (organizationId) => listOf(locations, organizationId),

    createPart: (part) =>
      database.write(() => {
        if (locations.find({ id: part.locationId })?.organizationId !== part.organizationId) {
          throw notFound('location', part.locationId);
        }
        create(parts, 'part', part);
      }),
    getPart: (id) => find(parts, id),
    listParts: (organizationId) => listOf(parts, organizationId),
    deletePart: (id) => remove(parts, 'part', id),

    createKey: (key) =>
      database.write(() => {
        requireOrganization(key.organizationId);
        create(keys, 'key', key);
      }),
    getKey: (id) => find(keys, id),
    listKeys: (organizationId) => listOf(keys, organizationId),
    deleteKey: (id) => remove(keys, 'key', id),

    tokenRenewal: (tokenId) =>
      database.read(() => {
        const row = database.get('SELECT until FROM token_renewals WHERE token = ?', tokenId);
        return (row?.['until'] as number | undefined) ?? null;
      }),
    renewToken: (tokenId, until, now) =>
      database.write(() => {
        database.run(
          'INSERT INTO token_renewals VALUES (?, ?) ON CONFLICT DO UPDATE SET until = max(until, excluded.until)',
          tokenId,
          until,
        );
        database.run('DELETE FROM token_renewals WHERE until <= ?', now);
      }),
    useOnce: (tokenId, until, now) =>
      database.write(() => {
        database.run('DELETE FROM token_renewals WHERE until <= ?', now);
        return (
          database.run('INSERT INTO token_renewals VALUES (?, ?) ON CONFLICT DO NOTHING', tokenId, until).changes === 1
        );
      }),

    putDatabaseUser: (user) =>
      database.write(() => {
        const former = users.find({ organization_id: user.organizationId }) ?? null;
        users.delete({ organization_id: user.organizationId });
        users.insert(user);
        keep(changesOfDatabaseUser(former, user));
      }),
    getDatabaseUser: (organizationId) => database.read(() => users.find({ organization_id: organizationId }) ?? null),

    installationSecret: async (name, candidate) =>
      (await database.read(() => installationSecretOf(name))) ??
      database.write(() => {
        database.run('INSERT INTO installation_secrets VALUES (?, ?) ON CONFLICT DO NOTHING', name, candidate);
        return installationSecretOf(name)!;
      }),
    replaceInstallationSecret: (name, secret) =>
      database.write(() => {
        database.run('INSERT OR REPLACE INTO installation_secrets VALUES (?, ?)', name, secret);
        const ids = organizations.list({}).map(({ id }) => id);
        keep(changesOfSecret(name, ids));
      }),
  };
}
