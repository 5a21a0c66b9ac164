import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { membershipOf, serverTarget, sessionTarget } from './outbox-target.ts';
import { sessionOnly } from './session-only.ts';

const { signal } = new AbortController();
const target = sessionTarget('https://acme.test', {
  membershipId: 'm1',
  personName: 'Ada',
  organizationName: 'Acme',
  partId: 'p1',
});

function open(loggedIn: string | null) {
  const state = { loggedIn };
  const transport = createRouterTransport(({ service }) => {
    service(SessionService, {
      getSession: () => (state.loggedIn === null ? {} : { membership: { id: state.loggedIn } }),
    });
  });
  return { state, authorize: sessionOnly(transport, target) };
}

it('is a server without a key, named for the organization and the person', () => {
  expect(target).toMatchObject({ kind: 'server', id: 'session:m1', name: 'Acme as Ada', keyId: '', partId: 'p1' });
  expect(membershipOf(target)).toBe('m1');
  const keyed = serverTarget({ id: 's1', name: '', url: 'https://acme.test', keyId: 'k', partId: 'p1' });
  expect(membershipOf(keyed)).toBeNull();
});

it('calls without a key while the same member is logged in, and never in the name of another', async () => {
  const { state, authorize } = open('m1');
  const sent: string[] = [];
  const send = () => authorize(signal, async (authorization) => void sent.push(authorization));
  await send();
  for (const other of ['m2', null]) {
    state.loggedIn = other;
    await expect(send()).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'Nobody is logged in as Acme as Ada; log in, and sending goes on.',
    });
  }
  expect(sent).toEqual(['']);
});

it('waits for a log-in where the session ends between the question and the call, and hands other failures on', async () => {
  const { authorize } = open('m1');
  const failing = (code: Code) => authorize(signal, () => Promise.reject(new ConnectError('no', code)));
  await expect(failing(Code.Unauthenticated)).rejects.toMatchObject({ name: 'UploadError', code: 'unauthenticated' });
  await expect(failing(Code.Unavailable)).rejects.toMatchObject({ code: Code.Unavailable });
});
