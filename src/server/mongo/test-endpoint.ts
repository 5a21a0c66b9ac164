import { startTime, uploadReading } from '../../../tests/data-service-fixture.ts';
import { scramUser } from '../../data-service/access/scram-user.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { inlineQueryWorker } from '../../../tests/inline-query-worker.ts';
import { undivided } from '../../data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../../data-service/query/query-rows.ts';
import type { ServerLimits } from '../limits/server-limits.ts';
import { serveForTest, type TestServer } from '../test-server.ts';
import { RawClient } from './test-client.ts';

export const password = 'correct horse';
export const findAll = { find: 'readings', $db: 'sensorData' };

export type MongoTestServer = TestServer & { readonly mongoPort: number };

/** A database endpoint that lets `db-user-a` read the one thing that its scale said: 1 kg. */
export async function serveMongo(limits: Partial<ServerLimits> = {}): Promise<MongoTestServer> {
  const clock = { now: () => startTime };
  const store = memoryDataStore(clock);
  const runner = { rows: readQueryRows(store), startWorker: inlineQueryWorker, clock, turns: undivided(2) };
  const queryRunner = new IsolatedQueryRunner(runner);
  const server = await serveForTest({ mongoPort: 0, limits, service: { store, queryRunner } });
  const { owner, dependencies } = server.service;
  await uploadReading(owner, { kg: 1 });
  await store.access.putDatabaseUser(await scramUser(dependencies.secrets, 'a', password));
  return { ...server, mongoPort: server.mongoPort! };
}

export async function logInTo({ mongoPort }: MongoTestServer): Promise<RawClient> {
  const client = new RawClient(mongoPort);
  await client.logIn('db-user-a', password);
  return client;
}
