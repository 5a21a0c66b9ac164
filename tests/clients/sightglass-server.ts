import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServedHome } from './home.ts';

export interface SightglassServer extends ServedHome {
  readonly dataDir: string;
  /** the server's output */
  readonly said: string;
  /** Stops the server, waits for its end, and removes its data. @throws Error if it exits with an error */
  close(): Promise<void>;
}

const node = createRequire(import.meta.url).resolve('node/bin/node');
/** Where tests had it bundled, it starts in half the time. */
const command =
  process.env['SIGHTGLASS_TESTED_CLI'] ?? fileURLToPath(new URL('../../bin/sightglass.js', import.meta.url));
const lastLine = /^ {2}key {2,}\S+$/m;
const addressLine = /^Sightglass serves .* at \S+$/m;

/**
 * Starts `sightglass serve` on a free loopback port, unless the options name one, with an empty data folder.
 * @param shared environment of a database and a bucket to be served instead; `options` name the bucket
 * @param first the host that was told the key, where this one is another of its database
 */
export async function serveSightglass(
  options: readonly string[] = [],
  shared: Readonly<Record<string, string>> | null = null,
  first: ServedHome | null = null,
): Promise<SightglassServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sightglass-served-'));
  const place = shared === null ? ['--data', dataDir] : [];
  const port = options.includes('--port') ? [] : ['--port', '0'];
  const server = spawn(node, [command, 'serve', ...place, ...port, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...shared },
  });
  const ended = once(server, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const orphan = (): void => void server.kill('SIGKILL');
  process.once('exit', orphan);
  let complaints = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const said = await new Promise<string>((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if ((first === null ? lastLine : addressLine).test(text)) resolve(text);
    });
    ended.then(([code]) => reject(new Error(`sightglass serve ended with ${code}: ${complaints}`)), reject);
  });
  const valueOf = (label: string): string => {
    const found = new RegExp(`^  ${label} {2,}(\\S+)$`, 'm').exec(said)?.[1];
    if (found === undefined) throw new Error(`sightglass serve said no ${label}:\n${said}`);
    return found;
  };
  const home = first ?? {
    organizationId: valueOf('organization'),
    locationId: valueOf('location'),
    partId: valueOf('part'),
    keyId: valueOf('key id'),
    key: valueOf('key'),
  };
  return {
    ...home,
    origin: new URL(/ at (\S+)$/m.exec(said)![1]!).origin,
    dataDir,
    said,
    async close() {
      server.kill('SIGTERM');
      const [code] = await ended;
      process.off('exit', orphan);
      await rm(dataDir, { recursive: true, force: true });
      if (code !== 0) throw new Error(`sightglass serve ended with ${code}: ${complaints}`);
    },
  };
}
