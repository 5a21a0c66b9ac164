import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { allowedHosts } from '../../src/server/limits/allowed-hosts.ts';
import { parseTrustedProxies } from '../../src/server/http/client-address.ts';
import { serveForTest } from '../../src/server/test-server.ts';
import { goThroughProvider, logInByProvider } from './log-in-by-provider.ts';
import { callAs, invite, localOrigin, sessionCookie, whoIsIn } from './people-server.ts';
import { openIdOf, pageOf, startProviderServer } from './provider-server.ts';
import { rawRequest } from './raw-request.ts';
import { TestBrowser } from './test-browser.ts';

// Each test is an attack, named by the requirement of OWASP's Application Security Verification Standard 4.0.3 that it would break.

const attemptCookie = 'sightglass-login';
const provider = 'http://127.0.0.1';

/** A server to which Ada is invited. */
async function start(...options: Parameters<typeof startProviderServer>) {
  const started = await startProviderServer(...options);
  await invite(started.server, { email: 'ada@example.com' });
  return started;
}

const attemptOf = (browser: TestBrowser) => browser.cookies.get(attemptCookie)!;

/** What the cookie of an attempt carries. */
function contentOf(browser: TestBrowser): Readonly<Record<string, string>> {
  const payload = Buffer.from(attemptOf(browser).value.split('.')[1]!, 'base64url').toString();
  return (JSON.parse(payload) as { readonly content: Readonly<Record<string, string>> }).content;
}

describe('ASVS 2.7 and 3.5: an answer of the provider is taken once, by the browser that asked for it', () => {
  it('2.7.3 a callback that is replayed in the same browser logs nobody in', async () => {
    const { origin, browser } = await start();
    const callback = await goThroughProvider(browser, origin, 'ada');
    const attempt = attemptOf(browser);
    await browser.open(callback, provider);
    expect(await whoIsIn(browser, origin)).toBe('Ada');
    await callAs(browser, origin, 'SessionService/LogOut');
    expect((await pageOf(await browser.open(callback, provider))).html).toContain('does not belong to a log-in');
    browser.cookies.set(attemptCookie, attempt); // as whoever has copied it
    expect((await pageOf(await browser.open(callback, provider))).html).toContain('was ended before');
    expect(await whoIsIn(browser, origin)).toBeNull();
  });

  it('4.2.2 a callback of an attacker’s log-in logs no victim in (login CSRF)', async () => {
    const { origin, browser: attacker } = await start();
    const callback = await goThroughProvider(attacker, origin, 'ada');
    const victim = new TestBrowser();
    expect((await pageOf(await victim.open(callback, 'https://evil.example'))).status).toBe(400);
    await victim.open(`${origin}/login`, origin, {}, provider); // has an attempt of its own
    expect((await pageOf(await victim.open(callback, 'https://evil.example'))).status).toBe(400);
    expect(victim.cookies.has(sessionCookie)).toBe(false);
  });

  it('3.5.3 a state that is changed, left out or given twice fits no attempt', async () => {
    const changes: readonly ((query: URLSearchParams) => void)[] = [
      (query) => query.set('state', 'another'),
      (query) => query.delete('state'),
      (query) => query.append('state', 'another'),
      (query) => query.append('state', query.get('state')!),
    ];
    const { origin, browser } = await start();
    for (const change of changes) {
      const callback = new URL(await goThroughProvider(browser, origin, 'ada'));
      change(callback.searchParams);
      expect((await browser.open(callback.href, provider)).status).toBe(400);
      expect(browser.cookies.has(sessionCookie)).toBe(false);
    }
  });

  it('2.7.3 a code of another log-in, put into one’s own, is refused: it is bound by PKCE and nonce', async () => {
    const { origin, browser: attacker, server } = await start();
    const stolen = new URL(await goThroughProvider(new TestBrowser(), origin, 'ada'));
    const own = new URL(await goThroughProvider(attacker, origin, 'eve'));
    own.searchParams.set('code', stolen.searchParams.get('code')!);
    expect((await attacker.open(own.href, provider)).status).toBe(400);
    expect(attacker.cookies.has(sessionCookie)).toBe(false);
    expect(server.log()).toContain('invalid_grant');
  });

  it('2.7.3 an answer of another issuer is refused (mix-up)', async () => {
    const { origin, browser } = await start();
    const callback = new URL(await goThroughProvider(browser, origin, 'ada'));
    expect(callback.searchParams.get('iss')).not.toBeNull();
    callback.searchParams.set('iss', 'https://evil.example');
    expect((await browser.open(callback.href, provider)).status).toBe(400);
    const without = new URL(await goThroughProvider(browser, origin, 'ada'));
    without.searchParams.delete('iss');
    expect((await browser.open(without.href, provider)).status).toBe(400);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
  });

  it('2.9.3 PKCE is not given up: also of a provider that says it knows only the plain method', async () => {
    const { origin, provider: own, browser } = await start();
    own.intercept = (path, respond) => {
      if (path !== '/.well-known/openid-configuration') return false;
      const issuer = own.issuer.origin;
      const endpoints = {
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      };
      respond(200, {
        issuer,
        ...endpoints,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['plain'],
      });
      return true;
    };
    await browser.open(`${origin}/login`, origin, {}, provider);
    const asked = new URL(browser.visited.at(-1)!).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(asked.get('response_type')).toBe('code');
    expect(asked.has('code_verifier')).toBe(false);
  });

  it('2.9.2 state, nonce and challenge are of 256 bits, and new for each log-in', async () => {
    const { origin } = await start();
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 8; attempt++) {
      const response = await fetch(`${origin}/login`, { redirect: 'manual' });
      const { searchParams } = new URL(response.headers.get('location')!);
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
        seen.add(searchParams.get(name)!);
      }
    }
    expect(seen.size).toBe(24);
  });

  it('3.5.3 the cookie of an attempt cannot be changed, nor made of another token of this server', async () => {
    const { origin, browser } = await start();
    const callback = await goThroughProvider(browser, origin, 'ada');
    const attempt = attemptOf(browser);
    const [head, payload, signature] = attempt.value.split('.') as [string, string, string];
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { content: object };
    const changed = { ...content, content: { ...content.content, nonce: 'mine' } };
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const value of [
      `${head}.${forged}.${signature}`,
      `${none}.${forged}.`,
      `${head}.${payload}.`,
      'nonsense',
      'A'.repeat(5000),
    ]) {
      browser.cookies.set(attemptCookie, { ...attempt, value });
      expect((await browser.open(callback, provider)).status).toBe(400);
    }
    browser.cookies.set(attemptCookie, attempt);
    await browser.open(callback, provider);
    expect(await whoIsIn(browser, origin)).toBe('Ada'); // the attempt itself was good all the time
  });
});

describe('ASVS 3.5.3: an ID token that is not for this log-in', () => {
  const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [own, another] = [makeKeys(), makeKeys()];
  const now = (): number => Math.floor(Date.now() / 1000);
  const rs256 = (claims: JWTPayload, { privateKey }: typeof own = own): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);

  /** Ends a log-in of Eve with an ID token in place of the provider's own. @returns who is logged in then */
  async function endWith(
    forge: (claims: JWTPayload, clientSecret: string) => string | Promise<string>,
  ): Promise<string | null> {
    const { origin, provider: asked, browser } = await start();
    const callback = await goThroughProvider(browser, origin, 'eve');
    const { nonce } = contentOf(browser);
    const of = {
      iss: asked.issuer.origin,
      aud: asked.clientId,
      sub: 'forged',
      nonce: nonce!,
      iat: now(),
      exp: now() + 600,
    };
    const token = await forge({ ...of, email: 'ada@example.com', email_verified: true }, asked.clientSecret);
    const answers: Readonly<Record<string, object>> = {
      '/token': { access_token: 'a', token_type: 'Bearer', id_token: token },
      '/jwks': { keys: [{ ...own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    };
    asked.intercept = (path, respond) => {
      if (answers[path] !== undefined) respond(200, answers[path]);
      return answers[path] !== undefined;
    };
    await browser.open(callback, provider);
    return whoIsIn(browser, origin);
  }

  it('one that is for it logs in, so that the refusals below are of what is wrong', async () => {
    expect(await endWith((claims) => rs256(claims))).toBe('ada@example.com');
  });

  it.each<[string, Parameters<typeof endWith>[0]]>([
    ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
    ['signed by another key', (claims) => rs256(claims, another)],
    [
      'signed by the secret of the client (confused algorithms)',
      (claims, secret) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret)),
    ],
    ['of another issuer', (claims) => rs256({ ...claims, iss: 'https://evil.example' })],
    ['for another client', (claims) => rs256({ ...claims, aud: 'another' })],
    ['of another log-in', (claims) => rs256({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => rs256(claims)],
    ['that is over', (claims) => rs256({ ...claims, iat: now() - 7200, exp: now() - 3600 })],
  ])('%s', async (_, forge) => {
    expect(await endWith(forge)).toBeNull();
  });
});

describe('ASVS 5.1.5 and 14.5: where a log-in leads', () => {
  it('5.1.5 no parameter of a log-in leads to another place (open redirect)', async () => {
    const { origin, provider: own, browser } = await start();
    const names = [
      'next',
      'redirect',
      'redirect_uri',
      'return_to',
      'returnTo',
      'url',
      'continue',
      'target_link_uri',
      'RelayState',
    ];
    const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, 'https://evil.example/'])));
    const begun = await rawRequest(origin, { path: `/login?${query}` });
    const to = new URL(String(begun.headers['location']));
    expect([to.origin, to.searchParams.get('redirect_uri')]).toEqual([own.issuer.origin, `${origin}/login/callback`]);
    // without the random letters, which may spell anything
    for (const random of ['state', 'nonce', 'code_challenge']) to.searchParams.delete(random);
    expect(to.href).not.toContain('evil');
    const callback = await goThroughProvider(browser, origin, 'ada');
    await browser.open(`${callback}&${query}`, provider);
    expect(browser.visited.at(-1)).toBe(`${origin}/#/data`);
    for (const path of [
      '/login//evil.example',
      '/login/callback/..//evil.example',
      '/login/%2f%2fevil.example',
      '//evil.example/login',
    ]) {
      expect([path, (await rawRequest(origin, { path })).headers['location']]).toEqual([path, undefined]);
    }
  });

  it('14.5.4 the host of a request does not become the place to which the provider sends people back', async () => {
    const publicOrigin = 'https://data.example.com';
    const { server, provider: own } = await start({
      service: { publicOrigin: () => publicOrigin },
      allowedHosts: allowedHosts('127.0.0.1', publicOrigin, []),
    });
    own.register(publicOrigin);
    const ask = (headers: Record<string, string>) => rawRequest(localOrigin(server), { path: '/login', headers });
    expect((await ask({ host: 'evil.example' })).status).toBe(421);
    for (const header of [
      'x-forwarded-host',
      'x-host',
      'forwarded',
      'x-original-url',
      'x-forwarded-server',
      'origin',
      'referer',
    ]) {
      const { headers } = await ask({
        [header]: header === 'forwarded' ? 'host=evil.example' : 'https://evil.example',
      });
      const { searchParams } = new URL(String(headers['location']));
      expect([header, searchParams.get('redirect_uri')]).toEqual([header, `${publicOrigin}/login/callback`]);
    }
  });

  it('5.3.3 what an address says is not repeated in the page of a failure', async () => {
    const { origin, browser } = await start();
    await browser.open(`${origin}/login`, origin, {}, provider);
    const state = new URL(browser.visited.at(-1)!).searchParams.get('state')!;
    const script = '<script>alert(1)</script>';
    const query = new URLSearchParams({ error: script, error_description: script, state, iss: script });
    const page = await pageOf(await browser.open(`${origin}/login/callback?${query}`, provider));
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('alert');
  });

  it('8.2.1 and 14.4.6 no answer of a log-in is kept, and none tells its address, which has the code, to another page', async () => {
    const { origin, browser } = await start();
    const callback = await goThroughProvider(browser, origin, 'ada');
    const cookie = browser.cookieHeader(origin);
    const path = callback.slice(origin.length);
    for (const each of ['/login', path, path]) {
      const { headers } = await rawRequest(origin, { path: each, headers: { cookie } });
      expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    }
  });

  it('7.1.1 the log has no code, state, nonce, verifier or secret of a log-in', async () => {
    const { origin, browser, server, provider: own } = await start();
    const callback = new URL(await goThroughProvider(browser, origin, 'ada'));
    const attempt = attemptOf(browser).value;
    const content = contentOf(browser);
    await browser.open(callback.href, provider);
    await browser.open(callback.href, provider);
    const log = server.log();
    expect(log).toContain('"operation":"login"');
    const secrets = [
      callback.searchParams.get('code')!,
      attempt,
      content['state']!,
      content['nonce']!,
      content['codeVerifier']!,
      own.clientSecret,
    ];
    for (const secret of secrets) expect(log).not.toContain(secret);
  });

  it('14.5.1 a log-in is begun and ended by a page alone: not by a form, a picture, a frame or a script', async () => {
    const { origin, browser } = await start();
    const callback = await goThroughProvider(browser, origin, 'ada');
    const cookie = browser.cookieHeader(origin);
    for (const path of ['/login', callback.slice(origin.length)]) {
      for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
        const answer = await rawRequest(origin, { path, method, headers: { cookie } });
        expect([path, method, answer.status, answer.headers['set-cookie']]).toEqual([path, method, 403, undefined]);
      }
      for (const destination of ['image', 'iframe', 'empty', 'script']) {
        const headers = { cookie, 'sec-fetch-dest': destination };
        const answer = await rawRequest(origin, { path, headers });
        expect([destination, answer.status, answer.headers['set-cookie']]).toEqual([destination, 403, undefined]);
      }
    }
    await browser.open(callback, provider);
    expect(await whoIsIn(browser, origin)).toBe('Ada');
  });
});

describe('ASVS 2.1 and 4.2: who somebody is', () => {
  it('4.2.1 who has the address of a known person at the provider is still somebody else', async () => {
    const { origin, browser } = await start();
    await logInByProvider(browser, origin, 'ada');
    const twin = new TestBrowser();
    expect((await pageOf(await logInByProvider(twin, origin, 'twin'))).title).toBe('You are not invited yet');
    expect(await whoIsIn(browser, origin)).toBe('Ada');
  });

  it('4.2.1 the same subject at another provider is somebody else', async () => {
    const first = await start();
    await logInByProvider(first.browser, first.origin, 'ada');
    const second = await startProviderServer();
    const server = await serveForTest({ openId: openIdOf(second.provider), shares: first.server.service });
    second.provider.register(localOrigin(server));
    const browser = new TestBrowser();
    expect((await pageOf(await logInByProvider(browser, localOrigin(server), 'ada'))).title).toBe(
      'You are not invited yet',
    );
  });

  it('2.3.1 an invitation to one address is not taken by another, nor by an address that is not verified', async () => {
    const { origin, server } = await start();
    await invite(server, { email: 'bob@example.com' });
    for (const account of ['eve', 'bob']) {
      const browser = new TestBrowser();
      expect([account, (await logInByProvider(browser, origin, account)).status]).toEqual([account, 403]);
    }
    const { people } = server.service.dependencies.store;
    expect((await people!.listInvitations({ organizationId: 'a' })).length).toBe(2);
    expect(await people!.listMembers({ organizationId: 'a' })).toEqual([]);
  });

  it('2.3.1 an invitation that is over is not taken', async () => {
    const { origin, server, browser } = await start();
    server.service.time.now += 7 * 86_400_000_000;
    expect((await pageOf(await logInByProvider(browser, origin, 'ada'))).title).toBe('You are not invited yet');
  });

  it('3.3.1 who was removed does not come in again by the provider', async () => {
    const { origin, server, browser } = await start();
    await logInByProvider(browser, origin, 'ada');
    const people = server.service.dependencies.store.people!;
    const [member] = await people.listMembers({ organizationId: 'a' });
    await people.removeMember(member!.id);
    expect((await callAs(browser, origin, 'DataService/TagsByFilter')).code).toBe('unauthenticated');
    expect((await pageOf(await logInByProvider(browser, origin, 'ada'))).title).toBe('You are not invited yet');
  });
});

describe('ASVS 2.2.1: many attempts', () => {
  const limits = { authenticateBurst: 5, authenticatePerMinute: 1 };
  const trustedProxies = parseTrustedProxies('1')!;

  it('of one address are refused for a while, those of another are not, and log-ins that succeed count nothing', async () => {
    const { origin, browser } = await start({ limits, trustedProxies });
    for (let count = 0; count < 8; count++) await logInByProvider(browser, origin, 'ada');
    expect(await whoIsIn(browser, origin)).toBe('Ada');
    const attempt = (address: string) =>
      rawRequest(origin, { path: '/login/callback?code=x', headers: { 'x-forwarded-for': address } });
    for (let count = 0; count < 5; count++) expect((await attempt('203.0.113.7')).status).toBe(400);
    const refused = await attempt('203.0.113.7');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.body).toContain('Too many attempts');
    expect((await attempt('203.0.113.8')).status).toBe(400);
  });

  it('of one account are refused from wherever they come', async () => {
    const { origin } = await start({ limits, trustedProxies });
    const attempt = async (from: number): Promise<number> => {
      const browser = new TestBrowser();
      const callback = await goThroughProvider(browser, origin, 'eve');
      const headers = { cookie: browser.cookieHeader(origin), 'x-forwarded-for': `203.0.113.${from}` };
      return (await rawRequest(origin, { path: callback.slice(origin.length), headers })).status;
    };
    const statuses: number[] = [];
    for (let from = 0; from < 6; from++) statuses.push(await attempt(from));
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });
});
