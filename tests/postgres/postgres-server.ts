import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

/** Said by tests that are skipped. */
export const withoutPostgres = 'skipped without PostgreSQL: apt-get install postgresql';

const nothingWaits = {
  autovacuum: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  jit: 'off',
  shared_buffers: '64MB',
  synchronous_commit: 'off',
};

const programs = postgresPrograms();
const serverUser = postgresUser();

/** Whether this machine has PostgreSQL, and a user that may run it. */
export const hasPostgres = programs !== null && serverUser !== null;

export interface PostgresServer {
  /** of the process whose children serve the connections */
  pid(): number;
  /** Makes an empty database, or a copy of another one. */
  createDatabase(template?: string): Promise<{ readonly name: string; readonly url: string }>;
  /** Stops it at once, as a crash does, and starts it again on the same data; as a standby, which takes no writes, where `as` says so. */
  restart(as?: 'primary' | 'standby'): Promise<void>;
  /** Stops it at once, to be started again by `restart`. */
  halt(): Promise<void>;
  /** Lets it and all its connections stand still; returns a function that lets them go on. On Linux. */
  freeze(): () => void;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of its own on a socket in a temporary folder, which nothing else can reach. Unless `settings` say otherwise it
 * is quick rather than safe: nothing waits for the disk.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = nothingWaits,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-postgres-'));
  const data = join(folder, 'data');
  const standbyMark = join(data, 'standby.signal');
  const user = serverUser!;
  chownSync(folder, user.uid, user.gid);
  const initialized = spawnSync(
    join(programs!, 'initdb'),
    ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr}${initialized.error ?? ''}`);

  let server = await start(folder, data, settings);
  const urlOf = (name: string): string => `postgres://postgres@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const keeper = new pg.Pool({ connectionString: urlOf('postgres'), max: 1 });
  keeper.on('error', () => undefined);
  let databases = 0;
  return {
    pid: () => server.pid!,
    async createDatabase(template = 'template1') {
      const name = `store_${++databases}`;
      await keeper.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return { name, url: urlOf(name) };
    },
    halt: () => end(server, 'SIGQUIT'),
    freeze() {
      const pid = server.pid!;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
      const all = [pid, ...children];
      for (const each of all) process.kill(each, 'SIGSTOP');
      return () => all.forEach((each) => process.kill(each, 'SIGCONT'));
    },
    async restart(as = 'primary') {
      await end(server, 'SIGQUIT');
      if (as === 'standby') writeFileSync(standbyMark, '');
      else rmSync(standbyMark, { force: true });
      server = await start(folder, data, settings);
    },
    async stop() {
      await keeper.end();
      await end(server, 'SIGQUIT');
      rmSync(folder, { recursive: true });
    },
  };
}

async function start(folder: string, data: string, settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const all = { ...settings, listen_addresses: '', max_connections: '200', unix_socket_directories: folder };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs!, 'postgres'), ['-D', data, ...args], {
    ...serverUser!,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/ready to accept (read-only )?connections/.test(said)) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
  return server;
}

async function end(server: ChildProcess, signal: 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

/** The folder of `postgres` and `initdb`: one of PATH, or the newest of Debian's. */
function postgresPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = readFolder(debian).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return folders.find((folder) => ['postgres', 'initdb'].every((name) => isProgram(join(folder, name)))) ?? null;
}

/** PostgreSQL refuses to run as root. */
function postgresUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid === undefined || process.getgid === undefined) return null;
  if (process.getuid() !== 0) return { uid: process.getuid(), gid: process.getgid() };
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const fields = ['postgres', 'nobody'].map((name) => users.find((line) => line.startsWith(`${name}:`))?.split(':'));
  const found = fields.find((all) => all !== undefined);
  return found === undefined ? null : { uid: Number(found[2]), gid: Number(found[3]) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
