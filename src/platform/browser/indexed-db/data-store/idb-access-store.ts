import type { AccessStore, Organization } from '../../../../data-service/ports/access-store.ts';
import {
  changesOf,
  changesOfDatabaseUser,
  changesOfRefusedLogIns,
  changesOfSecret,
  type AccessKind,
  type ChangedEntries,
} from '../../../../data-service/ports/describe-changes.ts';
import { byName } from '../../../../data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../../../data-service/ports/store-refusals.ts';
import { withQuota } from '../../../../data-service/ports/usage-store.ts';
import type { KeepChanges } from './idb-audit-store.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { KnownParts } from './known-parts.ts';
import type { Micros } from '../../../../data-service/ports/stored-captures.ts';
import type { WriteTransaction } from './schema.ts';

type Tables = { readonly [Kind in AccessKind as `${Kind}s`]: ChangedEntries[Kind] };
type Owned = Exclude<keyof Tables, 'organizations'>;

async function forgetOutdated(transaction: WriteTransaction, now: Micros): Promise<void> {
  const renewals = transaction.objectStore('tokenRenewals');
  for (const id of await renewals.getAllKeys()) if ((await renewals.get(id))! <= now) await renewals.delete(id);
}

/** Whoever lets go of the database forgets `parts`. */
export function idbAccessStore(database: IdbDatabase, parts: KnownParts, keep: KeepChanges): AccessStore {
  const get = <Name extends keyof Tables>(name: Name, id: string): Promise<Tables[Name] | null> =>
    database.read([name], async (transaction) => {
      return ((await transaction.objectStore(name).get(id)) as Tables[Name] | undefined) ?? null;
    });
  const listOf = <Name extends Owned>(name: Name, organizationId: string): Promise<readonly Tables[Name][]> =>
    database.read([name], async (transaction) => {
      const entries = await transaction
        .objectStore(name)
        .index('organization')
        .getAll(IDBKeyRange.only(organizationId));
      return (entries as Tables[Name][]).sort(byName);
    });
  const add = async <Kind extends AccessKind>(
    transaction: WriteTransaction,
    kind: Kind,
    entry: ChangedEntries[Kind],
  ): Promise<void> => {
    const store = transaction.objectStore<keyof Tables>(`${kind}s`);
    if ((await store.getKey(entry.id)) !== undefined) throw alreadyExists(kind, entry.id);
    await (store as { add(entry: ChangedEntries[Kind]): Promise<unknown> }).add(entry);
    await keep(transaction, changesOf(kind, null, entry));
  };
  const remove = <Kind extends Exclude<AccessKind, 'organization'>>(kind: Kind, id: string): Promise<void> =>
    database.write([`${kind}s`, 'auditRows'], async (transaction) => {
      const store = transaction.objectStore<Owned>(`${kind}s`);
      const entry = (await store.get(id)) as ChangedEntries[Kind] | undefined;
      if (entry === undefined) throw notFound(kind, id);
      await store.delete(id);
      await keep(transaction, changesOf(kind, entry, null));
    });
  const changeOrganization = (id: string, change: (organization: Organization) => Organization): Promise<void> =>
    database.write(['organizations', 'auditRows'], async (transaction) => {
      const organization = await requireOrganization(transaction, id);
      const changed = change(organization);
      await transaction.objectStore('organizations').put(changed);
      await keep(transaction, changesOf('organization', organization, changed));
    });
  const requireOrganization = async (transaction: WriteTransaction, id: string): Promise<Organization> => {
    const organization = await transaction.objectStore('organizations').get(id);
    if (organization === undefined) throw notFound('organization', id);
    return organization;
  };

  return {
    createOrganization: (organization) =>
      database.write(['organizations', 'auditRows'], (transaction) => add(transaction, 'organization', organization)),
    getOrganization: (id) => get('organizations', id),
    listOrganizations: () =>
      database.read(['organizations'], async (transaction) =>
        (await transaction.objectStore('organizations').getAll()).sort(byName),
      ),
    renameOrganization: (id, name) => changeOrganization(id, (organization) => ({ ...organization, name })),
    setQuota: (id, quotaBytes) => changeOrganization(id, (organization) => withQuota(organization, quotaBytes)),
    noteRefusedLogIns: (refused) =>
      database.write(['auditRows'], (transaction) => keep(transaction, changesOfRefusedLogIns(refused))),

    createLocation: (location) =>
      database.write(['organizations', 'locations', 'auditRows'], async (transaction) => {
        await requireOrganization(transaction, location.organizationId);
        await add(transaction, 'location', location);
      }),
    getLocation: (id) => get('locations', id),
    listLocations: (organizationId) => listOf('locations', organizationId),

    createPart: (part) =>
      database.write(['locations', 'parts', 'auditRows'], async (transaction) => {
        const location = await transaction.objectStore('locations').get(part.locationId);
        if (location?.organizationId !== part.organizationId) throw notFound('location', part.locationId);
        await add(transaction, 'part', part);
      }),
    getPart: (id) => parts.get(id, () => get('parts', id)),
    listParts: (organizationId) => listOf('parts', organizationId),
    async deletePart(id) {
      await remove('part', id);
      parts.delete(id);
    },

    createKey: (key) =>
      database.write(['organizations', 'keys', 'auditRows'], async (transaction) => {
        await requireOrganization(transaction, key.organizationId);
        await add(transaction, 'key', key);
      }),
    getKey: (id) => get('keys', id),
    listKeys: (organizationId) => listOf('keys', organizationId),
    deleteKey: (id) => remove('key', id),

    tokenRenewal: (tokenId) =>
      database.read(
        ['tokenRenewals'],
        async (transaction) => (await transaction.objectStore('tokenRenewals').get(tokenId)) ?? null,
      ),
    renewToken: (tokenId, until, now) =>
      database.write(['tokenRenewals'], async (transaction) => {
        const renewals = transaction.objectStore('tokenRenewals');
        await renewals.put(Math.max(until, (await renewals.get(tokenId)) ?? -Infinity), tokenId);
        await forgetOutdated(transaction, now);
      }),
    useOnce: (tokenId, until, now) =>
      database.write(['tokenRenewals'], async (transaction) => {
        const used = transaction.objectStore('tokenRenewals');
        await forgetOutdated(transaction, now);
        if ((await used.get(tokenId)) !== undefined) return false;
        await used.put(until, tokenId);
        return true;
      }),

    putDatabaseUser: (user) =>
      database.write(['databaseUsers', 'auditRows'], async (transaction) => {
        const users = transaction.objectStore('databaseUsers');
        const former = (await users.get(user.organizationId)) ?? null;
        await users.put(user);
        await keep(transaction, changesOfDatabaseUser(former, user));
      }),
    getDatabaseUser: (organizationId) =>
      database.read(
        ['databaseUsers'],
        async (transaction) => (await transaction.objectStore('databaseUsers').get(organizationId)) ?? null,
      ),

    installationSecret: (name, candidate) =>
      database.write(['installationSecrets'], async (transaction) => {
        const secrets = transaction.objectStore('installationSecrets');
        const kept = await secrets.get(name);
        if (kept === undefined) await secrets.add(candidate, name);
        return kept ?? candidate;
      }),
    replaceInstallationSecret: (name, secret) =>
      database.write(['installationSecrets', 'organizations', 'auditRows'], async (transaction) => {
        await transaction.objectStore('installationSecrets').put(secret, name);
        await keep(transaction, changesOfSecret(name, await transaction.objectStore('organizations').getAllKeys()));
      }),
  };
}
