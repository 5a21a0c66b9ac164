import { expect, it } from 'vitest';
import { callAs, invite, localOrigin, whoIsIn } from './people-server.ts';
import { begin, joinByPasskey, logInByPasskey } from './log-in-by-passkey.ts';
import { startPeopleServer } from './people-at-work.ts';
import { TestAuthenticator } from './test-authenticator.ts';
import { TestBrowser } from './test-browser.ts';

async function start() {
  const people = await startPeopleServer();
  const visitor = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin: people.origin };
  return { ...people, visitor, again: () => ({ ...visitor, browser: new TestBrowser() }) };
}

it('an invitation is taken by a passkey, which logs in from then on, at any host of the store', async () => {
  const { server, origin, visitor, again, otherHost } = await start();
  const token = await invite(server, { role: 'annotator', locationId: 'lab' });
  expect((await joinByPasskey(visitor, token)).code).toBe('');
  const { json } = await callAs(visitor.browser, origin, 'SessionService/GetSession');
  expect(json).toMatchObject({
    hasPasskeys: true,
    person: { name: 'Ada' },
    membership: { role: 'annotator', locationId: 'lab' },
    passkeyNames: ['Passkey of 2026-03-11'],
  });

  const next = again();
  expect((await logInByPasskey(next)).code).toBe('');
  expect(await whoIsIn(next.browser, origin)).toBe('Ada');

  const { ceremony, optionsJson } = await begin(next, 'BeginPasskeyLogIn');
  const responseJson = visitor.authenticator.get(optionsJson, origin);
  const elsewhere = { from: origin, headers: { 'sec-fetch-site': 'same-origin' } };
  const ended = await callAs(
    next.browser,
    localOrigin(await otherHost()),
    'SessionService/FinishPasskeyLogIn',
    { ceremony, responseJson },
    elsewhere,
  );
  expect(ended.code).toBe('');
  expect(await whoIsIn(next.browser, origin)).toBe('Ada');
  expect(server.service.defects).toEqual([]);
});

it('who is logged in adds another passkey, and the one before still logs in', async () => {
  const { server, visitor, again } = await start();
  await joinByPasskey(visitor, await invite(server));
  const second = { ...visitor, authenticator: new TestAuthenticator() };
  expect((await joinByPasskey(second, '')).code).toBe('');
  expect(
    (await callAs(visitor.browser, visitor.origin, 'SessionService/GetSession')).json['passkeyNames'],
  ).toHaveLength(2);
  for (const authenticator of [visitor.authenticator, second.authenticator]) {
    const next = { ...again(), authenticator };
    expect((await logInByPasskey(next)).code).toBe('');
    expect(await whoIsIn(next.browser, visitor.origin)).toBe('Ada');
  }
});

it('who has a passkey takes another invitation by it, as the same person', async () => {
  const { server, visitor, again } = await start();
  await joinByPasskey(visitor, await invite(server));
  const token = await invite(server, { organizationId: 'b', role: 'owner' });
  const next = again();
  expect((await logInByPasskey(next, {}, token)).code).toBe('');
  const { json } = await callAs(next.browser, visitor.origin, 'SessionService/GetSession');
  expect(json).toMatchObject({ membership: { organizationId: 'b', role: 'owner' }, passkeyNames: [expect.anything()] });
  expect((json['memberships'] as object[]).length).toBe(2);
  const late = again();
  expect((await logInByPasskey(late, {}, token)).code).toBe('not_found');
  expect(await whoIsIn(late.browser, visitor.origin)).toBeNull();
});

it('passkeys are for names with https and for localhost: elsewhere one is told why there are none', async () => {
  const { server } = await startPeopleServer();
  const browser = new TestBrowser();
  expect((await callAs(browser, server.origin, 'SessionService/GetSession')).json['hasPasskeys']).toBeUndefined();
  const refused = await callAs(browser, server.origin, 'SessionService/BeginPasskeyLogIn');
  expect(refused.code).toBe('failed_precondition');
  expect(refused.json['message']).toContain('names with https');
});
