import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { expect, it, vi } from 'vitest';
import { DataService } from '../../../gen/app/data/v1/data_pb.ts';
import { SessionService } from '../../../gen/sightglass/people/v1/people_pb.ts';
import { authorizedTransport } from '../../../remote/outbox/authorized-transport.ts';
import type { ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { DataHost } from './data-host.ts';
import { browserHostId, HostChoice, ownServerId, type ServerAccess } from './host-choice.svelte.ts';

vi.stubGlobal('location', { origin: 'https://acme.test' });
const browser = { home: { organizationId: 'local' } } as unknown as DataHost;
const places = { acme: ['owner', ''], beta: ['annotator', 'yard'] } as const;
type Place = keyof typeof places;

/** A page of a server to which Ada may be logged in, as a member of Acme or of Beta. */
function open(loggedIn: Place | null, memory = memoryStorage(), served = true) {
  const state = {
    place: loggedIn,
    reachable: true,
    opens: true,
    targets: [] as ServerTarget[],
    onLogIn: async () => {},
  };
  const membership = (id: Place) => {
    const [role, locationId] = places[id];
    return { id, role, locationId, organizationId: `${id}-org`, organizationName: id, personName: 'Ada' };
  };
  const inner = createRouterTransport(({ service }) => {
    service(SessionService, {
      getSession() {
        if (!state.reachable) throw new ConnectError('No answer.', Code.Unavailable);
        if (!state.place) return { hasPasskeys: true, providerName: 'Acme' };
        return {
          person: { id: 'ada', name: 'Ada' },
          membership: membership(state.place),
          memberships: [membership('acme'), membership('beta')],
          partId: `${state.place}-part`,
        };
      },
      switchMembership({ membershipId }) {
        state.place = membershipId as Place;
        return {};
      },
      logOut() {
        state.place = null;
        return {};
      },
    });
    service(DataService, {
      binaryDataByFilter() {
        if (!state.place) throw new ConnectError('The session has ended.', Code.Unauthenticated);
        return {};
      },
    });
  });
  const access = {
    connectOwnServer: (onRefused: () => void) =>
      authorizedTransport(inner, { authorize: (_, call) => call(''), name: 'This server', redact: String, onRefused }),
    outbox: {
      async logIn(target: ServerTarget) {
        state.targets.push(target);
        await state.onLogIn();
      },
    },
    outboxStore: { targets: async () => state.targets, onChange: () => () => {} },
  } as unknown as ServerAccess;
  const openAccess = async () => {
    if (!state.opens) throw new Error('No outbox.');
    return access;
  };
  const choice = new HostChoice(browser, openAccess, memory, Promise.resolve(served));
  return { choice, state, memory, started: () => expect.poll(() => choice.host ?? choice.trouble).not.toBeNull() };
}

it('opens a page of a server on its data, with organization, location and part filled in, and sends there', async () => {
  const { choice, state, started } = open('acme');
  await started();
  expect([choice.id, choice.host?.home]).toEqual([
    ownServerId,
    { organizationId: 'acme-org', locationId: '', partId: 'acme-part' },
  ]);
  expect(choice.host?.who?.role).toBe('owner');
  expect(state.targets).toMatchObject([{ id: 'session:acme', name: 'acme as Ada', keyId: '', partId: 'acme-part' }]);
});

it('asks who one is where nobody is logged in, and shows this browser to whoever wants that, also later', async () => {
  const { choice, memory, started } = open(null);
  await started();
  expect([choice.host, choice.trouble?.wants, choice.session?.ways]).toEqual([
    null,
    'log-in',
    expect.objectContaining({ hasPasskeys: true, providerName: 'Acme' }),
  ]);
  await choice.choose(browserHostId);
  expect(choice.host).toBe(browser);
  const next = open('acme', memory);
  await expect.poll(() => next.choice.session).not.toBeNull();
  expect([next.choice.id, next.choice.host]).toEqual([browserHostId, browser]);
});

it('keeps what is shown when the session ends, and goes on when the same member is back', async () => {
  const { choice, state, started } = open('acme');
  await started();
  const { host } = choice;
  state.place = null; // removed, or logged out in another tab
  await expect(host!.client.data.binaryDataByFilter({})).rejects.toThrow('The session has ended.');
  await expect.poll(() => choice.isLeftBehind).toBe(true);
  expect(choice.host).toBe(host);
  state.place = 'acme';
  await choice.session!.ask();
  expect([choice.isLeftBehind, choice.host]).toEqual([false, host]);
  state.place = 'beta'; // another member took its place
  await choice.session!.ask();
  expect(choice.isLeftBehind).toBe(true);
  await choice.retry();
  expect([choice.isLeftBehind, choice.host?.home.organizationId]).toEqual([false, 'beta-org']);
});

it('switches the organization and logs out without being left behind, and gives an annotator nowhere to send', async () => {
  const { choice, state, started } = open('acme');
  await started();
  const behind: boolean[] = [];
  const switched = choice.changeLogIn(async () => {
    await choice.session!.switchTo('beta');
    behind.push(choice.isLeftBehind);
  });
  await switched;
  expect([choice.host?.home.locationId, behind]).toEqual(['yard', [false]]);
  expect(state.targets.map(({ id }) => id)).toEqual(['session:acme']);
  await choice.changeLogIn(() => choice.session!.logOut(false));
  expect([choice.host, choice.trouble?.wants, choice.isLeftBehind]).toEqual([null, 'log-in', false]);
});

it('says that the server does not answer, and asks again when told to', async () => {
  const { choice, state, started } = open('acme');
  state.reachable = false;
  await started();
  expect(choice.trouble).toEqual({ wants: 'patience', message: 'No answer.' });
  state.reachable = true;
  await choice.retry();
  expect(choice.host?.home.partId).toBe('acme-part');
});

it('opens the session again when told to, where it could not be opened at first', async () => {
  const { choice, state, started } = open('acme');
  state.opens = false;
  await started();
  expect([choice.trouble?.wants, choice.session]).toEqual(['patience', null]);
  state.opens = true;
  await choice.retry();
  expect([choice.trouble, choice.host?.home.partId]).toEqual([null, 'acme-part']);
});

it('shows this browser where it is chosen while the server is still asked', async () => {
  const { choice, state, started } = open('acme');
  await started();
  state.onLogIn = () => choice.choose(browserHostId);
  await choice.retry();
  expect([choice.id, choice.host]).toEqual([browserHostId, browser]);
});

it('tells who is logged in beside this browser’s data', async () => {
  const memory = memoryStorage();
  memory.setItem('sightglass:data-host', JSON.stringify(browserHostId));
  const { choice } = open('acme', memory);
  await expect.poll(() => choice.session?.who?.person.name).toBe('Ada');
  expect(choice.host).toBe(browser);
});

it('falls back to this browser where the page has moved to a plain host', async () => {
  const memory = memoryStorage();
  memory.setItem('sightglass:data-host', JSON.stringify(ownServerId));
  const { choice, started } = open('acme', memory, false);
  await started();
  expect([choice.id, choice.host, choice.session]).toEqual([browserHostId, browser, null]);
});
