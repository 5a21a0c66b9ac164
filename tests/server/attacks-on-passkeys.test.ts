import { describe, expect, it } from 'vitest';
import { parseTrustedProxies } from '../../src/server/http/client-address.ts';
import { begin, joinByPasskey, logInByPasskey } from './log-in-by-passkey.ts';
import { startPeopleServer, type Visitor } from './people-at-work.ts';
import { callAs, invite, sessionCookie, whoIsIn } from './people-server.ts';
import { refusedRows } from '../refused-rows.ts';
import { TestAuthenticator, type Deviation } from './test-authenticator.ts';
import { TestBrowser } from './test-browser.ts';

// Each test is an attack, named by the requirement of OWASP's Application Security Verification Standard 4.0.3 that it would break.

async function start(...options: Parameters<typeof startPeopleServer>) {
  const people = await startPeopleServer(...options);
  const ada = await people.join();
  return { ...people, ada, thief: { ...ada, browser: new TestBrowser() } };
}

const finish = (visitor: Pick<Visitor, 'browser' | 'origin'>, ceremony: string, responseJson: string) =>
  callAs(visitor.browser, visitor.origin, 'SessionService/FinishPasskeyLogIn', { ceremony, responseJson });

const deviations: readonly (readonly [string, Deviation])[] = [
  ['2.2.4 made for another domain', { rpId: 'evil.example' }],
  ['2.2.4 given on a page of another origin', { origin: 'https://evil.example' }],
  ['2.2.4 given on a page of another port', { origin: 'http://localhost:1' }],
  ['2.9.2 to another challenge', { challenge: 'A'.repeat(43) }],
  ['2.2.7 without a finger, face or PIN', { userVerified: false }],
  ['2.9.3 of another kind', { type: 'webauthn.other' }],
];

describe('ASVS 2.2 and 2.9: an answer of an authenticator that does not fit', () => {
  it.each([
    ...deviations,
    ['2.9.1 with a signature that is not the passkey’s', { brokenSignature: true }],
    ['4.1.2 that says it is of another person', { userHandle: Buffer.from('id-000001').toString('base64url') }],
  ] as const)('log-in: %s', async (_, deviation) => {
    const { ada, thief } = await start();
    expect((await logInByPasskey(thief, deviation)).code).toBe('unauthenticated');
    expect(thief.browser.cookies.has(sessionCookie)).toBe(false);
    expect((await logInByPasskey({ ...ada, browser: thief.browser })).code).toBe('');
  });

  it.each(deviations)('registration: %s', async (_, deviation) => {
    const { origin, server } = await start();
    const visitor = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin };
    const token = await invite(server);
    expect((await joinByPasskey(visitor, token, deviation)).code).toBe('invalid_argument');
    expect(visitor.browser.cookies.has(sessionCookie)).toBe(false);
    expect((await joinByPasskey(visitor, token)).code).toBe(''); // the invitation is still good
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"id":7}',
    '{"id":"a","rawId":"a","type":"public-key"}',
    `{"id":"${'a'.repeat(60_000)}"}`,
  ])('5.1.4 what is no answer at all: %.40s', async (responseJson) => {
    const { thief, server } = await start();
    const { ceremony } = await begin(thief, 'BeginPasskeyLogIn');
    expect((await finish(thief, ceremony, responseJson)).code).toBe('unauthenticated');
    expect(server.service.defects).toEqual([]);
  });
});

describe('ASVS 2.2.6: a ceremony is for one use, for its time, and for what it was begun for', () => {
  it('2.2.6 a log-in that is replayed, also at another host at the same time, logs in once', async () => {
    const { ada, thief } = await start();
    const { ceremony, optionsJson } = await begin(ada, 'BeginPasskeyLogIn');
    const responseJson = ada.authenticator.get(optionsJson, ada.origin, { counter: 0 }); // an authenticator that counts nothing
    const answers = await Promise.all([1, 2, 3].map(() => finish(thief, ceremony, responseJson)));
    expect(answers.map(({ code }) => code).sort()).toEqual(['', 'failed_precondition', 'failed_precondition']);
    expect((await finish(thief, ceremony, responseJson)).json['message']).toContain('ended before');
  });

  it('2.7.2 after five minutes it is over', async () => {
    const { ada, thief, server } = await start();
    const { ceremony, optionsJson } = await begin(ada, 'BeginPasskeyLogIn');
    server.service.time.now += 300_000_000;
    const answer = await finish(thief, ceremony, ada.authenticator.get(optionsJson, ada.origin));
    expect([answer.code, answer.json['message']]).toEqual([
      'failed_precondition',
      'This took longer than five minutes; begin again.',
    ]);
  });

  it('3.5.3 what was begun as a registration ends no log-in, and a forged one ends nothing', async () => {
    const { ada, thief, server } = await start();
    const registration = await begin(thief, 'BeginPasskeyRegistration', { invitationToken: await invite(server) });
    const logIn = await begin(thief, 'BeginPasskeyLogIn');
    const [head, , signature] = logIn.ceremony.split('.') as [string, string, string];
    const [, foreign] = registration.ceremony.split('.') as [string, string, string];
    for (const ceremony of [registration.ceremony, `${head}.${foreign}.${signature}`, '', 'nonsense', ada.token()]) {
      const responseJson = ada.authenticator.get(logIn.optionsJson, ada.origin);
      expect((await finish(thief, ceremony, responseJson)).code).toBe('failed_precondition');
    }
  });

  it('2.9.2 an answer to one ceremony does not end another', async () => {
    const { ada, thief } = await start();
    const [first, second] = [await begin(ada, 'BeginPasskeyLogIn'), await begin(thief, 'BeginPasskeyLogIn')];
    const responseJson = ada.authenticator.get(first.optionsJson, ada.origin);
    expect((await finish(thief, second.ceremony, responseJson)).code).toBe('unauthenticated');
  });

  it('2.9.2 challenges are of 256 bits, and new for each ceremony', async () => {
    const { ada } = await start();
    const challenges = new Set<string>();
    for (let count = 0; count < 20; count++) {
      const { optionsJson } = await begin(ada, 'BeginPasskeyLogIn');
      challenges.add((JSON.parse(optionsJson) as { challenge: string }).challenge);
    }
    expect(challenges.size).toBe(20);
    for (const challenge of challenges) expect(challenge).toMatch(/^[\w-]{43}$/);
  });

  it('2.2.4 a passkey whose counter went back may be a copy: it is told, and logs nobody in', async () => {
    const { ada, thief } = await start();
    expect((await logInByPasskey(thief, { counter: 7 })).code).toBe('');
    for (const counter of [7, 6, 0]) {
      const answer = await logInByPasskey({ ...ada, browser: new TestBrowser() }, { counter });
      expect([counter, answer.code]).toEqual([counter, 'unauthenticated']);
      expect(answer.json['message']).toContain('may have been copied');
    }
    expect((await logInByPasskey(thief, { counter: 8 })).code).toBe('');
  });
});

describe('ASVS 2.3, 2.5 and 3.7: how somebody gets a passkey', () => {
  it('3.7.1 an old session, as of a browser that was left open, makes no passkey', async () => {
    const { ada, server } = await start();
    server.service.time.now += 15 * 60_000_000 + 1;
    const answer = await joinByPasskey({ ...ada, authenticator: new TestAuthenticator() }, '');
    expect([answer.code, answer.json['message']]).toEqual([
      'failed_precondition',
      expect.stringContaining('log out and in again'),
    ]);
    await logInByPasskey(ada);
    expect((await joinByPasskey({ ...ada, authenticator: new TestAuthenticator() }, '')).code).toBe('');
  });

  it('4.1.3 nobody makes a passkey without a session or an invitation, nor ends what another session began', async () => {
    const { ada, join, origin } = await start();
    const nobody = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin };
    expect((await joinByPasskey(nobody, '')).code).toBe('unauthenticated');
    const eve = await join();
    const { ceremony, optionsJson } = await begin(eve, 'BeginPasskeyRegistration');
    const responseJson = eve.authenticator.create(optionsJson, origin);
    const ended = await ada.call('SessionService/FinishPasskeyRegistration', { ceremony, responseJson });
    expect(ended.code).toBe('invalid_argument');
    expect((await ada.call('SessionService/GetSession')).json['passkeyNames']).toHaveLength(1);
  });

  it('4.2.1 a passkey that is another person’s is not made one’s own', async () => {
    const { ada, join, origin } = await start();
    const eve = await join();
    const begun = await begin(eve, 'BeginPasskeyRegistration');
    const made = JSON.parse(eve.authenticator.create(begun.optionsJson, origin)) as { id: string };
    const finishAs = (visitor: Visitor, message: object) =>
      visitor.call('SessionService/FinishPasskeyRegistration', message);
    expect((await finishAs(eve, { ceremony: begun.ceremony, responseJson: JSON.stringify(made) })).code).toBe('');
    const next = await begin(ada, 'BeginPasskeyRegistration');
    const copied = ada.authenticator.create(next.optionsJson, origin, { credentialId: made.id });
    expect((await finishAs(ada, { ceremony: next.ceremony, responseJson: copied })).code).toBe('already_exists');
  });

  it('4.2.1 a passkey that an invitation makes in the browser of somebody else is not theirs, nor are their memberships', async () => {
    const { ada, server, origin } = await start();
    const bob = { ...ada, authenticator: new TestAuthenticator() };
    const invited = { organizationId: 'b', role: 'annotator' } as const;
    expect((await joinByPasskey(bob, await invite(server, invited))).code).toBe('');
    const { json } = await callAs(bob.browser, origin, 'SessionService/GetSession');
    expect(json['memberships']).toMatchObject([{ organizationId: 'b', role: 'annotator' }]);
    const again = { ...ada, browser: new TestBrowser() };
    expect((await logInByPasskey(again)).code).toBe('');
    const own = await callAs(again.browser, origin, 'SessionService/GetSession');
    expect(own.json).toMatchObject({ passkeyNames: [expect.anything()], memberships: [{ organizationId: 'a' }] });
  });

  it('2.3.1 an invitation is taken once, however many take it at the same time', async () => {
    const { server, origin } = await start();
    const token = await invite(server);
    const visitors = [1, 2, 3, 4].map(() => ({
      browser: new TestBrowser(),
      authenticator: new TestAuthenticator(),
      origin,
    }));
    const codes = (await Promise.all(visitors.map((visitor) => joinByPasskey(visitor, token)))).map(({ code }) => code);
    expect(codes.filter((code) => code === '')).toHaveLength(1);
    expect(codes.filter((code) => code === 'not_found')).toHaveLength(3);
    const names = await Promise.all(visitors.map(({ browser }) => whoIsIn(browser, origin)));
    expect(names.filter((name) => name !== null)).toHaveLength(1);
    expect((await server.service.dependencies.store.people!.listMembers({ organizationId: 'a' })).length).toBe(2);
  });

  it('2.3.1 an invitation is over after a week, and one that was guessed, taken or deleted is told in the same words', async () => {
    const { server, origin } = await start();
    const [over, taken, deleted] = [await invite(server), await invite(server), await invite(server)];
    const eve = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin };
    const { people } = server.service.dependencies.store;
    await joinByPasskey(eve, taken);
    const left = await people!.listInvitations({ organizationId: 'a' });
    await people!.deleteInvitation('a', left[1]!.id);
    server.service.time.now += 7 * 86_400_000_000;
    const answers = new Set<string>();
    for (const token of [over, taken, deleted, 'A'.repeat(43), 'short']) {
      for (const call of ['GetInvitation', 'BeginPasskeyRegistration']) {
        const message = { token, invitationToken: token };
        const answer = await callAs(new TestBrowser(), origin, `SessionService/${call}`, message);
        answers.add(`${answer.code} ${String(answer.json['message'])}`);
      }
    }
    expect([...answers]).toEqual([
      'not_found This invitation was taken, or it is over. Ask an owner of the organization for another one.',
    ]);
  });

  it('4.1.2 a registration that was begun by one invitation does not take another', async () => {
    const { server, origin } = await start();
    const [low, high] = [await invite(server, { role: 'annotator' }), await invite(server, { role: 'owner' })];
    const eve = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin };
    const { ceremony, optionsJson } = await begin(eve, 'BeginPasskeyRegistration', { invitationToken: low });
    const responseJson = eve.authenticator.create(optionsJson, origin);
    const finishWith = (invitationToken: string) =>
      callAs(eve.browser, origin, 'SessionService/FinishPasskeyRegistration', {
        ceremony,
        responseJson,
        invitationToken,
      });
    expect((await finishWith(high)).code).toBe('invalid_argument');
    expect(eve.browser.cookies.size).toBe(0);
  });
});

describe('ASVS 2.2.1 and 2.2.2: many attempts, and what refusals tell', () => {
  const limits = { authenticateBurst: 5, authenticatePerMinute: 1 };

  it('2.2.1 a passkey that is unknown and one whose signature is wrong are refused in the same words', async () => {
    const { thief } = await start();
    const stranger = new TestAuthenticator();
    stranger.create(
      (await begin(thief, 'BeginPasskeyLogIn')).optionsJson.replace(
        '"rpId":"localhost"',
        '"rp":{"id":"localhost"},"user":{"id":"eA"}',
      ),
      thief.origin,
    );
    const unknown = await logInByPasskey({ ...thief, authenticator: stranger });
    const wrong = await logInByPasskey(thief, { brokenSignature: true });
    expect(unknown).toEqual(wrong);
  });

  it('7.2.1 the organization of a passkey or an invitation that was refused learns of it, once a minute', async () => {
    const rowsNow = refusedRows();
    const { thief, server, origin } = await start();
    const [open, over] = [await invite(server), await invite(server)];
    for (let n = 0; n < 3; n++) await logInByPasskey(thief, { brokenSignature: true });
    await logInByPasskey(thief, { counter: 7 });
    await logInByPasskey(thief, { counter: 6 });
    const visitor = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin };
    await joinByPasskey(visitor, open, { challenge: 'A'.repeat(43) });
    expect((await joinByPasskey(visitor, open)).code).toBe('');
    for (const token of [open, 'A'.repeat(43)])
      await callAs(new TestBrowser(), origin, 'SessionService/GetInvitation', { token });
    server.service.time.now += 7 * 86_400_000_000;
    await callAs(new TestBrowser(), origin, 'SessionService/GetInvitation', { token: over });
    const rows = await rowsNow(server);
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['passkey', 'Ada', '127.0.0.1', 4],
        ['invitation', 'Invited', '127.0.0.1', 1],
        ['invitation', 'Invited', '127.0.0.1', 1],
      ]),
    );
    expect(server.service.defects).toEqual([]);
  });

  it('2.2.1 guesses of an invitation are refused after a few, by address', async () => {
    const { origin, server } = await startPeopleServer({ limits });
    const good = await invite(server);
    const guess = (token: string) => callAs(new TestBrowser(), origin, 'SessionService/GetInvitation', { token });
    for (let count = 0; count < 8; count++) expect((await guess(good)).code).toBe('');
    for (let count = 0; count < 5; count++) expect((await guess(`guess-${count}`)).code).toBe('not_found');
    const refused = await guess(good);
    expect([refused.code, refused.json['message']]).toEqual([
      'resource_exhausted',
      'Too many attempts to log in; try again in 60 s.',
    ]);
  });

  it('2.2.1 attempts by one passkey are refused after a few, from wherever they come', async () => {
    const { origin, join } = await startPeopleServer({ limits, trustedProxies: parseTrustedProxies('1')! });
    const [ada, bob] = [await join(), await join()];
    const attempt = async (
      { authenticator, browser }: Visitor,
      from: number,
      deviation: Deviation,
    ): Promise<string> => {
      const { ceremony, optionsJson } = await begin({ browser, authenticator, origin }, 'BeginPasskeyLogIn');
      const responseJson = authenticator.get(optionsJson, origin, deviation);
      const headers = { 'x-forwarded-for': `203.0.113.${from}` };
      return (
        await callAs(browser, origin, 'SessionService/FinishPasskeyLogIn', { ceremony, responseJson }, { headers })
      ).code;
    };
    for (let from = 0; from < 5; from++)
      expect(await attempt(ada, from, { brokenSignature: true })).toBe('unauthenticated');
    expect(await attempt(ada, 9, {})).toBe('resource_exhausted');
    expect(await attempt(bob, 9, {})).toBe('');
  });
});
