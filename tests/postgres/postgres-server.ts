import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
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
  /** folder of its socket: the `host` of an address */
  readonly folder: string;
  /** The id of the process whose children serve the connections. */
  pid(): number;
  /** Asks it something, in a database that no store has. */
  ask(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Makes an empty database, or a copy of another one. */
  createDatabase(template?: string): Promise<{ readonly name: string; readonly url: string }>;
  /** Stops it at once, as a crash does, and starts it again on the same data; as a standby, which takes no writes, where `as` says so. */
  restart(as?: 'primary' | 'standby'): Promise<void>;
  /** Stops it at once, to be started again by `restart`. */
  halt(): Promise<void>;
  /** Lets it and all its connections stand still; returns a function that lets them go on. On Linux. */
  freeze(): () => void;
  /** Copies it while it runs, and starts the copy as a standby that streams from it and that its commits wait for. */
  startStandby(): Promise<PostgresServer>;
  stop(): Promise<void>;
}

/** The address of a database that one of several servers has as its primary. */
export const urlOfServers = (servers: readonly PostgresServer[], name: string): string =>
  `postgres://postgres@localhost/${name}?host=${servers.map(({ folder }) => encodeURIComponent(folder)).join()}`;

/**
 * Starts a PostgreSQL of its own on a socket in a temporary folder, which nothing else can reach. Unless `settings` say otherwise it
 * is quick rather than safe: nothing waits for the disk.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = nothingWaits,
): Promise<PostgresServer> {
  const folder = ownFolder();
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  runAsServer(folder, 'initdb', [`--pgdata=${dataOf(folder)}`, ...options]);
  return serverIn(folder, settings);
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-postgres-'));
  chownSync(folder, serverUser!.uid, serverUser!.gid);
  return folder;
}

const dataOf = (folder: string): string => join(folder, 'data');

function runAsServer(folder: string, program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(join(programs!, program), args, {
    ...serverUser!,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}${error ?? ''}`);
}

/** Starts the server whose data are in a folder. */
async function serverIn(folder: string, settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const data = dataOf(folder);
  const standbyMark = join(data, 'standby.signal');
  let server = await start(folder, data, settings);
  const urlOf = (name: string): string => `postgres://postgres@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const keeper = new pg.Pool({ connectionString: urlOf('postgres'), max: 1 });
  keeper.on('error', () => undefined);
  let databases = 0;
  return {
    folder,
    pid: () => server.pid!,
    ask: async (sql) => (await keeper.query<Record<string, unknown>>(sql)).rows,
    async createDatabase(template = 'template1') {
      const name = `store_${++databases}`;
      await keeper.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return { name, url: urlOf(name) };
    },
    halt: () => end(server, 'SIGQUIT'),
    freeze() {
      const pid = server.pid!;
      signal(pid, 'SIGSTOP'); // first: a connection that it opened after its children are known would answer
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
      for (const child of children) signal(child, 'SIGSTOP');
      return () => [pid, ...children].forEach((each) => signal(each, 'SIGCONT'));
    },
    async restart(as = 'primary') {
      await end(server, 'SIGQUIT');
      if (as === 'standby') writeFileSync(standbyMark, '');
      else rmSync(standbyMark, { force: true });
      server = await start(folder, data, settings);
    },
    async startStandby() {
      const copy = ownFolder();
      const from = `host=${folder} user=postgres application_name=standby`;
      const options = ['--checkpoint=fast', '--no-sync', '--write-recovery-conf', '--wal-method=stream'];
      runAsServer(copy, 'pg_basebackup', [`--pgdata=${dataOf(copy)}`, `--dbname=${from}`, ...options]);
      const standby = await serverIn(copy, settings);
      await keeper.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await keeper.query('SELECT pg_reload_conf()');
      return standby;
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

/** One that has ended meanwhile, as that of a connection that was being closed, needs none. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
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
  const found = folders.find((folder) => ['postgres', 'initdb'].every((name) => isProgram(join(folder, name))));
  // some of PATH are links to the folder where all of them are
  return found === undefined ? null : dirname(realpathSync(join(found, 'postgres')));
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
