import { base64url } from 'jose';
import type { ApiKey, Role } from '../ports/access-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';
import type { DataServiceDependencies } from '../dependencies.ts';

type KeyDependencies = Pick<DataServiceDependencies, 'clock' | 'ids' | 'secrets'> & {
  readonly store: Pick<DataStore, 'access'>;
};

/** A new key and its secret, which is returned only here and not stored. */
export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/**
 * Makes a key of 256 random bits for an organization, or for one of its locations.
 * @param dependencies store, clock, ids and cryptography
 * @param of where the key is valid, its role, and its name
 * @returns the stored key, which holds a hash, and the secret, which is stored nowhere
 * @throws StoreError not-found: there is no such organization or location
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * import { webCryptoSecrets } from './web-crypto-secrets.ts';
 * const clock = { now: () => 0 };
 * const store = memoryDataStore(clock);
 * await store.access.createOrganization({ id: 'a', name: 'A', timeCreated: 0 });
 * const dependencies = { store, clock, ids: { next: () => 'key-1' }, secrets: webCryptoSecrets(crypto, 1) };
 * const { key, secret } = await createApiKey(dependencies, { organizationId: 'a', locationId: null, role: 'owner', name: 'laptop' });
 * key.id; // => 'key-1'
 * (await verifyApiKey(dependencies, 'key-1', secret)).name; // => 'laptop'
 */
export async function createApiKey(
  { store, clock, ids, secrets }: KeyDependencies,
  of: {
    readonly organizationId: string;
    readonly locationId: string | null;
    readonly role: Role;
    readonly name: string;
  },
): Promise<CreatedKey> {
  await requireLocation(store, of);
  const secret = base64url.encode(secrets.randomBytes(32));
  const key: ApiKey = { ...of, id: ids.next(), secret: await secrets.hash(secret), timeCreated: clock.now() };
  await store.access.createKey(key);
  return { key, secret };
}

/**
 * Requires that a location, where one is given, is one of the organization.
 * @param store where locations are
 * @param place an organization and one of its locations, or null: all of it
 * @throws StoreError not-found
 * @example
 * const store = { access: { getLocation: async () => null } };
 * await requireLocation(store, { organizationId: 'a', locationId: null }); // => undefined
 * await requireLocation(store, { organizationId: 'a', locationId: 'moon' }); // throws: There is no location moon in this organization.
 */
export async function requireLocation(
  { access }: Pick<DataStore, 'access'>,
  { organizationId, locationId }: { readonly organizationId: string; readonly locationId: string | null },
): Promise<void> {
  if (locationId === null) return;
  if ((await access.getLocation(locationId))?.organizationId === organizationId) return;
  throw new StoreError('not-found', `There is no location ${locationId} in this organization.`, {
    subject: locationId,
  });
}

/**
 * Checks the secret of a key. An unknown id takes the same slow work as a wrong secret, so that the time does not show
 * which ids exist.
 * @param dependencies store and cryptography
 * @param keyId id of the key
 * @param secret what the caller sent
 * @returns the key; null: the id or the secret is wrong
 * @example
 * const store = { access: { getKey: async () => null } };
 * const secrets = { hash: async () => '', verify: async () => true };
 * await verifyApiKey({ store, secrets }, 'unknown', 'secret'); // => null
 */
export async function verifyApiKey(
  { store, secrets }: Pick<DataServiceDependencies, 'store' | 'secrets'>,
  keyId: string,
  secret: string,
): Promise<ApiKey | null> {
  const key = await store.access.getKey(keyId);
  if (key === null) {
    await secrets.hash(secret);
    return null;
  }
  return (await secrets.verify(secret, key.secret)) ? key : null;
}
