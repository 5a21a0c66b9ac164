import { expect, it } from 'vitest';
import { webCryptoSecrets } from '../../data-service/access/web-crypto-secrets.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { setUpFirstStart } from './first-start.ts';

const clock = { now: () => 1 };
let nextId = 0;

function emptyService() {
  const store = memoryDataStore(clock);
  return { store, clock, ids: { next: () => `id-${++nextId}` }, secrets: webCryptoSecrets(crypto, 1) };
}

it('makes an organization with a key once', async () => {
  const service = emptyService();
  const first = await setUpFirstStart(service);
  expect(await service.store.access.getPart(first!.partId)).toMatchObject({ locationId: first!.locationId });
  expect((await service.store.access.listKeys(first!.organizationId)).map(({ id }) => id)).toEqual([first!.keyId]);
  expect(await setUpFirstStart(service)).toBeNull();
});

it.each(['createLocation', 'createPart', 'createKey'] as const)('goes on where a host died before %s', async (step) => {
  const service = emptyService();
  const { access } = service.store;
  const dying = { ...access, [step]: () => Promise.reject(new Error('killed')) };
  await expect(setUpFirstStart({ ...service, store: { ...service.store, access: dying } })).rejects.toThrow('killed');
  const completed = await setUpFirstStart(service);
  expect(await access.listOrganizations()).toHaveLength(1);
  expect(await access.listParts(completed!.organizationId)).toHaveLength(1);
  expect(await access.listKeys(completed!.organizationId)).toHaveLength(1);
});

it('makes one organization for hosts that start at the same time', async () => {
  const service = emptyService();
  const [one, other] = await Promise.all([setUpFirstStart(service), setUpFirstStart(service)]);
  expect(one!.organizationId).toBe(other!.organizationId);
  expect(await service.store.access.listOrganizations()).toHaveLength(1);
});

it('leaves alone what its keeper has made', async () => {
  const service = emptyService();
  await service.store.access.createOrganization({ id: 'own', name: 'own', timeCreated: 1 });
  expect(await setUpFirstStart(service)).toBeNull();
});
