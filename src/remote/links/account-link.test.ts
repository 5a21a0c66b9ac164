import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountKeyId, accountRoutes, type PretendedPart } from '../../../tests/account-fixture.ts';
import { serveRoutes } from '../../../tests/serve-routes.ts';
import { openAccountLink } from './account-link.ts';

const { signal } = new AbortController();
const part = (id: string, name: string): PretendedPart => ({ id, name, config: {}, updatedAtMs: 0 });

async function served() {
  const { url, close } = await serveRoutes(accountRoutes({ parts: [part('p2', 'arm'), part('p1', 'gate-main')] }));
  onTestFinished(close);
  return url;
}
const linked = (url: string, key = 's3cret-key') => openAccountLink(url, { id: accountKeyId, secret: key });
const failure = (call: Promise<unknown>): Promise<unknown> => call.then(() => 'none', String);

/** Starts a server that gives the same answer to every request. */
async function webServer(status: number, contentType: string) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': contentType, 'access-control-allow-origin': '*' }).end('Hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('lists what there is, down to the parts, the main one first', async () => {
  const account = linked(await served());
  expect(await account.organizations(signal)).toEqual([{ id: 'org', name: 'Yard works' }]);
  expect((await account.locations('org', signal)).map(({ id }) => id)).toEqual(['yard', 'attic']);
  expect(await account.machines('yard', signal)).toEqual([{ id: 'gate', name: 'Gate', seen: { isOnline: true } }]);
  expect(await account.machines('attic', signal)).toEqual([]);
  expect((await account.parts('gate', signal)).map(({ name }) => name)).toEqual(['gate-main', 'arm']);
});

describe('a failure is told in words', () => {
  it('that the key is not taken, without the key', async () => {
    const words = await failure(linked(await served(), 'wrong-key-1').organizations(signal));
    expect(words).toMatch(/does not take this key/);
    expect(words).not.toContain('wrong-key-1');
  });

  it('that there is no such part', async () => {
    expect(await failure(linked(await served()).part('p9'))).toMatch(/knows nothing of this id: no part with id p9/);
  });

  it('that nobody answers', async () => {
    const { url, close } = await serveRoutes(() => {});
    await close();
    await expect(linked(url).organizations(signal)).rejects.toMatchObject({
      code: 'no-answer',
      message: `${url} does not answer.`,
    });
  });

  it.each([
    [200, 'text/html', 'no-account-service'],
    [404, 'text/html', 'no-account-service'],
    [403, 'text/html', 'not-allowed'],
    [401, 'text/html', 'wrong-key'],
    [503, 'text/html', 'busy'],
  ])('that a server of HTTP %s %s is %s', async (status, contentType, code) => {
    const url = await webServer(status, contentType);
    await expect(linked(url).organizations(signal)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`HTTP ${status}`),
    });
  });

  it('that another service of the same protocol knows no accounts', async () => {
    const { url, close } = await serveRoutes(() => {});
    onTestFinished(close);
    await expect(linked(url).organizations(signal)).rejects.toMatchObject({ code: 'no-account-service' });
  });
});
