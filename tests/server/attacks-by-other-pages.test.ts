import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { webAuthn } from '../../src/platform/node/web-authn.ts';
import { makeCertificate, serveForTest } from '../../src/server/test-server.ts';
import { uploadPicture } from '../data-service-fixture.ts';
import { begin } from './log-in-by-passkey.ts';
import { askAsSomebody, cookieOf, ofPage, startPeopleServer } from './people-at-work.ts';
import { callAs, invite, localOrigin, sessionCookie } from './people-server.ts';
import { rawRequest } from './raw-request.ts';
import { TestAuthenticator } from './test-authenticator.ts';
import { TestBrowser } from './test-browser.ts';

// Each test is an attack, named by the requirement of OWASP's Application Security Verification Standard 4.0.3 that it would break.

const createDataset = '/viam.app.dataset.v1.DatasetService/CreateDataset';
const datasetA = JSON.stringify({ organizationId: 'a', name: 'forged' });

async function start() {
  const people = await startPeopleServer();
  const ada = await people.join({ role: 'owner' });
  const { store } = people.server.service.dependencies;
  const forge = (headers: Record<string, string>, { method = 'POST', body = datasetA, path = createDataset } = {}) =>
    rawRequest(people.origin, { path, method, headers: { cookie: cookieOf(ada), ...headers }, body });
  return { ...people, ada, forge, datasets: async () => (await store.datasets.list('a')).length };
}

describe('ASVS 4.2.2: another page sends what its victim’s cookie would allow (CSRF)', () => {
  it('the server does what its own page asks, so that the refusals below are of the attack', async () => {
    const { forge, origin } = await start();
    const own = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    expect((await forge(own)).status).toBe(200);
  });

  it.each([
    [
      'by a form',
      {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
    ],
    [
      'by a form with files',
      {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'content-type': 'multipart/form-data; boundary=x',
      },
    ],
    [
      'by a form of text',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
    ],
    [
      'by fetch without CORS',
      {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'no-cors',
        'content-type': 'text/plain',
      },
    ],
    [
      'by fetch with CORS',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
    ],
    ['by a browser without Fetch Metadata', { origin: 'https://evil.example', 'content-type': 'application/json' }],
    [
      'by a page of the same site',
      { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site', 'content-type': 'application/json' },
    ],
    ['by a page in a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }],
    ['without saying from where', { 'content-type': 'application/json' }],
    ['as if the address was typed', { 'sec-fetch-site': 'none', 'content-type': 'application/json' }],
    [
      'by gRPC-Web',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/grpc-web+proto' },
    ],
  ])('%s', async (_, headers) => {
    const { forge, datasets } = await start();
    expect([401, 415, 200]).toContain((await forge(headers)).status); // gRPC-Web says a refusal in its trailers
    expect(await datasets()).toBe(0);
  });

  it('by Origin of this server and Fetch Metadata of another: what does not fit is refused', async () => {
    const { forge, origin, datasets } = await start();
    for (const site of ['cross-site', 'same-site', 'none', '', 'Same-Origin', 'same-origin, cross-site']) {
      const headers = { origin, 'sec-fetch-site': site, 'content-type': 'application/json' };
      expect([site, (await forge(headers)).status]).toEqual([site, 401]);
    }
    expect(await datasets()).toBe(0);
  });

  it('14.5.3 CORS: no page of another origin is allowed to send cookies, nor to read what they opened', async () => {
    const { forge } = await start();
    const asked = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const { headers } = await forge(asked, { method: 'OPTIONS', body: '' });
    // a browser refuses an answer to a request with cookies where these two are so (Fetch, section 3.3.5)
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('13.2.1 another method is not the call: GET, PUT, and POST that is told to be another', async () => {
    const { forge, origin, datasets } = await start();
    const own = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const query = `?connect=v1&encoding=json&message=${encodeURIComponent(datasetA)}`;
    expect((await forge(own, { method: 'GET', body: '', path: createDataset + query })).status).not.toBe(200);
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await forge(own, { method })).status).toBe(405);
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const headers = { 'sec-fetch-site': 'same-origin', [header]: 'POST' };
      const path = `${createDataset}?_method=POST`;
      expect((await forge(headers, { method: 'GET', path })).status).not.toBe(200);
    }
    expect(await datasets()).toBe(0);
  });
});

describe('ASVS 4.2.2: files', () => {
  it('another page shows no file by its victim’s cookie, and one that this page shows is of this origin alone', async () => {
    const { forge, server, origin } = await start();
    const id = await uploadPicture(server.service.owner);
    const get = (headers: Record<string, string>) =>
      forge(headers, { method: 'GET', path: `/data/files/${id}`, body: '' });
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect([site, (await get({ 'sec-fetch-site': site, 'sec-fetch-dest': 'image' })).status]).toEqual([site, 401]);
    }
    expect((await get({ origin: 'https://evil.example' })).status).toBe(401);
    const own = await get({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' });
    expect([own.status, own.body, own.headers['cross-origin-resource-policy']]).toEqual([200, 'pixels', 'same-origin']);
    // a browser that tells nothing, as on plain http in a workshop: no other page can read the answer
    const silent = await get({});
    expect([silent.status, silent.headers['cross-origin-resource-policy']]).toEqual([200, 'same-origin']);
    expect((await get({ origin })).status).toBe(200);
  });
});

describe('ASVS 4.2.2: a log-in that the victim has not wished (login CSRF)', () => {
  it('a page of another origin logs nobody in here by its own passkey', async () => {
    const { origin, ada } = await start();
    const { ceremony, optionsJson } = await begin(ada, 'BeginPasskeyLogIn');
    const responseJson = ada.authenticator.get(optionsJson, origin);
    const victim = new TestBrowser();
    for (const [from, headers] of [
      ['https://evil.example', {}],
      ['http://localhost:1', {}],
      [origin, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await callAs(
        victim,
        origin,
        'SessionService/FinishPasskeyLogIn',
        { ceremony, responseJson },
        { from, headers },
      );
      expect([from, answer.code, victim.cookies.size]).toEqual([from, 'failed_precondition', 0]);
    }
  });

  it('14.4.7 the pages of a log-in are shown in no frame, and begun by none', async () => {
    const { origin } = await start();
    const shown = await rawRequest(origin, { path: '/login' });
    expect(shown.headers['x-frame-options']).toBe('DENY');
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('ASVS 3.4: the cookie of a session', () => {
  const publicOrigin = 'https://data.example.com';

  /** The cookie that a log-in sets where clients come by https. */
  async function cookieOverHttps() {
    const logIn = { passkeys: webAuthn, providerName: '' };
    const server = await serveForTest({ service: { logIn, publicOrigin: () => publicOrigin } });
    const [browser, authenticator] = [new TestBrowser(), new TestAuthenticator()];
    const page = { from: publicOrigin, headers: { 'sec-fetch-site': 'same-origin' } };
    const ask = (call: string, message: object) =>
      callAs(browser, localOrigin(server), `SessionService/${call}`, message, page);
    const invitationToken = await invite(server);
    const { json } = await ask('BeginPasskeyRegistration', { invitationToken });
    const responseJson = authenticator.create(String(json['optionsJson']), publicOrigin);
    await ask('FinishPasskeyRegistration', { invitationToken, ceremony: json['ceremony'], responseJson });
    const [line] = browser.lastCookies as [string];
    return { server, line, attributes: line.split('; ').slice(1), token: line.split(';')[0]!.split('=')[1]! };
  }

  it.each([
    ['3.4.1', 'Secure'],
    ['3.4.2', 'HttpOnly'],
    ['3.4.3', 'SameSite=Strict'],
    ['3.4.5', 'Path=/'],
  ])('%s %s', async (_, attribute) => {
    expect((await cookieOverHttps()).attributes).toContain(attribute);
  });

  it('3.4.4 has the prefix __Host-, and no Domain; without the prefix, as a page over http could set it, it does not count', async () => {
    const { server, line, attributes, token } = await cookieOverHttps();
    expect(line.startsWith(`__Host-${sessionCookie}=`)).toBe(true);
    expect(attributes.some((each) => /^domain/i.test(each))).toBe(false);
    const local = localOrigin(server);
    expect((await askAsSomebody(local, ofPage(publicOrigin, `__Host-${sessionCookie}=${token}`))).status).toBe(200);
    for (const name of [sessionCookie, `__Secure-${sessionCookie}`, `__host-${sessionCookie}`]) {
      expect([name, (await askAsSomebody(local, ofPage(publicOrigin, `${name}=${token}`))).status]).toEqual([
        name,
        401,
      ]);
    }
  });

  it('3.4.4 over TLS of its own the server knows that its origin is https', async () => {
    const tls = await makeCertificate();
    const server = await serveForTest({ tls });
    const answered = await new Promise<readonly string[]>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', origin: server.origin, 'sec-fetch-site': 'same-origin' };
      const path = '/sightglass.people.v1.SessionService/LogOut';
      request(server.origin + path, { method: 'POST', headers, ca: tls.cert }, (response) => {
        response.resume();
        resolve(response.headers['set-cookie'] ?? []);
      })
        .on('error', reject)
        .end('{}');
    });
    expect(answered).toEqual([`__Host-${sessionCookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure`]);
  });
});
