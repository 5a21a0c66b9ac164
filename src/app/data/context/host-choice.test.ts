import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { DataService } from '../../../gen/app/data/v1/data_pb.ts';
import { serverTarget } from '../../../outbox/outbox-target.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { DataHost } from './data-host.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { HostChoice, type ServerAccess } from './host-choice.svelte.ts';

const workshop = serverTarget({ id: 's1', name: 'Workshop', url: 'http://workshop.test', keyId: 'k', partId: 'p' });
const browser = { home: { organizationId: 'local' } } as unknown as DataHost;

/** A server that takes the key "right", tells its organization if it has one to tell, and can be out of reach. */
function open(organizationId: string | null, memory = memoryStorage()) {
  const server = { reachable: true, key: null as string | null, refuse: () => {}, opens: Promise.resolve() };
  const transport = createRouterTransport(({ service }) => {
    service(DataService, {
      binaryDataByFilter() {
        if (!server.reachable) throw new ConnectError('Workshop did not answer.', Code.Unavailable);
        if (server.key !== 'right') throw new ConnectError('invalid credentials', Code.Unauthenticated);
        return organizationId === null ? {} : { data: [{ metadata: { captureMetadata: { organizationId } } }] };
      },
      tabularDataByFilter: () => ({}),
    });
  });
  const access = {
    connectServer: async (_: unknown, onRefused: () => void) => {
      server.refuse = onRefused;
      await server.opens;
      return server.key === null ? null : { transport, authorization: async () => 'Bearer opaque' };
    },
    outbox: { giveKey: async (_: unknown, key: string) => void (server.key = key) },
    outboxStore: { targets: async () => [workshop], onChange: () => () => {} },
  } as unknown as ServerAccess;
  return { server, memory, choice: new HostChoice(browser, async () => access, memory, Promise.resolve(false)) };
}

it('is this browser until a server is chosen, and then that server, also for the next visit', async () => {
  const { choice, memory, server } = open('org');
  await expect.poll(() => choice.host).toBe(browser);
  await choice.choose('s1');
  expect([choice.host, choice.trouble?.wants]).toEqual([null, 'key']);
  await choice.giveKey('wrong', false);
  expect(choice.trouble).toEqual({ wants: 'key', message: 'invalid credentials' });
  await choice.giveKey('right', false);
  expect(choice.host?.home).toEqual({ organizationId: 'org', locationId: '', partId: 'p' });
  expect([choice.host?.server, choice.trouble]).toEqual([workshop, null]);

  server.refuse(); // the key was revoked
  expect([choice.host, choice.trouble?.wants]).toEqual([null, 'key']);

  const next = open('org', memory);
  expect(next.choice.id).toBe('s1');
  await next.choice.choose('');
  expect(next.choice.host).toBe(browser);
});

it('asks for an organization that nothing tells, once', async () => {
  const { choice, server, memory } = open(null);
  server.key = 'right';
  await choice.choose('s1');
  expect(choice.trouble?.wants).toBe('organization');
  await choice.giveOrganization('mine');
  expect(choice.host?.home.organizationId).toBe('mine');
  const next = open(null, memory);
  next.server.key = 'right';
  await next.choice.retry();
  expect(next.choice.host?.home.organizationId).toBe('mine');
});

it('waits for a server that does not answer, and falls back to this browser where it was removed', async () => {
  const { choice, server } = open('org');
  Object.assign(server, { key: 'right', reachable: false });
  await choice.choose('s1');
  expect(choice.trouble).toEqual({ wants: 'patience', message: 'Workshop did not answer.' });
  server.reachable = true;
  await choice.retry();
  expect(choice.host?.server).toEqual(workshop);
  await choice.choose('gone');
  expect([choice.id, choice.host]).toEqual(['', browser]);
});

it('stays with what was chosen since, whatever the server before answers', async () => {
  for (const answer of [{ key: 'right' }, { key: null }, { key: 'right', reachable: false }]) {
    const { choice, server } = open('org');
    const opening = deferred();
    Object.assign(server, answer, { opens: opening.promise });
    const idle = server.refuse;
    const late = choice.choose('s1');
    await expect.poll(() => server.refuse).not.toBe(idle);
    await choice.choose('');
    opening.resolve();
    await late;
    expect([choice.id, choice.host, choice.trouble], JSON.stringify(answer)).toEqual(['', browser, null]);
    server.refuse(); // a call that was on its way
    expect([choice.host, choice.trouble]).toEqual([browser, null]);
  }
});
