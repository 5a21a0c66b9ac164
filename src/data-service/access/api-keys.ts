import { base64url } from 'jose';
import type { ApiKey, Place, Role } from '../ports/access-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { requirePlace } from './place.ts';

type KeyDependencies = Pick<DataServiceDependencies, 'clock' | 'ids' | 'secrets'> & {
  readonly store: Pick<DataStore, 'access'>;
};

/** A new key and its secret, which is returned only here and not stored. */
export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/**
 * Makes a key of 256 random bits for an organization, for one of its locations, or for one of its parts.
 * @param dependencies store, clock, ids and cryptography
 * @param of where the key is valid, its role, and its name
 * @returns the stored key, which holds a hash, and the secret, which is stored nowhere
 * @throws StoreError not-found: there is no such organization, location or part
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * import { webCryptoSecrets } from './web-crypto-secrets.ts';
 * const clock = { now: () => 0 };
 * const store = memoryDataStore(clock);
 * await store.access.createOrganization({ id: 'a', name: 'A', timeCreated: 0 });
 * const dependencies = { store, clock, ids: { next: () => 'key-1' }, secrets: webCryptoSecrets(crypto, 1) };
 * const { key, secret } = await createApiKey(dependencies, { organizationId: 'a', locationId: null, partId: null, role: 'owner', name: 'laptop' });
 * key.id; // => 'key-1'
 * (await verifyApiKey(dependencies, 'key-1', secret)).name; // => 'laptop'
 */
export async function createApiKey(
  { store, clock, ids, secrets }: KeyDependencies,
  of: Place & { readonly organizationId: string; readonly role: Role; readonly name: string },
): Promise<CreatedKey> {
  const place = await requirePlace(store, of.organizationId, of);
  const secret = base64url.encode(secrets.randomBytes(32));
  const timeCreated = clock.now();
  const key: ApiKey = { ...of, ...place, id: ids.next(), secret: await secrets.hash(secret), timeCreated };
  await store.access.createKey(key);
  return { key, secret };
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
