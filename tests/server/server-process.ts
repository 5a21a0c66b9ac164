import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { FirstStart } from '../../src/server/storage/first-start.ts';

/** The command line of the checkout, bundled: it starts in half the time of its sources. */
export const binPath = process.env['SIGHTGLASS_TESTED_CLI']!;
/** What starts its sources, by the pinned Node where another one runs it. */
export const sourcesPath = fileURLToPath(new URL('../../bin/sightglass.js', import.meta.url));

/** A process of `sightglass serve`. */
export interface ServerProcess {
  readonly origin: string;
  readonly port: number;
  /** the output of the first start in a folder; null for later starts */
  readonly firstStart: FirstStart | null;
  readonly stdout: () => string;
  /** log of the server */
  readonly stderr: () => string;
  readonly process: ChildProcess;
  /** Sends a signal and waits for the exit. Returns the exit code, or the signal that ended the process. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

const labels = {
  organizationId: 'organization',
  locationId: 'location',
  partId: 'part',
  keyId: 'key id',
  key: 'key',
} as const;

/**
 * Starts `sightglass serve` on loopback and waits until it listens; it is killed at the end of the test.
 * @param dataDir null: `args` or `environment` say what it serves
 */
export async function startServerProcess(
  dataDir: string | null,
  {
    port = 0,
    args = [],
    nodeArgs = [],
    command = binPath,
    environment = {},
  }: {
    readonly port?: number;
    readonly args?: readonly string[];
    readonly nodeArgs?: readonly string[];
    readonly command?: string;
    /** beside what this process has */
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<ServerProcess> {
  const place = dataDir === null ? [] : ['--data', dataDir];
  const argv = [command, 'serve', ...place, '--port', String(port), ...args];
  const child = spawn(process.execPath, [...nodeArgs, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const listens = new Promise<number>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const found = /^Sightglass serves .* at https?:\/\/.*:(\d+)\/$/m.exec(stdout);
      if (found) resolve(Number(found[1]));
    });
  });
  const ended = exit.then(([code, signal]): never => {
    throw new Error(`The server ended (${code ?? signal}) before it listened:\n${stdout}${stderr}`);
  });
  const listening = await Promise.race([listens, ended]);
  ended.catch(() => undefined);
  const origin = `${args.includes('--tls-cert') ? 'https' : 'http'}://127.0.0.1:${listening}`;
  return {
    origin,
    port: listening,
    process: child,
    firstStart: firstStartOf(stdout),
    stdout: () => stdout,
    stderr: () => stderr,
    async end(signal) {
      child.kill(signal);
      const [code, died] = await exit;
      return code ?? died!;
    },
  };
}

function firstStartOf(stdout: string): FirstStart | null {
  const told = Object.entries(labels).map(([name, label]) => {
    const value = new RegExp(`^  ${label} {2,}(\\S+)$`, 'm').exec(stdout)?.[1];
    return [name, value] as const;
  });
  return told.every(([, value]) => value !== undefined) ? (Object.fromEntries(told) as unknown as FirstStart) : null;
}

/** An empty folder that is removed at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-server-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
