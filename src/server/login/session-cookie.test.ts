import { describe, expect, it } from 'vitest';
import type { Request, Response } from '../http/exchange.ts';
import { readCookie } from './cookies.ts';
import { ownOriginsOf } from './own-origin.ts';
import { sendSessionCookie, shownSession } from './session-cookie.ts';

const publicOrigin = 'https://bench.example';
const token = 'a'.repeat(43);
const asked = (headers: Record<string, string>, method = 'POST', socket: object = {}): Request =>
  ({ method, headers: { host: 'inner:8080', ...headers }, socket }) as unknown as Request;
const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: publicOrigin };
const withCookie = (headers: Record<string, string>, cookie = `__Host-sightglass-session=${token}`): Request =>
  asked({ ...headers, cookie });

describe('the origins to which the page of a request can belong', () => {
  it.each([
    ['the public origin, told by the browser', sameOrigin, 'POST', [publicOrigin]],
    ['the address that was asked', { origin: 'http://inner:8080' }, 'POST', ['http://inner:8080']],
    ['another origin', { origin: 'https://evil.example' }, 'POST', []],
    ['an origin that only begins alike', { origin: `${publicOrigin}.evil.example` }, 'POST', []],
    ['a page of the same site, not of the same origin', { ...sameOrigin, 'sec-fetch-site': 'same-site' }, 'POST', []],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 'GET', []],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, 'GET', []],
    ['a change without an origin', {}, 'POST', []],
    ['a change without an origin', {}, 'DELETE', []],
    ['a GET without an origin', {}, 'GET', [publicOrigin, 'http://inner:8080']],
    ['a HEAD without an origin', {}, 'HEAD', [publicOrigin, 'http://inner:8080']],
    ['a sandboxed page', { origin: 'null' }, 'GET', []],
  ])('%s', (_, headers, method, origins) => {
    expect(ownOriginsOf(asked(headers, method), publicOrigin)).toEqual(origins);
  });

  it('are https where the connection is encrypted, and none where the request names no host', () => {
    expect(ownOriginsOf(asked({}, 'GET', { encrypted: true }), null)).toEqual(['https://inner:8080']);
    expect(ownOriginsOf(asked({ host: 'a b' }, 'GET'), null)).toEqual([]);
  });
});

describe('a cookie', () => {
  it.each([
    ['one among others', 'x=1; s=mine; y=2', 'mine'],
    ['none', '', null],
    ['another whose name ends alike', 'my-s=theirs', null],
    ['an empty one', 's=', null],
    ['one that came twice, of which one may be of another page of the site', 's=mine; s=theirs', null],
    ['the longest that is read', `s=${'a'.repeat(4096)}`, 'a'.repeat(4096)],
    ['a longer one', `s=${'a'.repeat(4097)}`, null],
  ])('%s', (_, cookie, value) => {
    expect(readCookie(asked({ cookie }), 's')).toBe(value);
  });
});

describe('the session of a request', () => {
  it('is that of its cookie, where a page of this server sent it', () => {
    expect(shownSession(withCookie(sameOrigin), publicOrigin)).toEqual({ token, origins: [publicOrigin] });
    const plain = withCookie({ origin: 'http://inner:8080' }, `sightglass-session=${token}`);
    expect(shownSession(plain, null)).toEqual({ token, origins: ['http://inner:8080'] });
  });

  it.each([
    ['a page of another origin sent it', withCookie({ origin: 'https://evil.example' })],
    ['the cookie was set without https', withCookie(sameOrigin, `sightglass-session=${token}`)],
    ['the value is too short for a token', withCookie(sameOrigin, `__Host-sightglass-session=${token.slice(1)}`)],
    ['the value is no token', withCookie(sameOrigin, `__Host-sightglass-session=${token.slice(1)}%`)],
    ['it has a token of its own', withCookie({ ...sameOrigin, authorization: 'Bearer x' })],
    ['it has a key', withCookie({ ...sameOrigin, key: 'x' })],
    ['it has the id of a key', withCookie({ ...sameOrigin, key_id: 'x' })],
  ])('is none where %s', (_, request) => {
    expect(shownSession(request, publicOrigin)).toBe(null);
  });
});

describe('the cookie of a session', () => {
  const sentFor = (origin: string, value: string | null): unknown => {
    const headers = new Map<string, unknown>([['set-cookie', ['before=1']]]);
    const response = {
      getHeader: (name: string) => headers.get(name),
      setHeader: (name: string, all: unknown) => headers.set(name, all),
    } as unknown as Response;
    sendSessionCookie(response, origin, value, { sessionLifeMs: 1500 });
    return headers.get('set-cookie');
  };

  it('is read by no script, sent by no other site, bound to its host, and kept as long as the session', () => {
    expect(sentFor(publicOrigin, token)).toEqual([
      'before=1',
      `__Host-sightglass-session=${token}; Path=/; Max-Age=2; HttpOnly; SameSite=Strict; Secure`,
    ]);
    expect(sentFor('http://inner:8080', token)).toEqual([
      'before=1',
      `sightglass-session=${token}; Path=/; Max-Age=2; HttpOnly; SameSite=Strict`,
    ]);
  });

  it('is deleted with the session', () => {
    expect(sentFor(publicOrigin, null)).toContain(
      '__Host-sightglass-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    );
  });
});
