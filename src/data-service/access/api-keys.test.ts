import { beforeEach, expect, it } from 'vitest';
import { startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { createApiKey, verifyApiKey } from './api-keys.ts';

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const wanted = { organizationId: 'a', role: 'operator', name: 'a key' } as const;

it.each([
  [null, null, 'is made'],
  ['yard', null, 'is made'],
  [null, 'yard-part', 'is made'],
  ['yard', 'yard-part', 'is made'],
  ['ship', null, 'There is no location ship in this organization.'],
  ['none', null, 'There is no location none in this organization.'],
  ['lab', 'yard-part', 'There is no part yard-part in location lab.'],
  [null, 'ship-part', 'There is no part ship-part in this organization.'],
  [null, 'none', 'There is no part none in this organization.'],
])('a key of location %s and part %s: %s', async (locationId, partId, outcome) => {
  const creation = createApiKey(service.dependencies, { ...wanted, locationId, partId });
  if (outcome !== 'is made') {
    const subject = partId ?? locationId;
    await expect(creation).rejects.toMatchObject({ code: 'not-found', subject, message: outcome });
    return;
  }
  const { key, secret } = await creation;
  expect(key).toMatchObject({ ...wanted, locationId: partId === null ? locationId : 'yard', partId });
  expect(await service.dependencies.store.access.getKey(key.id)).toEqual(key);
  expect(secret).toMatch(/^[\w-]{43}$/); // 256 bits
  expect(await verifyApiKey(service.dependencies, key.id, secret)).toEqual(key);
  expect(await verifyApiKey(service.dependencies, key.id, `${secret}x`)).toBeNull();
});

it('does the same slow work for an unknown key as for a wrong secret', async () => {
  const { dependencies } = service;
  const hashed: string[] = [];
  const secrets = {
    ...dependencies.secrets,
    hash: (secret: string) => {
      hashed.push(secret);
      return dependencies.secrets.hash(secret);
    },
  };
  expect(await verifyApiKey({ ...dependencies, secrets }, 'none', 'secret')).toBeNull();
  expect(hashed).toEqual(['secret']);
});
