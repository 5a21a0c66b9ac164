import { isRole, roles, type Role } from '../data-service/ports/access-store.ts';
import { duration, filled, integer, parseOptions, type OptionValues } from './parse-options.ts';
import { parseByteSize } from '../server/storage/byte-size.ts';
import { parseTrustedProxies, type TrustedProxies } from '../server/client-address.ts';
import type {
  BackupArguments,
  FolderArguments,
  HealthArguments,
  ManageArguments,
  ServeArguments,
} from './serve-arguments.ts';
import { namesOf } from './option-table.ts';
import { parseOpenId } from './parse-open-id.ts';
import { parseSessions } from './parse-sessions.ts';
import { parseDatabase, parseShared, sharedOptions } from './parse-shared.ts';
import { byteSize, parseStorageRules } from './parse-storage-rules.ts';
import { serveOptions } from './serve-options.ts';
import { UsageError } from './usage.ts';

export const limitOptions = {
  'max-message-bytes': 'maxMessageBytes',
  'max-upload-bytes': 'maxUploadBytes',
  'query-workers': 'queryWorkers',
  'max-connections': 'maxConnections',
  'max-connections-per-address': 'maxConnectionsPerAddress',
  'max-streams': 'maxStreamsPerConnection',
  'idle-timeout-ms': 'idleTimeoutMs',
  'stall-timeout-ms': 'stallTimeoutMs',
  'authenticate-per-minute': 'authenticatePerMinute',
  'shutdown-grace-ms': 'shutdownGraceMs',
} as const;
const defaultDataDir = 'sightglass-data';
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];

/** @throws UsageError */
export function parseServe(args: readonly string[]): ServeArguments {
  const { values, positionals } = parseOptions(args, namesOf(serveOptions, 'once'), namesOf(serveOptions, 'often'));
  if (positionals.length > 0) throw new UsageError(`serve wants no "${positionals[0]}".`);
  const [certPath, keyPath] = [values.one('tls-cert'), values.one('tls-key')];
  if ((certPath === null) !== (keyPath === null)) throw new UsageError('--tls-cert and --tls-key go together.');
  const port = portNumber('port', values) ?? 8080;
  const mongoPort = portNumber('mongo-port', values);
  const logLevel = values.one('log-level') ?? 'info';
  if (!logLevels.includes(logLevel)) {
    throw new UsageError(`--log-level wants one of ${logLevels.join(', ')}, got "${logLevel}".`);
  }
  const limits = Object.fromEntries(
    Object.entries(limitOptions).map(([option, name]) => [name, limit(option, values)]),
  ) as Record<(typeof limitOptions)[keyof typeof limitOptions], number | null>;
  const host = filled('host', values) ?? '127.0.0.1';
  const metricsPort = portNumber('metrics-port', values);
  const listens = {
    host,
    port,
    mongoPort,
    metricsPort,
    certPath,
    keyPath,
    publicOrigin: origin('public-origin', values),
  };
  const openId = parseOpenId(values, process.env, listens.publicOrigin);
  const trust = { trustedProxies: proxies(values), allowedHosts: hostNames(values), openId };
  const lives = { tokenLifeMs: duration('token-life', values), ...parseSessions(values) };
  const rules = { ...lives, storage: parseStorageRules(values) };
  const checkBytesPerSecond = byteSize('check-rate', values);
  const place = { dataDir: dataDir(values), shared: parseShared(values, process.env) };
  return { ...place, ...listens, ...trust, logLevel, ...rules, checkBytesPerSecond, ...limits };
}

/** @throws UsageError */
export function parseManage(name: ManageArguments['name'], args: readonly string[]): ManageArguments {
  const [given, ...rest] = args;
  const verb = name === 'keys' && given === 'revoke' ? 'delete' : given;
  const own = {
    orgs: [],
    parts: ['org', 'location', 'machine'],
    keys: ['org', 'location', 'part', 'role'],
    secrets: [],
  }[name];
  const { values, positionals } = parseOptions(rest, ['data', 'database', ...own], []);
  const take = (...wanted: readonly string[]): string[] => {
    if (positionals.length !== wanted.length) {
      throw new UsageError(`${name} ${verb} wants ${wanted.join(' ') || 'no more words'}.`);
    }
    const empty = positionals.findIndex((word) => word.trim() === '');
    if (empty !== -1) throw new UsageError(`${name} ${verb} wants ${wanted[empty]}, got an empty word.`);
    return [...positionals];
  };
  const folder = { dataDir: dataDir(values), database: parseDatabase(values, process.env) };
  const organizationId = filled('org', values);
  switch (`${name} ${verb}`) {
    case 'secrets rotate':
      take();
      return { ...folder, name: 'secrets', verb: 'rotate' };
    case 'orgs list':
      take();
      return { ...folder, name: 'orgs', verb: 'list' };
    case 'orgs create':
      return { ...folder, name: 'orgs', verb: 'create', title: take('NAME')[0]! };
    case 'orgs rename':
    case 'orgs add-location': {
      const [id, title] = take('ID', 'NAME') as [string, string];
      return { ...folder, name: 'orgs', verb: verb as 'rename' | 'add-location', id, title };
    }
    case 'orgs quota': {
      const [id, size] = take('ID', 'SIZE') as [string, string];
      return { ...folder, name: 'orgs', verb: 'quota', id, quotaBytes: quota(size) };
    }
    case 'parts list':
    case 'keys list':
      take();
      return { ...folder, name: name as 'parts' | 'keys', verb: 'list', organizationId };
    case 'parts delete':
    case 'keys delete':
      return { ...folder, name: name as 'parts' | 'keys', verb: 'delete', id: take('ID')[0]! };
    case 'parts create':
    case 'keys create': {
      const title = take('NAME')[0]!;
      const created = {
        ...folder,
        verb: 'create' as const,
        title,
        organizationId,
        locationId: filled('location', values),
      };
      return name === 'parts'
        ? { ...created, name: 'parts', robotName: values.one('machine') ?? title }
        : { ...created, name: 'keys', partId: filled('part', values), role: role(values, 'operator') };
    }
  }
  throw new UsageError(`${name} wants ${verbs[name]}, got "${given ?? ''}".`);
}

/** @throws UsageError */
export function parseBackup(name: BackupArguments['name'], args: readonly string[]): BackupArguments {
  const { values, positionals } = parseOptions(args, ['data', ...sharedOptions], []);
  if (sharedOptions.some((option) => values.one(option) !== null)) {
    throw new UsageError(
      `${name} is about folders. A database and a bucket are backed up by their own tools, the database first: docs/operations.md has the commands.`,
    );
  }
  const [backupDir = '', ...more] = positionals;
  if (backupDir.trim() === '' || more.length > 0) {
    throw new UsageError(`${name} wants DIR, the folder of the backup, got ${positionals.length} words.`);
  }
  return { name, backupDir, dataDir: dataDir(values) };
}

/** @throws UsageError */
export function parseHealth(args: readonly string[]): HealthArguments {
  const { values, positionals } = parseOptions(args, ['data'], []);
  if (positionals.length > 0) throw new UsageError(`health wants no "${positionals[0]}".`);
  return { name: 'health', dataDir: dataDir(values) };
}

/** @throws UsageError */
/** Of `check` where it looks after a store. */
export const optionsOfCheck = ['data', ...sharedOptions, 'check-rate'];

export function parseFolder(name: FolderArguments['name'], args: readonly string[]): FolderArguments {
  const { values, positionals } = parseOptions(args, { clock: ['data', 'database'], check: optionsOfCheck }[name], []);
  const wanted = { clock: 'confirm', check: '' }[name];
  if (positionals.join(' ') !== wanted)
    throw new UsageError(`${name} wants ${wanted || 'no more words'}, got "${positionals.join(' ')}".`);
  if (name === 'check') {
    const bytesPerSecond = byteSize('check-rate', values);
    if (bytesPerSecond === 0) throw new UsageError('--check-rate wants more than 0, as 20MB: check reads every byte.');
    return { name, dataDir: dataDir(values), shared: parseShared(values, process.env), bytesPerSecond };
  }
  return { name, dataDir: dataDir(values), database: parseDatabase(values, process.env) };
}

function quota(text: string): number | null {
  const bytes = text === 'none' ? null : parseByteSize(text);
  if (bytes === null && text !== 'none')
    throw new UsageError(`orgs quota wants a size, as 20GB or 1.5TB, or none; got "${text}".`);
  return bytes;
}

const verbs = {
  orgs: 'list, create, rename, add-location or quota',
  parts: 'list, create or delete',
  keys: 'list, create or revoke',
  secrets: 'rotate',
};

export const dataDir = (values: OptionValues): string => filled('data', values) ?? defaultDataDir;

function portNumber(option: string, values: OptionValues): number | null {
  const text = values.one(option);
  if (text === null) return null;
  const port = integer(option, text);
  if (port < 0 || port > 65_535) throw new UsageError(`--${option} wants 0 (any free one) to 65535, got ${port}.`);
  return port;
}

function limit(option: string, values: OptionValues): number | null {
  const text = values.one(option);
  if (text === null) return null;
  const value = integer(option, text);
  if (value < 1) throw new UsageError(`--${option} wants at least 1, got ${value}.`);
  return value;
}

/** @throws UsageError */
export function origin(option: 'public-origin' | 'origin', values: OptionValues): string | null {
  const text = values.one(option);
  if (text === null) return null;
  // older Nodes, which are told that they are too old only later, have no URL.parse
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '')) {
    throw new UsageError(`--${option} wants an origin as https://data.example.com, got "${text}".`);
  }
  return url.origin;
}

function hostNames(values: OptionValues): readonly string[] {
  const names = values.many('allowed-host');
  const bad = names.find((name) => name !== '*' && (!URL.canParse(`http://${name}`) || /[/:@?#]/.test(name)));
  if (bad === undefined) return names;
  throw new UsageError(
    `--allowed-host wants a name as vision.example.com, without a port, or "*" for any; got "${bad}".`,
  );
}

function proxies(values: OptionValues): TrustedProxies | null {
  const text = values.one('trusted-proxy');
  const trusted = text === null ? null : parseTrustedProxies(text);
  if (text !== null && trusted === null) {
    throw new UsageError(
      `--trusted-proxy wants how many proxies there are (1 to 99) or their networks as 10.0.0.0/8,fd00::/8, got "${text}".`,
    );
  }
  return trusted;
}

/** @throws UsageError */
export function role(values: OptionValues, usual: Role): Role {
  const text = values.one('role') ?? usual;
  if (!isRole(text)) throw new UsageError(`--role wants one of ${roles.join(', ')}, got "${text}".`);
  return text;
}
