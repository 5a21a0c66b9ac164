import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { DataService } from '../../../gen/app/data/v1/data_pb.ts';
import { serverTarget } from '../../../remote/outbox/outbox-target.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { DataHost } from './data-host.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { HostChoice, type ServerAccess } from './host-choice.svelte.ts';

const workshop = serverTarget({ id: 's1', name: 'Workshop', url: 'http://workshop.test', keyId: 'k', partId: 'p' });
const browser = { home: { organizationId: 'local' } } as unknown as DataHost;

/** A server that takes the key "right", tells its organization if it has one to tell, and can be out of reach. */
function open(organizationId: string | null, memory = memoryStorage()) {
  const server = {
    reachable: true,
    key: null as string | null,
    token: 'opaque',
    refuse: () => {},
    opens: Promise.resolve(),
  };
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
      return server.key === null ? null : { transport, authorization: async () => `Bearer ${server.token}` };
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

describe('what a key may', () => {
  const tokenWith = (claims: object): string => `e30.${btoa(JSON.stringify(claims))}.signature`;
  const { deleteBinaryDataByIDs, tabularDataByMQL, tagsByFilter } = DataService.method;
  async function refusals(token: string) {
    const { choice, server } = open('org');
    Object.assign(server, { key: 'right', token });
    await choice.choose('s1');
    const { refusal, home } = choice.host!;
    return { home, words: refusal && [deleteBinaryDataByIDs, tabularDataByMQL, tagsByFilter].map(refusal) };
  }

  it('is what its token says of its role and place, without another call', async () => {
    const claims = { iss: 'sightglass', organization_id: 'org', role: 'operator' };
    expect((await refusals(tokenWith(claims))).words).toEqual([
      'Only an owner may do this; your key is that of an operator.',
      '',
      '',
    ]);
    const local = await refusals(tokenWith({ ...claims, location_id: 'yard' }));
    expect(local.home).toEqual({ organizationId: 'org', locationId: 'yard', partId: 'p' });
    expect(local.words).toEqual([
      'Only an owner may do this; your key is that of an operator.',
      'Only a key of the whole organization may do this; yours is for one location.',
      '',
    ]);
    const ofPart = await refusals(tokenWith({ ...claims, location_id: 'yard', part_id: 'arm' }));
    expect(ofPart.words && ofPart.words[1]).toMatch(/yours is for one part\.$/);
  });

  it.each([
    ['is of an older server', { iss: 'sightglass', organization_id: 'org' }],
    ['is of another service, which means other roles', { iss: 'elsewhere', organization_id: 'org', role: 'annotator' }],
    ['has a role that is no text', { iss: 'sightglass', role: 7 }],
  ])('is what the service says where the token %s', async (_, claims) => {
    expect(await refusals(tokenWith(claims))).toMatchObject({ home: { organizationId: 'org' }, words: undefined });
  });

  it('is what the service says where the token has another format', async () => {
    expect((await refusals('opaque')).words).toBeUndefined();
  });
});
