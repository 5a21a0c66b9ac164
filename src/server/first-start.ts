import { createApiKey } from '../data-service/access/api-keys.ts';
import type { DataServiceDependencies } from '../data-service/dependencies.ts';

/** What a store without an organization is given, so that a client can begin. */
export interface FirstStart {
  readonly organizationId: string;
  readonly locationId: string;
  readonly partId: string;
  readonly keyId: string;
  /** told this once, kept nowhere */
  readonly key: string;
}

/** Makes an organization, a location, a part and an owner's key; null where there is an organization already. */
export async function setUpFirstStart(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets'>,
): Promise<FirstStart | null> {
  const { store, clock, ids } = dependencies;
  if ((await store.access.listOrganizations()).length > 0) return null;
  const [organizationId, locationId, partId, robotId] = [ids.next(), ids.next(), ids.next(), ids.next()];
  await store.access.createOrganization({ id: organizationId, name: 'My organization', timeCreated: clock.now() });
  await store.access.createLocation({ id: locationId, organizationId, name: 'First location' });
  const part = { id: partId, name: 'main', robotId, robotName: 'First machine' };
  await store.access.createPart({ ...part, organizationId, locationId });
  const owner = { organizationId, locationId: null, role: 'owner', name: 'first key' } as const;
  const { key, secret } = await createApiKey(dependencies, owner);
  return { organizationId, locationId, partId, keyId: key.id, key: secret };
}
