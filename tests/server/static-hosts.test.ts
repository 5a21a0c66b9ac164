import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

/** The block of docs/hosting.md in this language. */
function documented(language: string): string {
  const text = readFileSync('docs/hosting.md', 'utf8');
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)![1]!;
}

/** These servers are told their port beforehand. */
async function freePort(): Promise<number> {
  const held = createServer();
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve));
  const { port } = held.address() as AddressInfo;
  await new Promise((resolve) => held.close(resolve));
  return port;
}

interface Host {
  readonly program: string;
  readonly language: string;
  /** what the documented lines stand in, and how the program is started on it */
  start(
    config: string,
    folder: string,
  ): { readonly file: string; readonly text: string; readonly args: readonly string[] };
}

const apacheModules = ['mpm_event', 'authz_core', 'dir', 'mime', 'headers', 'setenvif'];
const hosts: readonly Host[] = [
  {
    program: '/usr/sbin/nginx',
    language: 'nginx',
    start: (config, folder) => ({
      file: 'nginx.conf',
      text: `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\ninclude /etc/nginx/mime.types;\naccess_log off;\n${config}}\n`,
      args: ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
    }),
  },
  {
    program: '/usr/bin/caddy',
    language: 'caddyfile',
    start: (config, folder) => ({
      file: 'Caddyfile',
      text: `{\nadmin off\n}\n${config}`,
      args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    }),
  },
  {
    program: '/usr/sbin/apache2',
    language: 'apache',
    start: (config, folder) => ({
      file: 'apache.conf',
      text: [
        `ServerRoot ${folder}\nServerName localhost\nPidFile ${folder}/pid\nErrorLog ${folder}/error.log\nDefaultRuntimeDir ${folder}`,
        ...apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        'TypesConfig /etc/mime.types',
        config,
      ].join('\n'),
      args: ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')],
    }),
  },
];

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

describe.each(hosts)('the documented lines for $language', ({ program, language, start }) => {
  it.skipIf(!existsSync(program))('serve the page with the headers that it needs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightglass-host-'));
    execFileSync('chmod', ['755', folder]);
    const root = join(folder, 'dist');
    mkdirSync(join(root, 'assets'), { recursive: true });
    writeFileSync(join(root, 'index.html'), '<!doctype html>');
    for (const name of ['entry-1a2b.js', 'ort-5e6f.wasm']) writeFileSync(join(root, 'assets', name), 'x');
    const port = await freePort();
    const config = documented(language).replaceAll('/srv/sightglass', root).replaceAll('8080', String(port));
    const { file, text, args } = start(config, folder);
    writeFileSync(join(folder, file), text);
    const server = spawn(program, args, { stdio: 'pipe', env: { ...process.env, HOME: folder } });
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    onTestFinished(async () => {
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await expect
      .poll(
        () =>
          get('/').then(
            ({ status }) => status,
            () => said,
          ),
        { timeout: 20_000 },
      )
      .toBe(200);

    const kept = { ...isolation, 'cache-control': 'public, max-age=31536000, immutable' };
    const expected: readonly (readonly [path: string, type: RegExp, headers: Record<string, string>])[] = [
      ['/', /^text\/html/, { ...isolation, 'cache-control': 'no-cache' }],
      ['/assets/entry-1a2b.js', /javascript/, kept],
      ['/assets/ort-5e6f.wasm', /^application\/wasm/, kept],
    ];
    for (const [path, type, headers] of expected) {
      const answer = await get(path);
      expect(answer.headers.get('content-type'), path).toMatch(type);
      expect(Object.fromEntries(answer.headers), path).toMatchObject(headers);
      const again = await get(path, { 'if-none-match': answer.headers.get('etag')! });
      expect(again.status, path).toBe(304);
      expect(Object.fromEntries(again.headers), `${path}, 304`).toMatchObject(headers);
    }
    expect(Object.fromEntries((await get('/missing')).headers)).toMatchObject(isolation);
  });
});
