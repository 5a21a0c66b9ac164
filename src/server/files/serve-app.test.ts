import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serveForTest } from '../test-server.ts';

it('serves the built app isolated, and nothing beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.html'), '<title>bench</title>');
  const { origin } = await serveForTest({ appFolder: folder });
  const page = await fetch(`${origin}/`);
  expect(await page.text()).toBe('<title>bench</title>');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; frame-ancestors 'none'$/);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  writeFileSync(join(folder, 'host.json'), '{ "servesData": false }');
  expect(await (await fetch(`${origin}/host.json`)).json()).toEqual({ servesData: true });
  for (const path of ['/none.js', '/..%2f..%2fetc/passwd']) expect((await fetch(origin + path)).status).toBe(404);
  expect((await fetch(`${origin}/`, { method: 'POST' })).status).toBe(405);
});

it('sends its headers with a 304 too, and lets hashed files be kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>bench</title>');
  writeFileSync(join(folder, 'assets/worker-1a2b.js'), 'export {};');
  const { origin } = await serveForTest({ appFolder: folder });
  for (const [path, caching] of [
    ['/', 'no-cache'],
    ['/assets/worker-1a2b.js', 'public, max-age=31536000, immutable'],
  ] as const) {
    const first = await fetch(origin + path);
    const again = await fetch(origin + path, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect([first.status, again.status]).toEqual([200, 304]);
    expect(again.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(again.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(again.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(again.headers.get('cache-control')).toBe(caching);
  }
});

it('says how to build the app where it is not built', async () => {
  const { origin } = await serveForTest();
  const page = await fetch(`${origin}/`);
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('npm run build')]);
});
