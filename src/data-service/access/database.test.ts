import { expect, it } from 'vitest';
import { codeOf, startDataService } from '../../../tests/data-service-fixture.ts';

const dropped: string[] = [];
const database = {
  addressFor(origin: string, user: string) {
    const hostname = `${new URL(origin).hostname}:27017`;
    return { hostname, mongodbUri: `mongodb://${user}@${hostname}/sensorData` };
  },
  dropConnections: (organizationId: string) => dropped.push(organizationId),
};

it('tells where the database is and whether its user has a password', async () => {
  const { owner, operator, dependencies } = await startDataService({ database });
  const connection = {
    hostname: 'data.example:27017',
    mongodbUri: 'mongodb://db-user-a@data.example:27017/sensorData',
  };
  expect(await operator.data.getDatabaseConnection({ organizationId: 'a' })).toMatchObject({
    ...connection,
    hasDatabaseUser: false,
  });
  await owner.data.configureDatabaseUser({ organizationId: 'a', password: 'correct horse' });
  expect(await operator.data.getDatabaseConnection({ organizationId: 'a' })).toMatchObject({
    ...connection,
    hasDatabaseUser: true,
  });
  expect(dropped).toEqual(['a']);
  const first = await dependencies.store.access.getDatabaseUser('a');
  await owner.data.configureDatabaseUser({ organizationId: 'a', password: 'another one' });
  expect(await dependencies.store.access.getDatabaseUser('a')).not.toEqual(first);
});

it('refuses passwords of fewer than eight characters', async () => {
  const { owner } = await startDataService({ database });
  const configure = (password: string) => owner.data.configureDatabaseUser({ organizationId: 'a', password });
  await expect(configure('1234567')).rejects.toThrow('[invalid_argument] password has 7 characters; give at least 8.');
  expect(await codeOf(configure('12345678'))).toBe('ok');
});

it('says why where there is no database', async () => {
  const { owner } = await startDataService();
  const why = '[failed_precondition] This host has no database endpoint.';
  await expect(owner.data.getDatabaseConnection({ organizationId: 'a' })).rejects.toThrow(why);
  await expect(owner.data.configureDatabaseUser({ organizationId: 'a', password: 'correct horse' })).rejects.toThrow(
    why,
  );
});
