import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preview } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { isolationHeaders, isolationPlugin } from './vite-settings.ts';

it('sends the isolation headers with a 304 of the preview server too, and lets hashed files be kept', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sightglass-preview-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'dist/assets'), { recursive: true });
  writeFileSync(join(root, 'dist/index.html'), '<title>bench</title>');
  writeFileSync(join(root, 'dist/assets/worker-1a2b.js'), 'export {};');
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [isolationPlugin()],
    preview: { host: '127.0.0.1', port: 0 },
  });
  onTestFinished(() => server.close());
  const { port } = server.httpServer.address() as { port: number };
  for (const [path, caching] of [
    ['/assets/worker-1a2b.js', 'public, max-age=31536000, immutable'],
    ['/index.html', 'no-cache'],
  ] as const) {
    const first = await fetch(`http://127.0.0.1:${port}${path}`);
    const again = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'If-None-Match': first.headers.get('etag')! },
    });
    expect([first.status, again.status]).toEqual([200, 304]);
    for (const answer of [first, again])
      for (const [name, value] of Object.entries({ ...isolationHeaders, 'Cache-Control': caching }))
        expect(answer.headers.get(name), `${answer.status} of ${path}: ${name}`).toBe(value);
  }
});
