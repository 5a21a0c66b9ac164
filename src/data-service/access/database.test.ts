import { expect, it } from 'vitest';
import { codeOf, startDataService } from '../../../tests/data-service-fixture.ts';

const database = {
  hostname: 'db.example:27017',
  uriFor: (user: string) => `mongodb://${user}@db.example:27017/sensorData`,
};

it('tells where the database is and whether its user has a password', async () => {
  const { owner, operator, dependencies } = await startDataService({ database });
  const connection = { hostname: 'db.example:27017', mongodbUri: 'mongodb://db-user-a@db.example:27017/sensorData' };
  expect(await operator.data.getDatabaseConnection({ organizationId: 'a' })).toMatchObject({
    ...connection,
    hasDatabaseUser: false,
  });
  await owner.data.configureDatabaseUser({ organizationId: 'a', password: 'correct horse' });
  expect(await operator.data.getDatabaseConnection({ organizationId: 'a' })).toMatchObject({
    ...connection,
    hasDatabaseUser: true,
  });
  const first = await dependencies.store.access.getDatabaseUser('a');
  await owner.data.configureDatabaseUser({ organizationId: 'a', password: 'another one' });
  expect(await dependencies.store.access.getDatabaseUser('a')).not.toEqual(first);
});

it('refuses short passwords', async () => {
  const { owner } = await startDataService({ database });
  expect(await codeOf(owner.data.configureDatabaseUser({ organizationId: 'a', password: '1234567' }))).toBe(
    'InvalidArgument',
  );
});

it('says why where there is no database', async () => {
  const { owner } = await startDataService();
  const why = '[failed_precondition] This host has no database endpoint.';
  await expect(owner.data.getDatabaseConnection({ organizationId: 'a' })).rejects.toThrow(why);
  await expect(owner.data.configureDatabaseUser({ organizationId: 'a', password: 'correct horse' })).rejects.toThrow(
    why,
  );
});
