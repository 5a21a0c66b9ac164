import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { runHere } from './run-here.ts';
import { startSightglass } from './run-sightglass.ts';
import { readSeeded, seededUploads, send } from './seeded-uploads.ts';
import { authenticatedClients, clientsWithToken } from './server-clients.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';
import { databasePassword, describeShared } from './shared-places.ts';

const uploads = seededUploads(26, 150);
const byId = new Map(uploads.map((upload) => [upload.uploadId, upload]));
const files = uploads.filter(({ kind }) => kind !== 'tabular').length;

async function openClient(url: string, name = 'test'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  return client;
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = await openClient(url);
  await client.query(sql);
  await client.end();
}

describeShared('sightglass move', (places) => {
  it(
    'brings a folder into a database and a bucket, whenever it is killed, and back',
    { timeout: 400_000 },
    async () => {
      const folder = await temporaryFolder();
      const [data, back] = [join(folder, 'data'), join(folder, 'back')];
      const server = await startServerProcess(data);
      const { partId } = server.firstStart!;
      const { accessToken, ...clients } = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
      const answers = new Map<string, string>();
      for (const upload of uploads) answers.set(upload.uploadId, await send(clients, upload, partId));
      const store = await places().newStore();
      const toShared = ['move', '--from-data', data, ...store.args];
      const served = await runHere(toShared, store.environment);
      expect([served.code, served.lines]).toMatchObject([
        1,
        [{ error: { code: 'unavailable', message: expect.stringContaining('served already') } }],
      ]);
      expect(await server.end('SIGTERM')).toBe(0);

      const blobs = async () => (await readdir(store.blobFolder).catch(() => [])).length;
      const moments = [
        async () => (await blobs()) >= 8,
        async () => (await blobs()) >= files / 2,
        (stderr: string) => Promise.resolve(stderr.includes('copying each run')),
        (stderr: string) => Promise.resolve(stderr.includes('comparing')),
      ];
      for (const [n, isNow] of moments.entries()) {
        const moving = startSightglass(toShared, store.environment);
        await expect.poll(() => isNow(moving.stderr()), { timeout: 100_000, interval: 5 }).toBe(true);
        moving.kill();
        expect((await moving.ended).code, String(n)).toBeNull();
      }
      await expect(store.startHost()).rejects.toThrow(/holds a move that is not finished/);

      const moved = await runHere(toShared, store.environment);
      expect(moved.stderr).toContain('going on with the move');
      expect([moved.code, moved.lines.at(-1)]).toMatchObject([0, { moved: data, files, differences: 0 }]);
      expect(JSON.stringify(moved)).not.toContain(databasePassword);
      expect(await blobs()).toBe(files);
      const again = await runHere(toShared, store.environment);
      expect([again.code, again.lines]).toMatchObject([1, [{ error: { code: 'not-empty' } }]]);

      const host = await store.startHost();
      expect(host.firstStart).toBeNull();
      const ofHost = clientsWithToken(host.origin, accessToken, 'grpc');
      expect((await readSeeded(ofHost, byId)).times.size).toBe(uploads.length);
      for (const upload of uploads.slice(0, 30)) {
        expect(await send(ofHost, upload, partId)).toBe(answers.get(upload.uploadId));
      }
      const all = await readSeeded(ofHost, byId);
      expect([all.times.size, [...all.times.values()].every((times) => times === 1)]).toEqual([uploads.length, true]);
      const toFolder = ['move', '--to-data', back, ...store.args];
      const inUse = await runHere(toFolder, store.environment);
      expect([inUse.code, inUse.lines]).toMatchObject([
        1,
        [{ error: { code: 'unavailable', message: expect.stringContaining('Stop all hosts') } }],
      ]);
      expect(await host.end('SIGTERM')).toBe(0);

      const halfway = startSightglass(toFolder, store.environment);
      const copied = async () => (await readdir(`${back}.moving`, { recursive: true }).catch(() => [])).length;
      await expect.poll(copied, { timeout: 100_000, interval: 5 }).toBeGreaterThan(files / 2);
      halfway.kill();
      expect((await halfway.ended).code).toBeNull();
      const withSlash = ['move', '--to-data', `${back}/`, ...store.args];
      const returned = await runHere(withSlash, store.environment);
      expect(returned.stderr).toContain('going on with the move');
      expect([returned.code, returned.lines.at(-1)]).toMatchObject([0, { to: `${back}/`, files, differences: 0 }]);
      expect((await readdir(folder)).sort()).toEqual(['back', 'data']);
      const digests = ({ lines }: typeof moved) => lines.filter(({ digest }) => digest !== undefined);
      expect(digests(returned)).toEqual(digests(moved));
      expect(await runHere(['check', '--data', back])).toMatchObject({ code: 0, lines: [{ files, orphanBlobs: 0 }] });

      const last = await startServerProcess(back);
      expect(last.firstStart).toBeNull();
      const ofLast = clientsWithToken(last.origin, accessToken, 'grpc');
      expect((await readSeeded(ofLast, byId)).times.size).toBe(uploads.length);
    },
  );

  it('goes on where it has begun alone, and nobody changes meanwhile who there is', async () => {
    const folder = await temporaryFolder();
    const [data, back] = [join(folder, 'data'), join(folder, 'back')];
    const server = await startServerProcess(data);
    const { accessToken: _, ...clients } = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
    const [upload] = uploads.filter(({ kind, size }) => kind === 'file' && size > 1);
    await send(clients, upload!, server.firstStart!.partId);
    expect(await server.end('SIGTERM')).toBe(0);
    // a file that is lost is a difference, so the move stays unfinished
    await rm(join(data, 'blobs'), { recursive: true });
    const [store, other] = [await places().newStore(), await places().newStore()];
    const run = (argv: readonly string[]) => runHere(argv, store.environment);
    const toShared = ['move', '--from-data', data];
    expect((await run([...toShared, ...store.args])).lines.at(-1)).toMatchObject({ differences: 1 });

    await mkdir(other.blobFolder, { recursive: true });
    const ofOther = join(other.blobFolder, randomUUID());
    await writeFile(ofOther, 'of somebody else');
    const elsewhere = await run([...toShared, ...other.args]);
    expect([elsewhere.code, elsewhere.lines]).toEqual([
      1,
      [{ error: { code: 'not-empty', message: expect.stringContaining('Give the same --blobs') } }],
    ]);
    expect(await readFile(ofOther, 'utf8')).toBe('of somebody else');

    const unfinished = [
      { error: { code: 'unfinished-move', message: expect.stringContaining('Run "sightglass move"') } },
    ];
    for (const argv of [
      ['keys', 'list'],
      ['orgs', 'create', 'lab'],
      ['secrets', 'rotate'],
      ['clock', 'confirm'],
    ]) {
      const { code, lines } = await run(argv);
      expect([code, lines], argv.join(' ')).toEqual([1, unfinished]);
    }
    const again = await run([...toShared, ...store.args]);
    expect(again.stderr).toContain('going on with the move');
    expect([again.code, again.lines.at(-1)]).toMatchObject([1, { differences: 1 }]);

    await (await other.startHost()).end('SIGTERM');
    const locking = await openClient(other.environment['SIGHTGLASS_DATABASE']!);
    await locking.query('BEGIN; LOCK TABLE receipts IN ACCESS EXCLUSIVE MODE');
    const moving = startSightglass(['move', '--to-data', join(folder, 'used'), ...other.args], other.environment);
    await expect.poll(moving.stderr, { timeout: 100_000, interval: 5 }).toContain('copying each receipt');
    const using = await openClient(other.environment['SIGHTGLASS_DATABASE']!, 'sightglass');
    await locking.end();
    const used = await moving.ended;
    await using.end();
    expect([used.code, used.lines.slice(-2)]).toMatchObject([
      1,
      [{ place: expect.any(String), difference: 'in use', connections: 1 }, { differences: 1 }],
    ]);
    expect((await readdir(folder)).sort()).toEqual(['data', 'used.moving']);

    await mkdir(`${back}.moving`);
    await writeFile(join(`${back}.moving`, 'move.json'), JSON.stringify({ installation: 'another', blobs: '' }));
    const blocked = await runHere(['move', '--to-data', back, ...other.args], other.environment);
    expect(blocked.lines).toEqual([
      { error: { code: 'not-empty', message: expect.stringContaining(`${back}.moving holds an unfinished move`) } },
    ]);
  });

  it('moves into nothing that holds something else, and from nothing', async () => {
    const folder = await temporaryFolder();
    const [data, other] = [join(folder, 'data'), join(folder, 'other')];
    for (const place of [data, other]) await (await startServerProcess(place)).end('SIGTERM');
    const store = await places().newStore();
    const errorOf = async (argv: readonly string[]) => {
      const { code, lines } = await runHere(['move', ...argv], store.environment);
      expect(code).toBe(1);
      return lines;
    };
    const refused = (code: string, words: string) => [{ error: { code, message: expect.stringContaining(words) } }];

    const nothing = ['--from-data', join(folder, 'typo'), ...store.args];
    expect(await errorOf(nothing)).toEqual(refused('not-found', 'There is no data'));
    expect(await errorOf(['--to-data', join(folder, 'new'), ...store.args])).toEqual(
      refused('not-found', 'There is no data'),
    );
    expect((await readdir(folder)).sort()).toEqual(['data', 'other']);

    const left = join(store.blobFolder, randomUUID());
    await mkdir(store.blobFolder, { recursive: true });
    await writeFile(left, 'of somebody else');
    const fromData = ['--from-data', data, ...store.args];
    expect(await errorOf(fromData)).toEqual(refused('not-empty', 'holds files'));
    await rm(left);
    const ofOther = `INSERT INTO installation_state VALUES ('unfinished-move', '{"installation":"another","blobs":""}')`;
    await runSql(store.environment['SIGHTGLASS_DATABASE']!, ofOther);
    expect(await errorOf(fromData)).toEqual(refused('not-empty', 'of another installation'));
    expect(await errorOf(['--to-data', join(folder, 'new'), ...store.args])).toEqual(
      refused('unfinished-move', 'run that again first'),
    );
    await runSql(store.environment['SIGHTGLASS_DATABASE']!, 'DELETE FROM installation_state');
    await (await store.startHost()).end('SIGTERM');
    expect(await errorOf(fromData)).toEqual(refused('not-empty', 'holds data'));
    expect(await errorOf(['--to-data', other, ...store.args])).toEqual(refused('not-empty', 'There is something in'));
  });
});
