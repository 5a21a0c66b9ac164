import { createApiKey } from '../../data-service/face/access.ts';
import { unlessThere } from '../../data-service/face/local-home.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';

/** What a store without an organization is given, so that a client can begin. */
export interface FirstStart {
  readonly organizationId: string;
  readonly locationId: string;
  readonly partId: string;
  readonly keyId: string;
  /** told this once, kept nowhere */
  readonly key: string;
}

const idBytes = 16;

/**
 * Makes an organization, a location, a part and an owner's key; null where there is an organization with a key already,
 * or another one. What a host left half made that died at it is completed, and hosts that start at the same time make
 * the same organization, each with a key of its own.
 */
export async function setUpFirstStart(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets'>,
): Promise<FirstStart | null> {
  const { clock, secrets } = dependencies;
  const { access } = dependencies.store;
  const existing = await access.listOrganizations();
  // The first host's draw names everything, for all hosts and for good.
  const drawn = await access.installationSecret('first-start', secrets.randomBytes(4 * idBytes));
  const [organizationId, locationId, partId, robotId] = [0, 1, 2, 3].map((n) => idOf(drawn, n)) as [
    string,
    string,
    string,
    string,
  ];
  if (existing.some(({ id }) => id !== organizationId)) return null;
  if (existing.length > 0 && (await access.listKeys(organizationId)).length > 0) return null;
  const timeCreated = clock.now();
  await unlessThere(access.createOrganization({ id: organizationId, name: 'My organization', timeCreated }));
  await unlessThere(access.createLocation({ id: locationId, organizationId, name: 'First location' }));
  const part = { id: partId, name: 'main', robotId, robotName: 'First machine' };
  await unlessThere(access.createPart({ ...part, organizationId, locationId }));
  const owner = { organizationId, locationId: null, partId: null, role: 'owner', name: 'first key' } as const;
  const { key, secret } = await createApiKey(dependencies, owner);
  return { organizationId, locationId, partId, keyId: key.id, key: secret };
}

/** A random UUID (RFC 9562, version 4) of bytes that were drawn before. */
function idOf(drawn: Uint8Array, n: number): string {
  const bytes = drawn.slice(n * idBytes, (n + 1) * idBytes);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
