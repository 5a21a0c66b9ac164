import type { Clock } from '../ports/clock.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';
import type { Principal } from '../ports/principal.ts';

/** The organization, location and part of a service with a single user: the same on all its hosts. */
export const localHome = { organizationId: 'local', locationId: 'local', partId: 'local' } as const;

/** The principal of the user's own app, which needs no key. */
export const localOwner: Principal = {
  keyId: '',
  membershipId: '',
  organizationId: localHome.organizationId,
  locationId: null,
  partId: null,
  role: 'owner',
  actor: { kind: 'browser', id: '', name: '' },
};

/**
 * Creates the browser's own organization, location and part if they do not exist. Several tabs may call this at once.
 * @param store the browser's store
 * @param clock microseconds since 1970
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * const clock = { now: () => 0 };
 * const store = memoryDataStore(clock);
 * await setUpLocalHome(store, clock); // => undefined
 * (await store.access.getPart(localHome.partId)).name; // => 'main'
 */
export async function setUpLocalHome({ access }: DataStore, clock: Clock): Promise<void> {
  const { organizationId, locationId, partId } = localHome;
  if ((await access.getPart(partId)) !== null) return;
  const name = 'This browser';
  await unlessThere(access.createOrganization({ id: organizationId, name, timeCreated: clock.now() }));
  await unlessThere(access.createLocation({ id: locationId, organizationId, name }));
  const part = { id: partId, name: 'main', robotId: 'local', robotName: name };
  await unlessThere(access.createPart({ ...part, organizationId, locationId }));
}

/**
 * Waits for a creation and ignores `already-exists`: another host may have created the same at the same moment.
 * @param creation a running creation
 * @throws what the creation throws, except StoreError already-exists
 * @example
 * import { StoreError } from '../ports/store-error.ts';
 * await unlessThere(Promise.reject(new StoreError('already-exists', 'It is there.'))); // => undefined
 * await unlessThere(Promise.reject(new StoreError('not-found', 'It is gone.'))); // throws: It is gone.
 */
export async function unlessThere(creation: Promise<void>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'already-exists')) throw error;
  }
}
