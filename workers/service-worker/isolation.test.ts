import { describe, expect, it } from 'vitest';
import { cacheNames, fileAddress, isLogin, isMine, isPage, largeKeys } from './cache-policy.ts';
import { bearsIsolation, withIsolation } from './isolation.ts';

describe('withIsolation', () => {
  it('adds the headers and keeps everything else', async () => {
    const response = withIsolation(new Response('body', { status: 203, headers: { 'content-type': 'text/html' } }));
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/html',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect([response.status, await response.text()]).toEqual([203, 'body']);
  });

  it('hands on what has both headers, and nothing that lacks or changes one', () => {
    const policies = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };
    const isolated = new Response('body', { headers: policies });
    expect(withIsolation(isolated)).toBe(isolated);
    for (const name of Object.keys(policies)) {
      const other = withIsolation(new Response('body', { headers: { ...policies, [name]: 'unsafe-none' } }));
      expect(Object.fromEntries(other.headers)).toMatchObject(policies);
    }
  });

  it('hands on what it cannot rebuild', () => {
    const failed = Response.error();
    expect(withIsolation(failed)).toBe(failed);
    expect(withIsolation(new Response(null, { status: 304 })).status).toBe(304);
  });
});

it.each([
  ['navigate', 'document', true],
  ['same-origin', 'worker', true],
  ['same-origin', 'sharedworker', true],
  ['cors', 'script', false],
  ['cors', '', false], // a WebAssembly module
  ['no-cors', 'image', false],
] as const)('isolation asks for headers with a %s to a %s: %j', (mode, destination, expected) => {
  expect(bearsIsolation({ mode, destination })).toBe(expected);
});

describe('the caches', () => {
  it('leaves those of other apps alone', () => {
    const { shellCache, largeCache } = cacheNames('1a');
    expect([shellCache, largeCache, 'sightglass-shell-0', 'other-shell-1a', 'sightglass-notes'].map(isMine)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['navigate', 'https://bench.example/app/', true],
    ['navigate', 'https://bench.example/app/?a=b#/data/images', true],
    ['navigate', 'https://bench.example/app/index.html', true],
    ['navigate', 'https://bench.example/app/data/signed/a/b/c?expires=1', false],
    ['navigate', 'https://bench.example/app/metrics', false],
    ['cors', 'https://bench.example/app/', false],
  ] as const)('a %s to %s is a visit to the app: %j', (mode, url, expected) => {
    expect(isPage({ mode, url }, 'https://bench.example/app/')).toBe(expected);
  });

  it.each([
    ['https://bench.example/app/login', true],
    ['https://bench.example/app/login?x=y', true],
    ['https://bench.example/app/login/callback?code=c&state=s', true],
    ['https://bench.example/app/', false],
    ['https://bench.example/app/login.html', false],
    ['https://bench.example/app/docs/login', false],
    ['https://bench.example/login', false],
  ])('%s is a log-in, which the host answers: %j', (url, expected) => {
    expect(isLogin(url, 'https://bench.example/app/')).toBe(expected);
  });

  it.each([
    ['https://bench.example/app/docs/tour.html?a#b', 'https://bench.example/app/docs/tour.html'],
    ['https://bench.example/app/docs/', 'https://bench.example/app/docs/index.html'],
    ['https://bench.example/app/docs/decisions/#a', 'https://bench.example/app/docs/decisions/index.html'],
    ['https://bench.example/app/', 'https://bench.example/app/'],
  ])('the file of %s is %s', (url, address) => {
    expect(fileAddress(url)).toBe(address);
  });

  it('keeps a large file under its content', () => {
    const files = { version: '1', shell: [], large: { 'builtin/a.onnx': 'f00' }, background: [], docs: [] };
    expect([...largeKeys(files, 'https://bench.example/app/')]).toEqual([
      ['https://bench.example/app/builtin/a.onnx', 'https://bench.example/app/builtin/a.onnx?f00'],
    ]);
  });
});
