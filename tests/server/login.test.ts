import { expect, it, vi } from 'vitest';
import { serveForTest } from '../../src/server/test-server.ts';
import { goThroughProvider, logInByProvider } from './log-in-by-provider.ts';
import { callAs, invite, localOrigin, sessionCookie, whoIsIn } from './people-server.ts';
import { openIdOf, pageOf, startProviderServer as start } from './provider-server.ts';
import { refusedRows } from '../refused-rows.ts';
import { TestBrowser } from './test-browser.ts';

it.each([{ claimsInIdToken: false }, { claimsInIdToken: true }])(
  'logs in whom the provider says has the invited address, and knows the person from then on (%j)',
  async (configuration) => {
    const { server, origin, browser } = await start({}, configuration);
    await invite(server, { email: 'ada@example.com', role: 'reviewer', locationId: 'lab' });
    expect(await whoIsIn(browser, origin)).toBeNull();
    expect((await logInByProvider(browser, origin, 'ada')).status).toBe(404); // the app is not built for this test
    expect(browser.visited.at(-1)).toBe(`${origin}/#/data`);
    const { json } = await callAs(browser, origin, 'SessionService/GetSession');
    expect(json).toMatchObject({
      providerName: 'Acme',
      person: { name: 'Ada', email: 'ada@example.com' },
      membership: { role: 'reviewer', organizationId: 'a', locationId: 'lab' },
    });
    expect(
      (
        await callAs(browser, origin, 'DataService/TagsByFilter', {
          filter: { organizationIds: ['a'], locationIds: ['lab'] },
        })
      ).code,
    ).toBe('');

    const elsewhere = new TestBrowser();
    await logInByProvider(elsewhere, origin, 'ada');
    const again = await callAs(elsewhere, origin, 'SessionService/GetSession');
    expect(again.json['person']).toEqual(json['person']);
    expect(elsewhere.cookies.get(sessionCookie)!.value).not.toBe(browser.cookies.get(sessionCookie)!.value);

    await callAs(browser, origin, 'SessionService/LogOut');
    expect([await whoIsIn(browser, origin), await whoIsIn(elsewhere, origin)]).toEqual([null, 'Ada']);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
    expect(server.service.defects).toEqual([]);
  },
);

it('two hosts of one store end a log-in that the other has begun, and a session that the other has made', async () => {
  const { server, provider, origin, browser } = await start();
  const service = { ...server.service, dependencies: { ...server.service.dependencies, publicOrigin: () => origin } };
  const other = await serveForTest({ openId: openIdOf(provider), shares: service });
  await invite(server, { email: 'ada@example.com' });
  const callback = await goThroughProvider(browser, origin, 'ada');
  // the same name leads to another host, as behind a balancer: ports stand for hosts here, and cookies know none
  const elsewhere = callback.replace(origin, localOrigin(other));
  await browser.open(elsewhere, provider.issuer.href);
  expect(browser.cookies.has(sessionCookie)).toBe(true);
  expect(await whoIsIn(browser, origin)).toBe('Ada');
  const proxied = { from: origin, headers: { 'sec-fetch-site': 'same-origin' } };
  const asked = () => callAs(browser, localOrigin(other), 'SessionService/GetSession', {}, proxied);
  expect((await asked()).json['person']).toBeDefined();
  await callAs(browser, origin, 'SessionService/LogOut');
  expect((await asked()).json['person']).toBeUndefined();
});

it('behind a proxy that ends TLS, the provider and the cookies are told the public origin', async () => {
  const publicOrigin = 'https://data.example.com';
  const { server, provider, browser } = await start({ service: { publicOrigin: () => publicOrigin } });
  provider.register(publicOrigin);
  await invite(server, { email: 'ada@example.com' });
  const local = localOrigin(server);
  const begun = await fetch(`${local}/login`, { redirect: 'manual' });
  const [attempt] = begun.headers.getSetCookie();
  expect(attempt).toMatch(/^__Host-sightglass-login=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
  const asked = new URL(begun.headers.get('location')!);
  expect(asked.searchParams.get('redirect_uri')).toBe(`${publicOrigin}/login/callback`);
  const callback = await goThroughProvider(browser, local, 'ada', publicOrigin);
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const ended = await fetch(callback.replace(publicOrigin, local), { headers: { cookie }, redirect: 'manual' });
  expect(ended.headers.get('location')).toBe('/#/data');
  const session = ended.headers.getSetCookie().find((each) => each.includes('-session='));
  expect(session).toMatch(
    /^__Host-sightglass-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
  );
});

it('a provider that is down when the server starts, or later, is told in words, and used again when it is back', async () => {
  const { server, provider, origin, browser } = await start();
  await invite(server, { email: 'ada@example.com' });
  await provider.stop();
  const down = await pageOf(await browser.open(`${origin}/login`));
  expect([down.status, down.title]).toEqual([502, 'Acme does not answer']);
  expect(down.html).toContain('<a href="/login">');
  expect(down.html).toContain('<a href="/#/data">');
  await provider.startAgain();
  const callback = await goThroughProvider(browser, origin, 'ada');
  await provider.stop();
  expect((await pageOf(await browser.open(callback))).title).toBe('Acme does not answer');
  await provider.startAgain();
  await logInByProvider(browser, origin, 'ada');
  expect(await whoIsIn(browser, origin)).toBe('Ada');
  expect(server.log()).toContain('a log-in by the provider failed');
});

it('a wrong secret is told to be the server’s', async () => {
  const { provider } = await start();
  const openId = { ...openIdOf(provider), clientSecret: 'wrong-secret' };
  const server = await serveForTest({ openId });
  provider.register(localOrigin(server));
  const browser = new TestBrowser();
  const page = await pageOf(await logInByProvider(browser, localOrigin(server), 'ada'));
  expect([page.status, page.title]).toEqual([502, 'Acme does not know this server']);
  expect(server.log()).toMatch(/client-refused.*invalid_client/);
  expect(server.log()).not.toContain('wrong-secret');
});

it.each([
  ['client_secret_basic', 'Basic'],
  ['client_secret_post', undefined],
] as const)('sends the secret as a provider takes it that knows %s alone', async (method, scheme) => {
  const configuration = { clientAuthMethods: [method], clientDefaults: { token_endpoint_auth_method: method } };
  const { server, provider, origin, browser } = await start({}, configuration);
  await invite(server, { email: 'ada@example.com' });
  const schemes: (string | undefined)[] = [];
  provider.intercept = (path, _, { authorization }) => {
    if (path === '/token') schemes.push(authorization?.split(' ')[0]);
    return false;
  };
  await logInByProvider(browser, origin, 'ada');
  expect([schemes, await whoIsIn(browser, origin)]).toEqual([[scheme], 'Ada']);
});

it('who declines is told that nothing was changed', async () => {
  const { origin, browser } = await start();
  const page = await pageOf(await logInByProvider(browser, origin, null));
  expect([page.status, page.title]).toEqual([403, 'Not logged in']);
  expect(page.html).toContain('You declined at Acme');
});

it('an attempt is over after ten minutes', async () => {
  const { server, origin, browser } = await start();
  await invite(server, { email: 'ada@example.com' });
  const callback = await goThroughProvider(browser, origin, 'ada');
  server.service.time.now += 600_000_000;
  const page = await pageOf(await browser.open(callback, 'http://127.0.0.1'));
  expect([page.status, page.title]).toEqual([400, 'The log-in took too long']);
  expect(browser.cookies.has(sessionCookie)).toBe(false);
});

it('an address that the provider has not verified takes no invitation, and a person whom nobody invited comes not in', async () => {
  const { server, origin, browser } = await start();
  await invite(server, { email: 'bob@example.com' });
  const unverified = await pageOf(await logInByProvider(browser, origin, 'bob'));
  expect([unverified.status, unverified.title]).toEqual([403, 'The e-mail address is not verified']);
  const stranger = new TestBrowser();
  const unknown = await pageOf(await logInByProvider(stranger, origin, 'eve'));
  expect([unknown.status, unknown.title]).toEqual([403, 'You are not invited yet']);
  expect([browser.cookies.has(sessionCookie), stranger.cookies.has(sessionCookie)]).toEqual([false, false]);
});

it('the organization that invited an address learns of refused log-ins with it, and of others nobody', async () => {
  const rowsNow = refusedRows();
  const { server, origin } = await start();
  await invite(server, { email: 'bob@example.com' });
  for (const name of ['bob', 'bob', 'eve']) await logInByProvider(new TestBrowser(), origin, name);
  expect(await rowsNow(server)).toEqual([['provider', 'Invited', '127.0.0.1', 2]]);
  const { access } = server.service.dependencies.store;
  const [only] = await access.listOrganizations();
  vi.spyOn(access, 'listOrganizations').mockResolvedValue([only!]); // as on most servers: nobody else could be meant
  for (const name of ['eve', 'bob']) await logInByProvider(new TestBrowser(), origin, name);
  expect(await rowsNow(server)).toEqual(
    expect.arrayContaining([
      ['provider', '', '127.0.0.1', 1],
      ['provider', 'Invited', '127.0.0.1', 1],
    ]),
  );
});

it('without a provider, /login says how people log in here', async () => {
  const server = await serveForTest();
  const page = await pageOf(await fetch(`${server.origin}/login`));
  expect([page.status, page.title]).toEqual([404, 'No log-in by a provider']);
  expect(page.html).not.toContain('href="/login"');
});

it('an invitation of another organization moves nobody: who is logged in joins, or declines', async () => {
  const { server, origin, browser } = await start();
  await invite(server, { email: 'ada@example.com', role: 'reviewer' });
  await logInByProvider(browser, origin, 'ada');
  const session = async (of: TestBrowser) =>
    (await callAs(of, origin, 'SessionService/GetSession')).json as {
      readonly membership: { readonly organizationId: string };
      readonly memberships: readonly { readonly organizationId: string; readonly role: string }[];
      readonly invitations?: readonly { readonly id: string; readonly role: string; readonly invitedBy: string }[];
    };
  for (const role of ['operator', 'annotator'] as const) {
    await invite(server, { email: 'ada@example.com', organizationId: 'b', role });
    const again = new TestBrowser();
    await logInByProvider(again, origin, 'ada');
    const { membership, memberships, invitations } = await session(again);
    expect([membership.organizationId, memberships.length]).toEqual(['a', 1]);
    expect(invitations).toMatchObject([{ role, invitedBy: 'Owner' }]);
    // The log-in of before knows of it too.
    expect((await session(browser)).invitations).toEqual(invitations);
    const { id } = invitations![0]!;
    const stranger = new TestBrowser();
    for (const [who, code] of [
      [stranger, 'unauthenticated'],
      [again, ''],
      [browser, 'not_found'], // the invitation was answered
    ] as const)
      expect(
        (await callAs(who, origin, 'SessionService/AnswerInvitation', { id, join: role === 'annotator' })).code,
      ).toBe(code);
  }
  // The first was declined, the second accepted; they still work where they did.
  const { membership, memberships, invitations = [] } = await session(browser);
  expect([membership.organizationId, invitations]).toEqual(['a', []]);
  expect(memberships.map(({ organizationId, role }) => [organizationId, role])).toEqual(
    expect.arrayContaining([
      ['a', 'reviewer'],
      ['b', 'annotator'],
    ]),
  );
  expect((await server.service.dependencies.store.people!.listInvitations({ organizationId: 'b' })).length).toBe(0);
});

it('an invitation to another address is not theirs to answer', async () => {
  const { server, origin, browser } = await start();
  await invite(server, { email: 'ada@example.com' });
  await logInByProvider(browser, origin, 'ada');
  await invite(server, { email: 'eve@example.com', organizationId: 'b' });
  const [other] = await server.service.dependencies.store.people!.listInvitations({ organizationId: 'b' });
  const answer = await callAs(browser, origin, 'SessionService/AnswerInvitation', { id: other!.id, join: true });
  expect(answer.code).toBe('not_found');
});
