import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseCommand } from '../parse-command.ts';
import type { ManageArguments } from '../../src/cli/data/data-records.ts';
import { manage } from '../../src/cli/data/manage.ts';

import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../src/server/start-data-host.ts';
import { codeOf } from '../data-service-fixture.ts';
import { joinByPasskey } from './log-in-by-passkey.ts';
import { sessionCookie } from './people-server.ts';
import { runSightglass } from './run-sightglass.ts';
import { authenticatedClients, type ServerClients } from './server-clients.ts';
import { binPath, sourcesPath, startServerProcess, temporaryFolder } from './server-process.ts';
import { TestAuthenticator } from './test-authenticator.ts';
import { TestBrowser } from './test-browser.ts';

/** Runs a command and waits for its exit. */
function sightglass(...argv: string[]): Promise<{ code: number; lines: Record<string, unknown>[]; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [binPath, ...argv], (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), stderr });
    });
  });
}

/** Runs a command in this process, because starting a process takes a second. */
async function manageHere(...argv: string[]): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  await manage(parseCommand(argv) as ManageArguments, {
    print: (line) => lines.push({ ...line }),
    say: () => undefined,
  });
  return lines;
}

/** An upload that pauses in the middle until the test continues it. */
function heldUpload({ sync }: ServerClients, partId: string) {
  let begin!: () => void;
  let goOn!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  async function* packets() {
    const value = { partId, type: DataType.FILE, fileName: 'long.txt' };
    yield { uploadPacket: { case: 'metadata' as const, value } };
    yield { uploadPacket: { case: 'fileContents' as const, value: { data: new Uint8Array(100_000) } } };
    begin();
    await mayGoOn;
    yield { uploadPacket: { case: 'fileContents' as const, value: { data: new Uint8Array(100_000) } } };
  }
  const done = sync.fileUpload(packets());
  done.catch(() => undefined);
  return { done, begun, goOn: () => goOn() };
}

describe('serve', () => {
  it('tells organization, location, part and key at the first start, and only then', async () => {
    const folder = await temporaryFolder();
    const first = await startServerProcess(folder);
    expect(first.stdout()).toContain(
      `sightglass people invite "YOUR NAME" --role owner --origin http://localhost:${new URL(first.origin).port} --data "${folder}"`,
    );
    const { data } = await authenticatedClients(first.origin, first.firstStart!, 'grpc');
    expect((await data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
    expect(await first.end('SIGTERM')).toBe(0);
    const second = await startServerProcess(folder);
    expect(second.stdout()).toMatch(/^Sightglass serves .* at http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const again = await authenticatedClients(second.origin, first.firstStart!, 'grpc-web');
    expect((await again.data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
  });

  it.each([
    ['an hour', [], 60 * 60],
    ['as long as it is told', ['--token-life', '30d'], 30 * 24 * 60 * 60],
  ])('gives tokens that live %s', async (_, args, lifeSeconds) => {
    const { origin, firstStart } = await startServerProcess(await temporaryFolder(), { args });
    const { accessToken } = await authenticatedClients(origin, firstStart!, 'grpc');
    const { exp, iat } = decodeJwt(accessToken);
    expect(exp! - iat!).toBe(lifeSeconds);
  });

  it.each([
    ['a week, or eight hours without use', [], 7 * 24 * 60, 8 * 60],
    ['as long as it is told', ['--session-life', '2h', '--session-idle', '30m'], 120, 30],
  ])('keeps people logged in for %s', async (_, args, lifeMinutes, idleMinutes) => {
    const folder = await temporaryFolder();
    const server = await startServerProcess(folder, { args });
    const invited = await runSightglass(['people', 'invite', 'Ada', '--role', 'owner', '--data', folder]);
    const browser = new TestBrowser();
    const visitor = { browser, authenticator: new TestAuthenticator(), origin: `http://localhost:${server.port}` };
    expect(await joinByPasskey(visitor, invited.lines[0]!['token'] as string)).toMatchObject({ code: '' });
    expect(browser.lastCookies).toEqual([expect.stringContaining(` Max-Age=${lifeMinutes * 60};`)]);
    expect(await server.end('SIGTERM')).toBe(0);
    const store = await openSqliteDataStore(folder, systemClock);
    const hash = createHash('sha256').update(browser.cookies.get(sessionCookie)!.value).digest('base64url');
    const { timeCreated, until, ends } = (await store.people!.getSession(hash))!.session;
    await store.close();
    const minute = 60_000_000;
    expect([(ends - timeCreated) / minute, (until - timeCreated) / minute]).toEqual([lifeMinutes, idleMinutes]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes uploads at %s, refuses new ones and exits with 0',
    async (signal) => {
      const folder = await temporaryFolder();
      const server = await startServerProcess(folder);
      const { partId } = server.firstStart!;
      const clients = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
      const { done, begun, goOn } = heldUpload(clients, partId);
      await begun;
      server.process.kill(signal);
      await expect.poll(() => server.stderr()).toContain('stopping');
      await expect(fetch(`${server.origin}/readyz`)).rejects.toThrow();
      goOn();
      const { binaryDataId } = await done;
      expect(await server.end('SIGCONT')).toBe(0); // a harmless signal, to wait for the exit that was requested before
      const next = await startServerProcess(folder);
      const { data } = await authenticatedClients(next.origin, server.firstStart!, 'grpc');
      const found = await data.binaryDataByIDs({ binaryDataIds: [binaryDataId] });
      expect(found.data[0]!.metadata!.fileSizeBytes).toBe(200_000n);
    },
  );

  it('ends at once at a second signal, of either kind', async () => {
    const server = await startServerProcess(await temporaryFolder());
    const clients = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
    const { done, begun, goOn } = heldUpload(clients, server.firstStart!.partId);
    await begun;
    server.process.kill('SIGTERM');
    await expect.poll(() => server.stderr()).toContain('stopping');
    expect(await server.end('SIGINT')).toBe('SIGINT');
    goOn(); // until it does, the client may wait for its own next packet
    expect(await codeOf(done)).not.toBe('ok');
  });

  it('stops in order where an older Node started it', async () => {
    const folder = await temporaryFolder();
    const argv = ['--no-experimental-strip-types', sourcesPath, 'serve', '--data', folder, '--port', '0'];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGTERM'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('says that its port is taken, and keeps the first key for the start that follows', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const folder = await temporaryFolder();
    const { code, lines } = await sightglass('serve', '--data', folder, '--port', String(port));
    expect([code, lines]).toEqual([
      1,
      [{ error: { code: 'port-taken', message: `Port ${port} is taken; choose another one.` } }],
    ]);
    expect((await startServerProcess(folder)).firstStart).not.toBeNull();
  });
});

it.each<[string, string, (folder: string) => string[]]>([
  ['bad-certificate', 'are not a certificate and its key', () => ['--tls-cert', binPath, '--tls-key', binPath]],
  ['not-a-folder', binPath, () => ['--data', binPath]],
  ['no-such-address', '"192.0.2.1"', (folder) => ['--data', folder, '--host', '192.0.2.1', '--port', '0']],
])('serve that cannot begin says why: %s', async (code, words, argv) => {
  const refused = await sightglass('serve', ...argv(await temporaryFolder()));
  const message = expect.stringContaining(words);
  expect([refused.code, refused.lines]).toEqual([1, [{ error: { code, message } }]]);
});

it.skipIf(process.platform === 'win32')('serve warns of a data folder that others may read', async () => {
  const folder = await temporaryFolder();
  const first = await startServerProcess(folder);
  await first.end('SIGTERM');
  expect(first.stderr()).not.toContain('WARNING');
  await chmod(join(folder, 'sightglass.db'), 0o644);
  const second = await startServerProcess(folder);
  expect(second.stderr()).toMatch(/^WARNING: other users .*\n {2}0644 .*sightglass\.db\n/);
  expect(second.stderr()).toContain(`chmod -R go= "${folder}" && sightglass secrets rotate --data "${folder}"`);
});

describe('orgs, parts and keys', () => {
  it('change who may do what while the server runs', async () => {
    const folder = await temporaryFolder();
    const server = await startServerProcess(folder);
    const { organizationId, locationId, partId, keyId } = server.firstStart!;
    const managed = (...argv: string[]) => manageHere(...argv, '--data', folder);
    expect(await managed('orgs', 'list')).toEqual([
      {
        organization: organizationId,
        name: 'My organization',
        files: 0,
        fileBytes: 0,
        readings: 0,
        readingBytes: 0,
        labellingBytes: 0,
        quotaBytes: null,
        locations: [{ location: locationId, name: 'First location' }],
      },
    ]);
    expect(await managed('parts', 'list')).toEqual([
      { part: partId, name: 'main', machine: 'First machine', location: locationId },
    ]);
    expect(await managed('keys', 'list')).toMatchObject([{ key: keyId, role: 'owner', organization: organizationId }]);

    const [made] = (await sightglass('keys', 'create', 'rover', '--data', folder)).lines;
    expect(made).toMatchObject({ name: 'rover', role: 'operator', location: null, secret: expect.any(String) });
    const rover = { keyId: made!['key'] as string, key: made!['secret'] as string };
    const clients = await authenticatedClients(server.origin, rover, 'grpc');
    const [part] = await managed('parts', 'create', 'arm', '--machine', 'rover');
    const armUpload = () => heldUploadOf(clients, part!['part'] as string);
    expect(await codeOf(armUpload())).toBe('ok');
    await managed('parts', 'delete', part!['part'] as string);
    expect(await codeOf(armUpload())).toBe('InvalidArgument');
    expect(await managed('keys', 'revoke', rover.keyId)).toEqual([{ key: rover.keyId, deleted: true }]);
    expect(await codeOf(armUpload())).toBe('Unauthenticated');
    expect(await codeOf(authenticatedClients(server.origin, rover, 'grpc'))).toBe('Unauthenticated');
    expect(JSON.stringify(await managed('keys', 'list'))).not.toMatch(/secret|rover/);

    const [other] = await managed('orgs', 'create', 'Other');
    const otherId = other!['organization'] as string;
    await managed('orgs', 'rename', otherId, 'Another');
    await managed('orgs', 'add-location', otherId, 'Roof');
    const named = (await managed('orgs', 'list')).map(({ name, locations }) => [name, (locations as unknown[]).length]);
    expect(named).toEqual([
      ['Another', 2],
      ['My organization', 1],
    ]);
    const [ofOther] = await managed('keys', 'create', 'guest', '--org', otherId, '--role', 'owner');
    const guest = { keyId: ofOther!['key'] as string, key: ofOther!['secret'] as string };
    const { data } = await authenticatedClients(server.origin, guest, 'grpc');
    expect((await data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
    const unclear = await sightglass('keys', 'create', 'x', '--data', folder);
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('--org ID')]);
  });

  it('bound what an organization stores while the server runs, and say what that is', async () => {
    const folder = await temporaryFolder();
    const server = await startServerProcess(folder);
    const { organizationId, partId, keyId, key } = server.firstStart!;
    const managed = (...argv: string[]) => manageHere(...argv, '--data', folder);
    const clients = await authenticatedClients(server.origin, { keyId, key }, 'grpc');
    const upload = () => codeOf(heldUploadOf(clients, partId));
    expect(await upload()).toBe('ok');
    const [{ fileBytes }] = (await managed('orgs', 'list')) as [{ fileBytes: number }];
    expect(fileBytes).toBeGreaterThan(0);
    const quota = { organization: organizationId, name: 'My organization', quotaBytes: 2 * fileBytes };
    expect(await managed('orgs', 'quota', organizationId, `${2 * fileBytes}B`)).toEqual([
      { ...quota, files: 1, fileBytes, readings: 0, readingBytes: 0, labellingBytes: 0 },
    ]);
    expect([await upload(), await upload()]).toEqual(['ok', 'ResourceExhausted']);
    expect(await managed('orgs', 'quota', organizationId, 'none')).toMatchObject([{ files: 2, quotaBytes: null }]);
    expect(await upload()).toBe('ok');
    expect(await managed('orgs', 'list')).toMatchObject([{ files: 3, fileBytes: 3 * fileBytes, quotaBytes: null }]);
  });

  it('give way to secrets, which are made anew while keys stay', async () => {
    const folder = await temporaryFolder();
    await manageHere('orgs', 'create', 'Mine', '--data', folder);
    const kept = async () => {
      const { access, close } = await openSqliteDataStore(folder, systemClock);
      const [tokens, urls] = await Promise.all(
        ['access-tokens', 'signed-urls'].map((name) => access.installationSecret(name, Uint8Array.of(1))),
      );
      await close();
      return { tokens, urls };
    };
    expect(await kept()).toEqual({ tokens: Uint8Array.of(1), urls: Uint8Array.of(1) });
    const said = await manageHere('secrets', 'rotate', '--data', folder);
    expect(said).toEqual([{ replaced: ['access tokens', 'signed URLs'] }]);
    const { tokens, urls } = await kept();
    expect([tokens, urls].map((secret) => secret!.length)).toEqual([32, 32]);
    expect(tokens).not.toEqual(urls);
  });

  it('tell what is wrong in words', async () => {
    const [empty, folder] = [await temporaryFolder(), await temporaryFolder()];
    await manageHere('orgs', 'create', 'Mine', '--data', folder);
    const { code, lines } = await sightglass('keys', 'list', '--data', empty);
    const message = expect.stringMatching(/no data of Sightglass in ".*--data/);
    expect([code, lines]).toEqual([1, [{ error: { code: 'not-found', message } }]]);
    const errors: [string[], RegExp][] = [
      [['keys', 'revoke', 'nobody'], /no key nobody/],
      [['parts', 'delete', 'none'], /no part none/],
      [['parts', 'list', '--org', 'none'], /no organization none/],
      [['keys', 'create', 'x', '--org', 'none'], /no organization none/],
      [['parts', 'create', 'x', '--location', 'none'], /no location none/],
      [['keys', 'create', 'x', '--location', 'none'], /no location none/],
      [['orgs', 'rename', 'none', 'x'], /no organization none/],
      [['orgs', 'quota', 'none', '1GB'], /no organization none/],
    ];
    for (const [argv, words] of errors) {
      const refused = manageHere(...argv, '--data', folder);
      await expect(refused).rejects.toMatchObject({ code: 'not-found', message: expect.stringMatching(words) });
    }
  });
});

async function heldUploadOf(clients: ServerClients, partId: string): Promise<unknown> {
  const { done, goOn } = heldUpload(clients, partId);
  goOn();
  return done;
}
