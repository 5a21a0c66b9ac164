import type { AccessStore, ApiKey, Location, Organization, Part } from '../../../../data-service/ports/access-store.ts';
import { byName } from '../../../../data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../../../data-service/ports/store-refusals.ts';
import { withQuota } from '../../../../data-service/ports/usage-store.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { KnownParts } from './known-parts.ts';
import type { WriteTransaction } from './schema.ts';

interface Tables {
  organizations: Organization;
  locations: Location;
  parts: Part;
  keys: ApiKey;
}
type Owned = Exclude<keyof Tables, 'organizations'>;

/** Whoever lets go of the database forgets `parts`. */
export function idbAccessStore(database: IdbDatabase, parts: KnownParts): AccessStore {
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
  const add = async <Name extends keyof Tables>(
    transaction: WriteTransaction,
    name: Name,
    thing: string,
    entry: Tables[Name],
  ): Promise<void> => {
    const store = transaction.objectStore(name);
    if ((await store.getKey(entry.id)) !== undefined) throw alreadyExists(thing, entry.id);
    await (store as { add(entry: Tables[Name]): Promise<unknown> }).add(entry);
  };
  const remove = (name: Owned, thing: string, id: string): Promise<void> =>
    database.write([name], async (transaction) => {
      const store = transaction.objectStore(name);
      if ((await store.getKey(id)) === undefined) throw notFound(thing, id);
      await store.delete(id);
    });
  const requireOrganization = async (transaction: WriteTransaction, id: string): Promise<Organization> => {
    const organization = await transaction.objectStore('organizations').get(id);
    if (organization === undefined) throw notFound('organization', id);
    return organization;
  };

  return {
    createOrganization: (organization) =>
      database.write(['organizations'], (transaction) =>
        add(transaction, 'organizations', 'organization', organization),
      ),
    getOrganization: (id) => get('organizations', id),
    listOrganizations: () =>
      database.read(['organizations'], async (transaction) =>
        (await transaction.objectStore('organizations').getAll()).sort(byName),
      ),
    renameOrganization: (id, name) =>
      database.write(['organizations'], async (transaction) => {
        const organization = await requireOrganization(transaction, id);
        await transaction.objectStore('organizations').put({ ...organization, name });
      }),
    setQuota: (id, quotaBytes) =>
      database.write(['organizations'], async (transaction) => {
        const organization = await requireOrganization(transaction, id);
        await transaction.objectStore('organizations').put(withQuota(organization, quotaBytes));
      }),

    createLocation: (location) =>
      database.write(['organizations', 'locations'], async (transaction) => {
        await requireOrganization(transaction, location.organizationId);
        await add(transaction, 'locations', 'location', location);
      }),
    getLocation: (id) => get('locations', id),
    listLocations: (organizationId) => listOf('locations', organizationId),

    createPart: (part) =>
      database.write(['locations', 'parts'], async (transaction) => {
        const location = await transaction.objectStore('locations').get(part.locationId);
        if (location?.organizationId !== part.organizationId) throw notFound('location', part.locationId);
        await add(transaction, 'parts', 'part', part);
      }),
    getPart: (id) => parts.get(id, () => get('parts', id)),
    listParts: (organizationId) => listOf('parts', organizationId),
    async deletePart(id) {
      await remove('parts', 'part', id);
      parts.delete(id);
    },

    createKey: (key) =>
      database.write(['organizations', 'keys'], async (transaction) => {
        await requireOrganization(transaction, key.organizationId);
        await add(transaction, 'keys', 'key', key);
      }),
    getKey: (id) => get('keys', id),
    listKeys: (organizationId) => listOf('keys', organizationId),
    deleteKey: (id) => remove('keys', 'key', id),

    tokenRenewal: (tokenId) =>
      database.read(
        ['tokenRenewals'],
        async (transaction) => (await transaction.objectStore('tokenRenewals').get(tokenId)) ?? null,
      ),
    renewToken: (tokenId, until, now) =>
      database.write(['tokenRenewals'], async (transaction) => {
        const renewals = transaction.objectStore('tokenRenewals');
        await renewals.put(Math.max(until, (await renewals.get(tokenId)) ?? -Infinity), tokenId);
        for (const id of await renewals.getAllKeys()) if ((await renewals.get(id))! <= now) await renewals.delete(id);
      }),

    putDatabaseUser: (user) =>
      database.write(['databaseUsers'], async (transaction) => {
        await transaction.objectStore('databaseUsers').put(user);
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
      database.write(['installationSecrets'], async (transaction) => {
        await transaction.objectStore('installationSecrets').put(secret, name);
      }),
  };
}
