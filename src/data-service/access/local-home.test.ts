import { expect, it } from 'vitest';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { localHome, localOwner, setUpLocalHome, unlessThere } from './local-home.ts';

const clock = { now: () => 5 };

it('makes an organization, a location and a part, once', async () => {
  const store = memoryDataStore(clock);
  await setUpLocalHome(store, clock);
  const { access } = store;
  // a home that is there is not written to: its store may be locked by another host
  const locked = () => Promise.reject(new Error('The store is locked.'));
  const made = { createOrganization: locked, createLocation: locked, createPart: locked };
  await setUpLocalHome({ ...store, access: { ...access, ...made } }, clock);
  // What a browser has stored under these names is found by them: they never change.
  expect(localHome).toEqual({ organizationId: 'local', locationId: 'local', partId: 'local' });
  expect(await access.getOrganization('local')).toMatchObject({ name: 'This browser', timeCreated: 5 });
  expect(await access.getLocation('local')).toMatchObject({ organizationId: 'local', name: 'This browser' });
  expect(await access.getPart('local')).toMatchObject({
    organizationId: 'local',
    locationId: 'local',
    name: 'main',
    robotId: 'local',
    robotName: 'This browser',
  });
  expect(localOwner).toEqual({
    keyId: '',
    membershipId: '',
    organizationId: 'local',
    locationId: null,
    partId: null,
    role: 'owner',
    actor: { kind: 'browser', id: '', name: '' },
  });
});

it('makes the part where another host has made the rest', async () => {
  const store = memoryDataStore(clock);
  await store.access.createOrganization({ id: 'local', name: 'Mine', timeCreated: 1 });
  await setUpLocalHome(store, clock);
  expect(await store.access.getOrganization('local')).toMatchObject({ name: 'Mine' });
  expect(await store.access.getPart('local')).not.toBeNull();
});

it.each([
  [new StoreError('already-exists', 'There is one.'), null],
  [new StoreError('not-found', 'There is none.'), 'There is none.'],
  [Object.assign(new Error('Other.'), { code: 'already-exists' }), 'Other.'],
])('takes only what is there already for made: %s', async (error, message) => {
  const creation = unlessThere(Promise.reject(error));
  if (message === null) await expect(creation).resolves.toBeUndefined();
  else await expect(creation).rejects.toThrow(message);
});
