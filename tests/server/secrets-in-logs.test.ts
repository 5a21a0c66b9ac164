import { expect, it } from 'vitest';
import { codeOf } from '../data-service-fixture.ts';
import { seededUploads, send } from './seeded-uploads.ts';
import { authenticatedClients } from './server-clients.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';

it('neither log nor metrics hold a key, a token, a password or a signature', async () => {
  const args = ['--log-level', 'debug', '--mongo-port', '0'];
  const server = await startServerProcess(await temporaryFolder(), { args });
  const { organizationId, partId, keyId, key } = server.firstStart!;
  const { accessToken, sync, data, pipelines } = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
  const clients = { sync, data, pipelines };
  for (const upload of seededUploads(3, 12)) await send(clients, upload, partId);
  const [found] = (await data.binaryDataByFilter({ dataRequest: { limit: 1n } })).data;
  const { binaryDataId, uri } = found!.metadata!;
  const { signedUrl } = await data.createBinaryDataSignedURL({ binaryDataId });
  const signature = /signature=(\w+)/.exec(signedUrl)![1]!;
  const password = 'correct horse battery staple';
  await data.configureDatabaseUser({ organizationId, password });

  // Also make calls that fail, because failures are logged in more detail.
  const wrongKey = `${key}-wrong`;
  const wrongToken = `${accessToken}-wrong`;
  const fetches: [string, Record<string, string>, number][] = [
    [signedUrl, {}, 200],
    [`${signedUrl}0`, {}, 403],
    [uri, { authorization: `Bearer ${accessToken}` }, 200],
    [uri, { authorization: `Bearer ${wrongToken}` }, 401],
    [uri, { key_id: keyId, key }, 200],
    [uri, { key_id: keyId, key: wrongKey }, 401],
    [`${server.origin}/nothing?token=${accessToken}&key=${key}`, {}, 404],
  ];
  for (const [url, headers, status] of fetches) {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    expect([url, response.status]).toEqual([url, status]);
  }
  const wrong = { ...server.firstStart!, key: wrongKey };
  expect(await codeOf(authenticatedClients(server.origin, wrong, 'grpc'))).toBe('Unauthenticated');
  expect(await codeOf(data.configureDatabaseUser({ organizationId: 'other', password }))).toBe('PermissionDenied');
  const sql = `SELECT nothing FROM nowhere WHERE secret = '${key}'`;
  expect(await codeOf(data.tabularDataBySQL({ organizationId, sqlQuery: sql }))).toBe('InvalidArgument');
  const path = '/viam.app.data.v1.DataService/ConfigureDatabaseUser';
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const halfMessage = await fetch(server.origin + path, { method: 'POST', headers, body: `{"password": "${password}` });
  expect(halfMessage.status).toBe(400);
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(await server.end('SIGTERM')).toBe(0);

  const log = server.stderr();
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  expect(log).toContain('"operation":"download"');
  for (const text of [log, metrics]) {
    for (const secret of [key, accessToken, accessToken.split('.')[2]!, password, signature]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/bearer |signature=|"authorization"|eyJ/i);
  }
});
