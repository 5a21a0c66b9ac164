import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { expect, it } from 'vitest';
import { codeOf } from '../../../tests/data-service-fixture.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { logIn, serveForTest } from '../test-server.ts';

it('is not ready once its database was found damaged, and says so', async () => {
  const server = await serveForTest();
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  const { binary } = server.service.dependencies.store;
  binary.page = () => Promise.reject(new StoreError('damaged', 'The database is damaged.'));
  const data = createClient(DataService, createGrpcTransport({ baseUrl: server.origin }));
  expect(await codeOf(data.binaryDataByFilter({}, { headers: await logIn(server) }))).toBe('DataLoss');
  const answer = await fetch(`${server.origin}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('the database is damaged')]);
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toContain('sightglass_damage_total{what="database"} 1\n');
});
