import { base64url } from 'jose';
import type { ApiKey, Role } from '../ports/access-store.ts';
import { StoreError } from '../ports/store-error.ts';
import type { DataServiceDependencies } from '../dependencies.ts';

type KeyDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets'>;

/** A new key and its secret, which is returned only here and not stored. */
export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** Makes a key of 256 random bits for an organization, or for one location of it. @throws StoreError not-found */
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

async function requireLocation(
  { access }: DataServiceDependencies['store'],
  { organizationId, locationId }: { readonly organizationId: string; readonly locationId: string | null },
): Promise<void> {
  if (locationId === null) return;
  if ((await access.getLocation(locationId))?.organizationId === organizationId) return;
  throw new StoreError('not-found', `There is no location ${locationId} in this organization.`, {
    subject: locationId,
  });
}

/** The key if `secret` is its secret, otherwise null. An unknown id takes the same slow work as a wrong secret. */
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
