import type { AccessStore, Organization } from '../../../data-service/face/accounts.ts';
import {
  type AccessKind,
  alreadyExists,
  type ChangedEntries,
  changesOf,
  changesOfDatabaseUser,
  changesOfRefusedLogIns,
  changesOfSecret,
  notFound,
  withQuota,
} from '../../../data-service/face/stores.ts';
import { byName, type Micros } from '../../../data-service/face/captures.ts';
import type { Steps } from '../steps.ts';
import type { Keep, Table, TableStore, WriteTables } from '../tables.ts';
import {
  auditRows,
  databaseUsers,
  installationSecrets,
  keys,
  locations,
  organizations,
  parts,
  tokenRenewals,
} from './entity-tables.ts';

type OfOrganization<Entry> = Table<Entry, 'organizationId' | 'id'>;

export function accessStore(store: TableStore, keep: Keep): AccessStore {
  /** An id is one entry's in all organizations together, which no key of a table may say. */
  function* create<Kind extends AccessKind>(
    tables: WriteTables,
    table: Table<ChangedEntries[Kind], 'id'>,
    kind: Kind,
    entry: ChangedEntries[Kind],
  ): Steps<void> {
    yield* tables.lock(`ids of ${kind}s`, entry.id);
    const isTaken = (yield* tables.find(table, { id: entry.id })) !== null;
    if (isTaken || !(yield* tables.insert(table, entry))) throw alreadyExists(kind, entry.id);
    yield* keep(tables, changesOf(kind, null, entry));
  }
  function* requireOrganization(tables: WriteTables, id: string): Steps<Organization> {
    const organization = yield* tables.find(organizations, { id }, 'change');
    if (organization === null) throw notFound('organization', id);
    return organization;
  }
  const find = <Entry>(table: Table<Entry, 'id'>, id: string): Promise<Entry | null> =>
    store.read([table], (tables) => tables.find(table, { id }));
  const listOf = async <Entry extends { readonly id: string; readonly name: string }>(
    table: OfOrganization<Entry>,
    organizationId: string,
  ): Promise<readonly Entry[]> =>
    (await store.read([table], (tables) => tables.list(table, { where: { organizationId } }))).toSorted(byName);
  const remove = <Kind extends Exclude<AccessKind, 'organization'>>(
    table: OfOrganization<ChangedEntries[Kind]>,
    kind: Kind,
    id: string,
  ): Promise<void> =>
    store.write([table, auditRows], function* (tables) {
      const entry = yield* tables.find(table, { id });
      if (entry === null) throw notFound(kind, id);
      const { organizationId } = entry as { readonly organizationId: string };
      // where two delete it at once, one finds it gone
      if ((yield* tables.delete(table, { where: { organizationId, id } })) === 0) throw notFound(kind, id);
      yield* keep(tables, changesOf(kind, entry, null));
    });
  const changeOrganization = (id: string, change: (organization: Organization) => Organization): Promise<void> =>
    store.write([organizations, auditRows], function* (tables) {
      const organization = yield* requireOrganization(tables, id);
      const changed = change(organization);
      yield* tables.replace(organizations, changed);
      yield* keep(tables, changesOf('organization', organization, changed));
    });

  return {
    createOrganization: (organization) =>
      store.write([organizations, auditRows], (tables) => create(tables, organizations, 'organization', organization)),
    getOrganization: (id) => find(organizations, id),
    listOrganizations: async () =>
      (await store.read([organizations], (tables) => tables.list(organizations, { where: {} }))).toSorted(byName),
    renameOrganization: (id, name) => changeOrganization(id, (organization) => ({ ...organization, name })),
    setQuota: (id, quotaBytes) => changeOrganization(id, (organization) => withQuota(organization, quotaBytes)),
    noteRefusedLogIns: (refused) => store.write([auditRows], (tables) => keep(tables, changesOfRefusedLogIns(refused))),

    createLocation: (location) =>
      store.write([organizations, locations, auditRows], function* (tables) {
        yield* requireOrganization(tables, location.organizationId);
        yield* create(tables, locations, 'location', location);
      }),
    getLocation: (id) => find(locations, id),
    listLocations: (organizationId) => listOf(locations, organizationId),

    createPart: (part) =>
      store.write([locations, parts, auditRows], function* (tables) {
        const { locationId: id, organizationId } = part;
        if ((yield* tables.find(locations, { organizationId, id })) === null) throw notFound('location', id);
        yield* create(tables, parts, 'part', part);
      }),
    getPart: (id) => find(parts, id),
    listParts: (organizationId) => listOf(parts, organizationId),
    deletePart: (id) => remove(parts, 'part', id),

    createKey: (key) =>
      store.write([organizations, keys, auditRows], function* (tables) {
        yield* requireOrganization(tables, key.organizationId);
        yield* create(tables, keys, 'key', key);
      }),
    getKey: (id) => find(keys, id),
    listKeys: (organizationId) => listOf(keys, organizationId),
    deleteKey: (id) => remove(keys, 'key', id),

    ...tokenStore(store),

    putDatabaseUser: (user) =>
      store.write([databaseUsers, auditRows], function* (tables) {
        const former = yield* tables.find(databaseUsers, { organizationId: user.organizationId }, 'change');
        yield* put(tables, databaseUsers, user);
        yield* keep(tables, changesOfDatabaseUser(former, user));
      }),
    getDatabaseUser: (organizationId) =>
      store.read([databaseUsers], (tables) => tables.find(databaseUsers, { organizationId })),

    async installationSecret(name, candidate) {
      const known = await store.read([installationSecrets], (tables) => tables.find(installationSecrets, { name }));
      if (known !== null) return known.secret;
      return store.write([installationSecrets], function* (tables) {
        const isFirst = yield* tables.insert(installationSecrets, { name, secret: candidate });
        return isFirst ? candidate : (yield* tables.find(installationSecrets, { name }))!.secret;
      });
    },
    replaceInstallationSecret: (name, secret) =>
      store.write([installationSecrets, organizations, auditRows], function* (tables) {
        yield* put(tables, installationSecrets, { name, secret });
        const all = yield* tables.list(organizations, { where: {} });
        yield* keep(
          tables,
          changesOfSecret(
            name,
            all.map(({ id }) => id),
          ),
        );
      }),
  };
}

/** Until when tokens are good, or have been used. */
function tokenStore(store: TableStore): Pick<AccessStore, 'tokenRenewal' | 'renewToken' | 'useOnce'> {
  function* forgetOutdated(tables: WriteTables, now: Micros): Steps<void> {
    yield* tables.delete(tokenRenewals, { where: {}, order: ['until'], upTo: [now] });
  }
  return {
    async tokenRenewal(token) {
      const found = await store.read([tokenRenewals], (tables) => tables.find(tokenRenewals, { token }));
      return found?.until ?? null;
    },
    renewToken: (token, until, now) =>
      store.write([tokenRenewals], function* (tables) {
        const known = yield* tables.find(tokenRenewals, { token }, 'change');
        const renewed = { token, until: Math.max(until, known?.until ?? -Infinity) };
        yield* known === null ? put(tables, tokenRenewals, renewed) : tables.replace(tokenRenewals, renewed);
        yield* forgetOutdated(tables, now);
      }),
    useOnce: (token, until, now) =>
      store.write([tokenRenewals], function* (tables) {
        yield* forgetOutdated(tables, now);
        return yield* tables.insert(tokenRenewals, { token, until });
      }),
  };
}

/** Adds or replaces. */
function* put<Entry, Field extends string>(tables: WriteTables, table: Table<Entry, Field>, entry: Entry): Steps<void> {
  if (!(yield* tables.insert(table, entry))) yield* tables.replace(table, entry);
}
