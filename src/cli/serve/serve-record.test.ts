import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../../tests/parse-command.ts';
import { UsageError } from '../record/usage-error.ts';
import { usage } from '../usage.ts';

describe('serve', () => {
  it('listens on this computer alone unless told otherwise', () => {
    expect(parseCommand(['serve'])).toMatchObject({
      name: 'serve',
      dataDir: 'sightglass-data',
      host: '127.0.0.1',
      port: 8080,
      certPath: null,
      keyPath: null,
      publicOrigin: null,
      mongoPort: null,
      maxUploadBytes: 17_179_869_184,
    });
  });

  it('has a database endpoint where it is given a port', () => {
    expect(parseCommand(['serve', '--mongo-port', '27017'])).toMatchObject({ port: 8080, mongoPort: 27017 });
  });

  it('is explained', () => {
    expect(parseCommand(['serve', '--help'])).toEqual({ name: 'help', of: 'serve' });
    expect(usage).toContain('--mongo-port PORT');
  });

  it('reads addresses, certificates and limits', () => {
    const where = ['--data', 'd', '--host', '::', '--port', '0', '--public-origin', 'https://data.example/'];
    const tls = ['--tls-cert', 'c.pem', '--tls-key', 'k.pem'];
    expect(parseCommand(['serve', ...where, ...tls, '--max-upload-bytes', '1000'])).toMatchObject({
      dataDir: 'd',
      host: '::',
      port: 0,
      publicOrigin: 'https://data.example',
      certPath: 'c.pem',
      keyPath: 'k.pem',
      maxUploadBytes: 1000,
    });
  });

  it('takes a port for its keepers and names beside its own', () => {
    const argv = ['--metrics-port', '9090', '--allowed-host', 'vision.lab', '--allowed-host', '*'];
    expect(parseCommand(['serve', ...argv])).toMatchObject({ metricsPort: 9090, allowedHosts: ['vision.lab', '*'] });
    expect(parseCommand(['serve'])).toMatchObject({ metricsPort: null, allowedHosts: [] });
  });

  it.each([
    ['2s', 2000],
    ['90m', 5_400_000],
    ['1h', 3_600_000],
    ['30d', 2_592_000_000],
  ])('takes %s as the life of a token', (text, tokenLifeMs) => {
    expect(parseCommand(['serve', '--token-life', text])).toMatchObject({ tokenLifeMs });
    expect(parseCommand(['serve'])).toMatchObject({ tokenLifeMs: 3_600_000 });
  });

  it.each([
    [[], 28_800_000, 604_800_000],
    [['--session-idle', '30m', '--session-life', '1d'], 1_800_000, 86_400_000],
    [['--session-idle', '30d', '--session-life', '30d'], 2_592_000_000, 2_592_000_000],
    [['--session-life', '1h'], 28_800_000, 3_600_000],
    [['--session-life', '400d'], 28_800_000, 400 * 86_400_000],
  ])('takes %j as the lives of sessions', (argv, sessionIdleMs, sessionLifeMs) => {
    expect(parseCommand(['serve', ...argv])).toMatchObject({ sessionIdleMs, sessionLifeMs });
  });

  it.each([
    ['a session that ends at once', ['--session-idle', '0s'], /--session-idle wants how long.*"0s"/],
    ['a life of a session without a unit', ['--session-life', '7'], /--session-life wants how long.*"7"/],
    ['a life that no cookie has', ['--session-life', '401d'], /at most 400d.*"401d"/],
    ['an idle life beyond the usual whole one', ['--session-idle', '8d'], /at most.* 7d \(--session-life\), got "8d"/],
    ['an idle life beyond the whole one', ['--session-idle', '2h', '--session-life', '1h'], /session, 1h, got "2h"/],
    ['a token that never lives', ['--token-life', '0h'], /--token-life wants how long.*"0h"/],
    ['a life without a unit', ['--token-life', '60'], /30d, got "60"/],
    ['a life in words', ['--token-life', 'forever'], /got "forever"/],
    ['a name with a port', ['--allowed-host', 'vision.lab:8080'], /without a port.*"vision\.lab:8080"/],
    ['a metrics port that is none', ['--metrics-port', '-1'], /--metrics-port/],
    ['a certificate without its key', ['--tls-cert', 'c.pem'], /go together/],
    ['a port that is none', ['--port', '70000'], /65535/],
    ['a database port that is none', ['--mongo-port', '65536'], /--mongo-port wants/],
    ['a limit of nothing', ['--max-message-bytes', '0'], /at least 1/],
    ['an origin with a path', ['--public-origin', 'https://a.example/b'], /origin/],
    ['an origin that is not of the web', ['--public-origin', 'ftp://a.example'], /origin/],
    ['an empty host, which would be every address', ['--host', ''], /--host was given without a value/],
    ['an empty folder', ['--data='], /--data was given without a value/],
    ['proxies by name', ['--trusted-proxy', 'nginx'], /10\.0\.0\.0\/8.*"nginx"/],
    ['words', ['now'], /"now"/],
  ])('refuses %s', (_, argv, message) => {
    expect(() => parseCommand(['serve', ...argv])).toThrow(UsageError);
    expect(() => parseCommand(['serve', ...argv])).toThrow(message);
  });
});

describe('orgs, parts and keys', () => {
  it.each([
    [['orgs', 'list'], { name: 'orgs', verb: 'list' }],
    [['orgs', 'rename', 'o', 'Lab'], { verb: 'rename', id: 'o', title: 'Lab' }],
    [['orgs', 'quota', 'o', '1.5 GB'], { verb: 'quota', id: 'o', quotaBytes: 1.5e9 }],
    [['orgs', 'quota', 'o', 'none'], { verb: 'quota', id: 'o', quotaBytes: null }],
    [['orgs', 'quota', 'o', '0'], { verb: 'quota', quotaBytes: 0 }],
    [['parts', 'create', 'main', '--machine', 'rover'], { title: 'main', robotName: 'rover', organizationId: null }],
    [['keys', 'create', 'robot'], { role: 'operator', locationId: null, partId: null }],
    [['keys', 'create', 'arm', '--part', 'p'], { locationId: null, partId: 'p' }],
    [['keys', 'create', 'me', '--role', 'owner', '--org', 'o'], { role: 'owner', organizationId: 'o' }],
    [['keys', 'revoke', 'k', '--data', 'd'], { verb: 'revoke', id: 'k', dataDir: 'd' }],
    [['secrets', 'rotate', '--data', 'd'], { name: 'secrets', verb: 'rotate', dataDir: 'd' }],
  ])('reads %j', (argv, command) => {
    expect(parseCommand(argv)).toMatchObject(command);
  });

  it.each([
    [['keys'], /list, create or revoke/],
    [['secrets'], /secrets wants rotate/],
    [['orgs', 'delete', 'o'], /orgs wants list, create, rename, add-location or quota, got "delete"/],
    [['keys', 'create'], /wants NAME/],
    [['keys', 'create', ''], /keys create wants NAME, got an empty word/],
    [['orgs', 'quota', 'o'], /orgs quota wants ID SIZE/],
    [['orgs', 'quota', 'o', 'lots'], /orgs quota wants a size, as 20GB or 1.5TB, or none; got "lots"/],
    [['orgs', 'rename', 'o', ' '], /orgs rename wants NAME, got an empty word/],
    [['parts', 'create', 'arm', '--location='], /--location was given without a value/],
    [['keys', 'create', 'a', '--role', 'king'], /one of annotator, reviewer, operator, owner/],
    [['orgs', 'list', '--role', 'owner'], /--role/],
  ])('refuses %j', (argv, message) => {
    expect(() => parseCommand(argv)).toThrow(message);
  });
});

describe('backup and restore', () => {
  it.each([
    [['health', '--data', 'd'], { name: 'health', dataDir: 'd' }],
    [['backup', 'copy'], { name: 'backup', backupDir: 'copy', dataDir: 'sightglass-data' }],
    [['restore', 'copy', '--data', 'd'], { name: 'restore', backupDir: 'copy', dataDir: 'd' }],
  ])('reads %j', (argv, command) => expect(parseCommand(argv)).toEqual(command));

  it.each([[['backup']], [['restore', '']], [['backup', 'a', 'b']]])('refuses %j', (argv) => {
    expect(() => parseCommand(argv)).toThrow(/wants one DIR/);
  });
});

it('says of a backup of a database and a bucket by what it is made', () => {
  for (const name of ['backup', 'restore']) {
    expect(() => parseCommand([name, 'b', '--database', 'postgres://s@db/n'])).toThrow(/their own tools/);
    expect(() => parseCommand([name, 'b', '--blobs', 's3://b'])).toThrow(UsageError);
  }
});

describe('check', () => {
  it('is of a folder, or of a database and a bucket, as fast as it goes or as told', () => {
    const folder = { name: 'check', dataDir: 'sightglass-data', shared: null, bytesPerSecond: null };
    expect(parseCommand(['check'])).toEqual(folder);
    const shared = ['--database', 'postgres://s@db/n', '--blobs', 's3://pictures'];
    expect(parseCommand(['check', ...shared, '--check-rate', '20MB'])).toMatchObject({
      shared: { database: { url: 'postgres://s@db/n' }, blobs: { bucket: 'pictures' } },
      bytesPerSecond: 20e6,
    });
    expect(() => parseCommand(['check', '--check-rate', '0'])).toThrow(/reads every byte/);
    expect(() => parseCommand(['check', '--data', 'd', ...shared])).toThrow(UsageError);
  });
});
