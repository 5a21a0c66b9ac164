import { beforeEach, describe, expect, it } from 'vitest';
import { Code, ConnectError } from '@connectrpc/connect';
import { startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { addMember } from '../../../tests/session-host.ts';
import { sessionOf } from '../../data-service/access/sessions.ts';
import { createInvitation } from '../../data-service/people/invitations.ts';
import { seenLast } from '../../data-service/people/seen-last.ts';
import type { Request, Response } from '../http/exchange.ts';
import type { Log } from '../http/log.ts';
import { answerLogin, isLogin } from './answer-login.ts';
import { ProviderError, type LoginAttempt, type OpenIdProvider, type ProvidedPerson } from './open-id-provider.ts';

const origin = 'https://data.example';
const ada: ProvidedPerson = {
  issuer: 'https://login.example',
  subject: 'ada',
  name: 'Ada',
  email: 'ada@example.org',
  isEmailVerified: true,
};

/** What a browser gets, and keeps for its next request. */
interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly page: string;
  readonly cookies: readonly string[];
  readonly retryAfter: unknown;
}

let service: TestService;
let person: ProvidedPerson | ProviderError;
let attempts: number;
let allowed: number;
let noted: unknown[];
let warned: unknown[];
beforeEach(async () => {
  service = await startDataService();
  person = ada;
  attempts = 0;
  allowed = 10;
  noted = [];
  warned = [];
});

/** A provider that names the person of the test to whoever comes back with the state of their attempt. */
const provider = {
  name: 'Acme',
  async begin(redirectUri: string) {
    const attempt: LoginAttempt = { state: 's', nonce: 'n', codeVerifier: 'v', redirectUri };
    return { url: new URL(`https://login.example/authorize?redirect_uri=${redirectUri}`), attempt };
  },
  async end({ state }: LoginAttempt, query: string): Promise<ProvidedPerson> {
    if (query !== `?state=${state}&code=c`) throw new ProviderError('not-fitting', { cause: new Error(query) });
    if (person instanceof ProviderError) throw person;
    return person;
  },
} as unknown as OpenIdProvider;

async function ask(url: string, headers: object = {}, more: object = {}, method = 'GET'): Promise<Answer> {
  const answer = { status: 0, location: undefined as string | undefined, page: '' };
  const set = new Map<string, unknown>();
  const response = {
    getHeader: (name: string) => set.get(name),
    setHeader: (name: string, value: unknown) => void set.set(name, value),
    writeHead: (status: number, { location }: { location?: string }) => Object.assign(answer, { status, location }),
    end: (page = '') => void (answer.page = page),
  };
  const handle = answerLogin({
    service: service.dependencies,
    log: { warn: (what: unknown) => void warned.push(what) } as unknown as Log,
    provider,
    countFor: () => () => {
      if (attempts++ >= allowed)
        throw new ConnectError('too many', Code.ResourceExhausted, new Headers({ 'retry-after': '60' }));
      return () => void attempts--;
    },
    noteFor: () => (refused) => void noted.push(refused),
    ...more,
  });
  const request = { method, url, headers: { host: 'data.example', ...headers }, socket: { encrypted: true } };
  await handle(request as unknown as Request, response as unknown as Response);
  return { ...answer, cookies: (set.get('set-cookie') ?? []) as string[], retryAfter: set.get('retry-after') };
}

const cookieOf = ({ cookies }: Answer, name: string): string | undefined =>
  cookies.find((one) => one.startsWith(`__Host-${name}=`));
/** The header by which a browser brings back what it was given. */
const kept = (answer: Answer) => ({ cookie: cookieOf(answer, 'sightglass-login')!.split(';', 1)[0]! });
const back = '/login/callback?state=s&code=c';
const logIn = async () => ask(back, kept(await ask('/login')));

const sessionIn = async (answer: Answer) => {
  const token = /^[^=]*=([^;]*)/.exec(cookieOf(answer, 'sightglass-session') ?? '')?.[1];
  return token === undefined ? null : sessionOf(service.dependencies, { token, origin });
};

const invite = (organizationId: string, email = ada.email) =>
  createInvitation(service.dependencies, {
    organizationId,
    locationId: null,
    partId: null,
    role: 'annotator',
    name: 'Ada',
    email,
    invitedBy: 'tests',
  });

it('is asked at two addresses, and at no other', () => {
  const paths = ['/login', '/login/callback', '/login/', '/login/callback/x', '/loginx', '/'];
  expect(paths.map(isLogin)).toEqual([true, true, false, false, false, false]);
});

describe('a log-in by the provider', () => {
  it('sends the browser there, and keeps the attempt for ten minutes where no script reads it', async () => {
    const { status, location, ...answer } = await ask('/login');
    expect([status, location]).toEqual([303, `https://login.example/authorize?redirect_uri=${origin}/login/callback`]);
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^__Host-sightglass-login=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect(attempts).toBe(0);
  });

  it('lets an invited person in, as a member, and forgets the attempt', async () => {
    await invite('b');
    const answer = await logIn();
    expect([answer.status, answer.location]).toEqual([303, '/#/data']);
    expect(cookieOf(answer, 'sightglass-login')).toContain('=; Path=/; Max-Age=0');
    expect(cookieOf(answer, 'sightglass-session')).toContain('SameSite=Strict');
    expect((await sessionIn(answer))!.member).toMatchObject({
      organizationId: 'b',
      person: { name: 'Ada', email: ada.email, issuer: ada.issuer, subject: 'ada' },
    });
    expect(attempts).toBe(0);
  });

  it('lets a known person in again, as the member as whom they were seen last', async () => {
    await invite('a');
    await invite('b');
    const first = (await sessionIn(await logIn()))!;
    const again = (await sessionIn(await logIn()))!;
    expect(again.member.id).toBe(first.member.id);
    const { people } = service.dependencies.store;
    expect(await people!.listMembers({ personId: first.member.personId })).toHaveLength(1);
    expect((await seenLast(people!, first.member.personId))!.id).toBe(first.member.id);
    await people!.removeMember(first.member.id); // the other invitation is still open
    const next = (await sessionIn(await logIn()))!;
    expect(next.member.organizationId).not.toBe(first.member.organizationId);
    await people!.removeMember(next.member.id);
    expect((await logIn()).page).toContain('You are not invited yet');
  });

  it.each([
    ['nobody invited them', {}, 'You are not invited yet'],
    ['the provider has not verified the address', { isEmailVerified: false }, 'The e-mail address is not verified'],
    ['the provider names no address', { email: '', isEmailVerified: false }, 'You are not invited yet'],
  ])('lets nobody in where %s', async (_, change, title) => {
    if (title !== 'You are not invited yet') await invite('a');
    person = { ...ada, ...change };
    const answer = await logIn();
    expect([answer.status, answer.location]).toEqual([403, undefined]);
    expect(answer.page).toContain(`<h1>${title}</h1>`);
    expect(cookieOf(answer, 'sightglass-session')).toBeUndefined();
    expect(attempts).toBe(2); // that of the address and that of the account stay counted
  });

  it('tells whoever invited the address of a refusal, and the only organization of an address that nobody invited', async () => {
    person = { ...ada, isEmailVerified: false };
    await logIn();
    expect(noted).toEqual([]); // two organizations, and neither invited them
    await invite('b');
    await logIn();
    expect(noted).toMatchObject([{ by: 'provider', organizationId: 'b' }]);
    const { access } = service.dependencies.store;
    Object.assign(access, { listOrganizations: async () => [{ id: 'a', name: 'A', timeCreated: 0 }] });
    person = { ...person, email: 'eve@example.org' };
    await logIn();
    expect(noted.slice(1)).toEqual([{ by: 'provider', organizationId: 'a', id: 'uninvited', name: '' }]);
  });

  it('is ended once, within ten minutes, by the browser that has begun it', async () => {
    await invite('a');
    const begun = await ask('/login');
    expect((await ask(back)).page).toContain('does not belong to a log-in that this browser has begun');
    expect((await ask(back, { cookie: '__Host-sightglass-login=made-up' })).status).toBe(400);
    expect((await ask(back, kept(begun))).status).toBe(303);
    expect((await ask(back, kept(begun))).page).toContain('This log-in was ended before');
    const late = await ask('/login');
    service.time.now += 10 * 60e6 + 1e6;
    expect((await ask(back, kept(late))).page).toContain('More than ten minutes passed');
  });

  it('is begun and ended by nobody but a person who opens the page', async () => {
    for (const [headers, status] of [
      [{ 'sec-fetch-dest': 'image' }, 403],
      [{ 'sec-fetch-dest': 'iframe' }, 403],
      [{ 'sec-fetch-dest': 'document' }, 303],
    ] as const)
      expect((await ask('/login', headers)).status).toBe(status);
    expect((await ask('/login', {}, {}, 'POST')).status).toBe(403);
  });

  it('says what the provider says, without its words in the page, and logs the reason', async () => {
    const begun = await ask('/login');
    const wrong = await ask('/login/callback?state=other', kept(begun));
    expect(wrong.page).toContain('This answer of Acme does not belong');
    person = new ProviderError('declined', { cause: new Error('access_denied') });
    expect((await logIn()).page).toContain('You declined at Acme');
    person = new ProviderError('client-refused', { cause: new Error('invalid_client') });
    const refused = await logIn();
    expect([refused.status, refused.page.includes('invalid_client')]).toEqual([502, false]);
    expect(warned).toMatchObject([
      { refusal: 'not-fitting', reason: '?state=other' },
      { refusal: 'declined', reason: 'access_denied' },
      { refusal: 'client-refused', reason: 'invalid_client' },
    ]);
  });

  it('says after too many attempts when to try again', async () => {
    allowed = 0;
    const { status, retryAfter, page } = await ask('/login');
    expect([status, retryAfter]).toEqual([429, '60']);
    expect(page).toContain('Wait a minute');
    expect(page).toContain('<a href="/login">');
  });

  it('is not there without a provider, and then offers no second try', async () => {
    const { status, page } = await ask('/login', {}, { provider: null });
    expect(status).toBe(404);
    expect(page).not.toContain('<a href="/login">');
  });

  it('hides no defect: what is not a refusal fails the request', async () => {
    const { store } = service.dependencies;
    Object.assign(store, { people: { findPerson: () => Promise.reject(new TypeError('a defect')) } });
    await expect(logIn()).rejects.toThrow('a defect');
  });

  it('writes no name of a provider into the page as markup', async () => {
    const named = Object.assign(Object.create(provider) as OpenIdProvider, { name: '<b>&"\'' });
    const { page } = await ask(back, {}, { provider: named });
    expect(page).toContain('This answer of &lt;b&gt;&amp;&quot;&#39; does not');
  });
});

it('finds invitations of a known person by an address that is verified at this log-in', async () => {
  await invite('a');
  expect((await sessionIn(await logIn()))!.session.verifiedEmail).toBe(ada.email);
  person = { ...ada, email: 'eve@example.org', isEmailVerified: false };
  expect((await sessionIn(await logIn()))!.session.verifiedEmail ?? '').toBe('');
});

it('a member of another person is nobody’s way in', async () => {
  const other = await addMember(service.dependencies, 'owner', null, 'b');
  person = { ...ada, email: other.person.email, isEmailVerified: false };
  expect((await logIn()).status).toBe(403);
});
