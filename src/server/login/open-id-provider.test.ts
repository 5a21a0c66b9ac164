import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OpenIdProvider, personOf, ProviderError } from './open-id-provider.ts';

const redirectUri = 'https://data.example/login/callback';
const answer = (status: number, json: object) => ({ status, json });

let server: Server;
let issuer: string;
let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
/** What the provider answers, by path, and what it was asked with. */
let answers: Record<string, ReturnType<typeof answer> | null>;
let asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly form: URLSearchParams }[];
let claims: JWTPayload;
let signedBy: CryptoKey;

beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const path = request.url!;
      asked.push({ path, headers: request.headers, form: new URLSearchParams(Buffer.concat(parts).toString()) });
      const told = answers[path];
      if (!told) return void response.destroy();
      const json = path === '/token' && told.status === 200 ? { ...told.json, id_token: await idToken() } : told.json;
      response.writeHead(told.status, { 'content-type': 'application/json', ...challenge(told.status) });
      response.end(JSON.stringify(json));
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const challenge = (status: number) => (status === 401 ? { 'www-authenticate': 'Bearer error="invalid_token"' } : {});
const idToken = () => {
  const now = Math.floor(Date.now() / 1000);
  const usual = { sub: 'ada', iss: issuer, aud: 'sightglass', iat: now, exp: now + 300 };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(signedBy);
};

beforeEach(async () => {
  asked = [];
  signedBy = keys.privateKey;
  claims = { name: ' Ada ', email: 'Ada@Example.org', email_verified: true };
  answers = {
    '/.well-known/openid-configuration': answer(200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    }),
    '/jwks': answer(200, { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] }),
    '/token': answer(200, { access_token: 'access', token_type: 'bearer' }),
    '/userinfo': answer(200, { sub: 'ada', email: 'ada@more.org', email_verified: true, name: 'Not this' }),
  };
});

const opened = (clientSecret: string | null = 'a secret') =>
  new OpenIdProvider({ issuer: new URL(issuer), clientId: 'sightglass', clientSecret, name: 'Acme' });

/** Begins a log-in, and ends it with what the provider would send back. */
async function logIn(provider = opened(), change: (query: URLSearchParams) => void = () => undefined) {
  const { url, attempt } = await provider.begin(redirectUri);
  claims = { nonce: attempt.nonce, ...claims };
  const query = new URLSearchParams({ code: 'c', state: attempt.state });
  change(query);
  return { url, attempt, person: await provider.end(attempt, `?${query}`) };
}

const failureOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof ProviderError ? error.failure : String(error)),
  );
const change = (path: string, changes: object) => (answers[path] = answer(200, { ...answers[path]!.json, ...changes }));

describe('a log-in', () => {
  it('sends the browser with all that proves later that it has begun it', async () => {
    const { url, attempt, person } = await logIn();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'sightglass',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: redirectUri,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: createHash('sha256').update(attempt.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(person).toEqual({ issuer, subject: 'ada', name: 'Ada', email: 'ada@example.org', isEmailVerified: true });
    const { form } = asked.find(({ path }) => path === '/token')!;
    expect([form.get('code'), form.get('code_verifier')]).toEqual(['c', attempt.codeVerifier]);
  });

  it('asks for the address where the token has none, and believes the token before it', async () => {
    claims = { name: 'Ada' };
    const { person } = await logIn();
    expect(person).toMatchObject({ name: 'Ada', email: 'ada@more.org' });
    claims = { email: 'own@x.org' };
    expect((await logIn()).person).toMatchObject({ name: 'own@x.org', email: 'own@x.org', isEmailVerified: false });
    expect(asked.filter(({ path }) => path === '/userinfo')).toHaveLength(1);
    change('/.well-known/openid-configuration', { userinfo_endpoint: undefined });
    claims = {};
    expect((await logIn()).person).toMatchObject({ name: 'ada', email: '' });
  });

  it.each([
    ['in the header', ['client_secret_basic'], 'a secret', /^Basic /, null],
    ['in the header where the provider does not say', undefined, 'a secret', /^Basic /, null],
    ['in the body where the header is not taken', ['client_secret_post'], 'a secret', /^$/, 'a secret'],
    ['not at all of a public client', ['client_secret_basic'], null, /^$/, null],
  ])('sends the secret %s', async (_, methods, secret, header, inForm) => {
    change('/.well-known/openid-configuration', { token_endpoint_auth_methods_supported: methods });
    await logIn(opened(secret));
    const { headers, form } = asked.find(({ path }) => path === '/token')!;
    expect(headers.authorization ?? '').toMatch(header);
    expect(form.get('client_secret')).toBe(inForm);
  });
});

describe('a log-in that fails', () => {
  it.each([
    ['the person declines', 'declined', { error: 'access_denied' }],
    ['the provider answers with another error', 'not-fitting', { error: 'server_error' }],
    ['the state is of another attempt', 'not-fitting', { state: 'other' }],
  ])('since %s', async (_, failure, changes) => {
    const work = logIn(opened(), (query) => Object.entries(changes).forEach(([name, value]) => query.set(name, value)));
    expect(await failureOf(work)).toBe(failure);
  });

  it.each([
    ['another nonce', { nonce: 'other' }],
    ['another audience', { aud: 'other' }],
    ['another issuer', { iss: 'https://other.example' }],
    ['an end that is past', { exp: 1 }],
  ])('since the token has %s', async (_, changes) => {
    claims = { ...claims, ...changes };
    expect(await failureOf(logIn())).toBe('not-fitting');
  });

  it('since the token is signed by a key of somebody else', async () => {
    signedBy = (await generateKeyPair('RS256')).privateKey;
    expect(await failureOf(logIn())).not.toBe('none');
  });

  it.each([
    ['client-refused', 400, { error: 'invalid_client' }],
    ['client-refused', 401, { error: 'invalid_client' }],
    ['not-fitting', 400, { error: 'invalid_grant' }],
    ['unreachable', 500, { error: 'invalid_grant' }],
  ])('as %s by an answer of %i %j to the code', async (failure, status, json) => {
    answers['/token'] = answer(status, json);
    expect(await failureOf(logIn())).toBe(failure);
  });

  it('says why for the log, without the secret', async () => {
    answers['/token'] = answer(400, { error: 'invalid_client', error_description: 'unknown' });
    const error = await logIn().catch((cause: unknown) => cause as ProviderError);
    expect((error as ProviderError).reason).toContain('invalid_client');
    expect((error as ProviderError).reason).not.toContain('a secret');
  });

  it('asks for the addresses again after the provider was down, and not after what else failed', async () => {
    const provider = opened();
    const discoveries = () => asked.filter(({ path }) => path.includes('well-known')).length;
    answers['/jwks'] = answers['/token'] = null;
    const known = answers['/.well-known/openid-configuration'];
    answers['/.well-known/openid-configuration'] = null;
    expect(await failureOf(provider.begin(redirectUri))).toBe('unreachable');
    answers['/.well-known/openid-configuration'] = known!;
    expect(await failureOf(logIn(provider))).toBe('unreachable'); // at the token
    expect(discoveries()).toBe(2);
    answers['/token'] = answer(400, { error: 'invalid_grant' });
    expect(await failureOf(logIn(provider))).toBe('not-fitting');
    expect(await failureOf(logIn(provider))).toBe('not-fitting');
    expect(discoveries()).toBe(3);
  });
});

it.each([
  [{ email_verified: true }, true],
  [{ email_verified: 'true' }, true],
  [{ xms_edov: '1' }, true],
  [{ xms_edov: 1 }, true],
  [{ email_verified: [true] }, false],
  [{ email_verified: ['true'] }, false],
  [{ email_verified: { toString: (): string => 'true' } }, false],
  [{ email_verified: 'false' }, false],
  [{}, false],
])('%j: the address is verified: %j', (claims, isEmailVerified) => {
  expect(personOf('https://login.example', 's', { email: 'Ada@x.org', ...claims })).toMatchObject({
    email: 'ada@x.org',
    isEmailVerified,
  });
});
