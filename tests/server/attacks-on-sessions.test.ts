import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { replaceSecrets } from '../../src/data-service/access/installation-secret.ts';
import { createSession } from '../../src/data-service/access/sessions.ts';
import { logIn } from '../../src/server/test-server.ts';
import { uploadPicture } from '../data-service-fixture.ts';
import { logInByPasskey } from './log-in-by-passkey.ts';
import { askAsSomebody, cookieOf, ofPage, startPeopleServer } from './people-at-work.ts';
import { localOrigin, sessionCookie, whoIsIn } from './people-server.ts';
import { rawRequest } from './raw-request.ts';
import { TestBrowser } from './test-browser.ts';

// Each test is an attack, named by the requirement of OWASP's Application Security Verification Standard 4.0.3 that it would break.

const hours = (count: number): number => count * 3_600_000_000;
const isRefused = ({ status, body }: { readonly status: number; readonly body: string }): boolean =>
  status === 401 && body.includes('"unauthenticated"');

describe('ASVS 3.2: how a session is bound to a log-in', () => {
  it('3.2.1 fixation: a token that somebody else has planted is not the one that a log-in makes, nor good after it', async () => {
    const { join, origin } = await startPeopleServer();
    const ada = await join();
    const planted = 'A'.repeat(43);
    ada.browser.cookies.set(sessionCookie, { ...ada.browser.cookies.get(sessionCookie)!, value: planted });
    expect((await logInByPasskey(ada)).code).toBe('');
    expect(ada.token()).not.toBe(planted);
    expect(isRefused(await askAsSomebody(origin, ofPage(origin, `${sessionCookie}=${planted}`)))).toBe(true);
  });

  it('3.2.1 a log-in over a session makes a new token, and the former one is over', async () => {
    const { join, origin } = await startPeopleServer();
    const ada = await join();
    const former = cookieOf(ada);
    expect((await askAsSomebody(origin, ofPage(origin, former))).status).toBe(200);
    await logInByPasskey(ada);
    expect(isRefused(await askAsSomebody(origin, ofPage(origin, former)))).toBe(true);
    expect((await askAsSomebody(origin, ofPage(origin, cookieOf(ada)))).status).toBe(200);
  });

  it('3.2.2 guessing: 256 random bits, none of them more often one than nought', async () => {
    const { join, server, origin } = await startPeopleServer();
    const { membershipId } = await join();
    const tokens = await Promise.all(
      Array.from({ length: 400 }, () => createSession(server.service.dependencies, { membershipId, origin })),
    );
    expect(new Set(tokens).size).toBe(400);
    const ones = new Array<number>(256).fill(0);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      for (const [at, byte] of Buffer.from(token, 'base64url').entries()) {
        for (let bit = 0; bit < 8; bit++) ones[at * 8 + bit]! += (byte >> bit) & 1;
      }
    }
    // 200 are expected, with a deviation of 10: 7 of them happen once in 10 billion tests
    for (const count of ones) expect(Math.abs(count - 200)).toBeLessThan(70);
  });

  it('3.2.3 a stolen store: it has hashes of tokens, which are good for nothing', async () => {
    const { join, server, origin } = await startPeopleServer();
    const ada = await join();
    const hash = createHash('sha256').update(ada.token()).digest('base64url');
    expect((await server.service.dependencies.store.people!.getSession(hash))!.session.id).toBe(hash);
    expect(await server.service.dependencies.store.people!.getSession(ada.token())).toBeNull();
    expect(isRefused(await askAsSomebody(origin, ofPage(origin, `${sessionCookie}=${hash}`)))).toBe(true);
  });
});

describe('ASVS 3.1 and 7.1: where a token is seen', () => {
  it('3.1.1 a token in the address opens nothing', async () => {
    const { join, origin } = await startPeopleServer();
    const ada = await join();
    for (const name of [sessionCookie, 'session', 'token', 'access_token']) {
      const path = `/viam.app.data.v1.DataService/TagsByFilter?${name}=${ada.token()}`;
      expect([name, isRefused(await askAsSomebody(origin, ofPage(origin, ''), { path }))]).toEqual([name, true]);
    }
  });

  it('7.1.1 the log has no token, no hash of one, no invitation, no ceremony and no key', async () => {
    const { join, server } = await startPeopleServer();
    const ada = await join();
    await logInByPasskey(ada);
    await ada.call('DataService/TagsByFilter');
    await ada.call('SessionService/GetInvitation', { token: 'I'.repeat(43) });
    const hash = createHash('sha256').update(ada.token()).digest('base64url');
    const log = server.log();
    expect(log).toContain('SessionService/FinishPasskeyLogIn');
    for (const secret of [ada.token(), hash, 'I'.repeat(43), 'eyJhbGciOi']) expect(log).not.toContain(secret);
  });
});

describe('ASVS 3.3: when a session ends', () => {
  it('3.3.1 after log-out the token is over, on all hosts, and the browser forgets it', async () => {
    const { join, origin, otherHost } = await startPeopleServer();
    const ada = await join();
    const [cookie, other] = [cookieOf(ada), localOrigin(await otherHost())];
    expect((await askAsSomebody(other, ofPage(origin, cookie))).status).toBe(200);
    await ada.call('SessionService/LogOut');
    expect(ada.browser.lastCookies).toEqual([`${sessionCookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`]);
    for (const host of [origin, other]) expect(isRefused(await askAsSomebody(host, ofPage(origin, cookie)))).toBe(true);
  });

  it('3.3.2 a session that nobody used for eight hours is over', async () => {
    const { join, server } = await startPeopleServer();
    const ada = await join();
    server.service.time.now += hours(7.9);
    expect((await ada.call('DataService/TagsByFilter')).code).toBe('');
    server.service.time.now += hours(7.9);
    expect((await ada.call('DataService/TagsByFilter')).code).toBe('');
    server.service.time.now += hours(8);
    expect((await ada.call('DataService/TagsByFilter')).code).toBe('unauthenticated');
  });

  it('3.3.2 a session is over after a week, however much it is used', async () => {
    const { join, server } = await startPeopleServer();
    const ada = await join();
    for (let hour = 0; hour < 7 * 24 - 6; hour += 6) {
      server.service.time.now += hours(6);
      expect((await ada.call('DataService/TagsByFilter')).code).toBe('');
    }
    server.service.time.now += hours(6);
    expect((await ada.call('DataService/TagsByFilter')).code).toBe('unauthenticated');
  });

  it('3.3.2 a clock that is set back makes no session last longer', async () => {
    const { join, server } = await startPeopleServer();
    const ada = await join();
    server.service.time.now -= hours(24);
    expect((await ada.call('DataService/TagsByFilter')).code).toBe('unauthenticated');
  });

  it('3.3.3 log-out everywhere ends the sessions of all browsers of the person, and of nobody else', async () => {
    const { join } = await startPeopleServer();
    const [ada, bob] = [await join(), await join()];
    const phone = { ...ada, browser: new TestBrowser() };
    await logInByPasskey(phone);
    expect(await whoIsIn(phone.browser, ada.origin)).toBe('Ada');
    await ada.call('SessionService/LogOut', { everywhere: true });
    expect(await whoIsIn(phone.browser, ada.origin)).toBeNull();
    expect((await bob.call('DataService/TagsByFilter')).code).toBe('');
  });

  it('3.3.4 an owner ends the sessions of a member, whose next click says so', async () => {
    const { join } = await startPeopleServer();
    const [owner, bob] = [await join({ role: 'owner' }), await join()];
    const of = { organizationId: 'a', id: bob.membershipId };
    expect((await owner.call('PeopleService/EndSessions', of)).code).toBe('');
    const next = await bob.call('DataService/TagsByFilter');
    expect([next.code, next.json['message']]).toEqual(['unauthenticated', 'Your session has ended; log in again.']);
    expect((await owner.call('DataService/TagsByFilter')).code).toBe('');
  });

  it('3.5.3 new secrets of the installation end no session, since none is signed, and void every ceremony', async () => {
    const { join, server } = await startPeopleServer();
    const ada = await join();
    const { json } = await ada.call('SessionService/BeginPasskeyLogIn');
    await replaceSecrets(server.service.dependencies);
    server.service.time.now += 11_000_000;
    const responseJson = ada.authenticator.get(String(json['optionsJson']), ada.origin);
    const ended = await ada.call('SessionService/FinishPasskeyLogIn', { ceremony: json['ceremony'], responseJson });
    expect(ended.code).toBe('failed_precondition');
    expect((await ada.call('DataService/TagsByFilter')).code).toBe('');
  });
});

describe('ASVS 3.4: where a cookie is taken from', () => {
  it('3.4.4 another origin: a stolen cookie is worthless at a page of another origin, and at another server of the store', async () => {
    const { join, origin, server } = await startPeopleServer();
    const cookie = cookieOf(await join());
    expect((await askAsSomebody(origin, ofPage(origin, cookie))).status).toBe(200);
    for (const other of ['https://evil.example', server.origin, origin.replace('http:', 'https:')]) {
      expect([other, isRefused(await askAsSomebody(origin, ofPage(other, cookie)))]).toEqual([other, true]);
    }
    // the same server by another name: an origin of its own
    expect(isRefused(await askAsSomebody(server.origin, ofPage(server.origin, cookie)))).toBe(true);
  });

  it('5.1.1 two cookies of one name: a page of the same site may have set one of them, so neither counts', async () => {
    const { join, origin } = await startPeopleServer();
    const cookie = cookieOf(await join());
    const planted = `${sessionCookie}=${'A'.repeat(43)}`;
    for (const both of [`${cookie}; ${planted}`, `${planted}; ${cookie}`, `${cookie}; ${cookie}`]) {
      expect(isRefused(await askAsSomebody(origin, ofPage(origin, both)))).toBe(true);
    }
    const headers = { origin, 'sec-fetch-site': 'same-origin', cookie: [cookie, planted] };
    expect(isRefused(await askAsSomebody(origin, headers))).toBe(true);
  });

  it('5.1.3 smuggled cookies: other spellings of the header are not read as one', async () => {
    const { join, origin } = await startPeopleServer();
    const ada = await join();
    const [token, cookie] = [ada.token(), cookieOf(ada)];
    const spellings = [
      `a=b, ${cookie}`,
      `a="; ${sessionCookie}"=${token}`,
      cookie.toUpperCase(),
      `${sessionCookie} =${token}`,
      `${sessionCookie}="${token}"`,
      `${sessionCookie}=${token.slice(0, 42)}%${token.charCodeAt(42).toString(16)}`,
      `$Version=1, ${cookie}`,
      `${sessionCookie}=${token}x`,
      `x${cookie}`,
    ];
    for (const each of spellings) {
      expect([each, isRefused(await askAsSomebody(origin, ofPage(origin, each)))]).toEqual([each, true]);
    }
    for (const header of ['cookie2', 'x-cookie', 'set-cookie', 'x-session']) {
      const headers = { ...ofPage(origin, ''), [header]: cookie };
      expect([header, isRefused(await askAsSomebody(origin, headers))]).toEqual([header, true]);
    }
  });

  it('5.1.4 an oversized cookie is no session, and harms nobody', async () => {
    const { join, origin, server } = await startPeopleServer();
    const cookie = cookieOf(await join());
    expect(isRefused(await askAsSomebody(origin, ofPage(origin, `${sessionCookie}=${'A'.repeat(8000)}`)))).toBe(true);
    const filled = `${'a=b; '.repeat(1000)}${cookie}`;
    expect((await askAsSomebody(origin, ofPage(origin, filled))).status).toBe(200);
    expect((await askAsSomebody(origin, ofPage(origin, `a=${'A'.repeat(20_000)}`))).status).toBe(431);
    expect(server.service.defects).toEqual([]);
  });

  it('3.5.2 cookie and key together: the key counts, and where it is wrong nobody is let in', async () => {
    const { join, origin, server } = await startPeopleServer();
    const cookie = cookieOf(await join({ role: 'owner', organizationId: 'b' }));
    const wrong = { ...ofPage(origin, cookie), authorization: 'Bearer nonsense' };
    expect(isRefused(await askAsSomebody(origin, wrong))).toBe(true);
    const key = { ...ofPage(origin, cookie), ...(await logIn(server)) };
    const path = '/viam.app.dataset.v1.DatasetService/ListDatasetsByOrganizationID';
    const ask = (organizationId: string) =>
      askAsSomebody(origin, key, { path, body: JSON.stringify({ organizationId }) });
    expect([(await ask('a')).status, (await ask('b')).status]).toEqual([200, 403]);
    const id = await uploadPicture(server.service.owner);
    const asKey = { 'sec-fetch-site': 'same-origin', cookie, key_id: server.service.keys.owner.id };
    const file = (headers: Record<string, string>) => rawRequest(origin, { path: `/data/files/${id}`, headers });
    expect((await file({ ...asKey, key: 'wrong' })).status).toBe(401);
    expect((await file({ ...asKey, key: server.service.keys.owner.secret })).status).toBe(200);
    expect((await file({ 'sec-fetch-site': 'same-origin', cookie, key_id: 'x' })).status).toBe(401);
    expect((await file({ 'sec-fetch-site': 'same-origin', cookie })).status).toBe(403);
    const whoAmI = { path: '/sightglass.people.v1.SessionService/GetSession' };
    expect((await askAsSomebody(origin, key, whoAmI)).body).not.toContain('Ada');
    expect((await askAsSomebody(origin, ofPage(origin, cookie), whoAmI)).body).toContain('Ada');
  });
});
