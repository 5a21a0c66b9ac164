import type { Clock } from '../ports/clock.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';
import type { Principal } from './principal.ts';

/** The one organization, location and part of a service that belongs to a single person: the same for all its hosts. */
export const localHome = { organizationId: 'local', locationId: 'local', partId: 'local' } as const;

/** On whose behalf the person's own app calls: no key to type. */
export const localOwner: Principal = {
  keyId: '',
  organizationId: localHome.organizationId,
  locationId: null,
  role: 'owner',
};

/** Makes the home where it is not there yet. Several hosts may do so at once. */
export async function setUpLocalHome({ access }: DataStore, clock: Clock): Promise<void> {
  const { organizationId, locationId, partId } = localHome;
  if ((await access.getPart(partId)) !== null) return;
  const name = 'This browser';
  await unlessThere(access.createOrganization({ id: organizationId, name, timeCreated: clock.now() }));
  await unlessThere(access.createLocation({ id: locationId, organizationId, name }));
  const part = { id: partId, name: 'main', robotId: 'local', robotName: name };
  await unlessThere(access.createPart({ ...part, organizationId, locationId }));
}

/** Makes what another host may make at the same moment. */
export async function unlessThere(creation: Promise<void>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'already-exists')) throw error;
  }
}
