import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { DatabaseUserState } from './database-user.svelte.ts';

it('says why a host has no endpoint for database tools', async () => {
  const { context } = await openDataTab();
  const user = new DatabaseUserState(context);
  expect([user.connection, user.absent]).toEqual([null, null]);
  await user.read(AbortSignal.abort());
  expect(user.absent).toBeNull();
  await user.read();
  expect([user.connection, user.absent]).toEqual([null, 'This host has no database endpoint.']);
});

it('tells how the data is reached, and takes a password that is long enough', async () => {
  const mongodbUri = 'mongodb://db.example/sensorData';
  const { context, said } = await openDataTab({
    database: { addressFor: () => ({ hostname: 'db.example', mongodbUri }), dropConnections: () => undefined },
  });
  const user = new DatabaseUserState(context);
  await user.read();
  expect([user.connection, user.absent]).toMatchObject([{ mongodbUri, hasDatabaseUser: false }, null]);
  expect(await user.setPassword('short')).toBe(false);
  expect(user.failure?.message).toMatch(/8/);
  expect(await user.setPassword('long enough')).toBe(true);
  expect([user.connection?.hasDatabaseUser, user.failure, said]).toEqual([true, null, ['The password is set.']]);
  await user.setPassword('');
  user.dismiss();
  expect(user.failure).toBeNull();
});
