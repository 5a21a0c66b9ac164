import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { randomSource } from '../random-frame.ts';
import { readSeeded, seededUploads, send, type SeededUpload } from './seeded-uploads.ts';
import { authenticatedClients, clientsWithToken, type ServerClients } from './server-clients.ts';
import { startServerProcess, temporaryFolder, type ServerProcess } from './server-process.ts';

const seed = 20_261_121;
const inFlight = 8;
/** At night 1,000 uploads, of which six kills interrupt some. */
const [count, kills] = process.env['NIGHTLY'] ? [1000, 6] : [400, 5];
const shareToRepeat = 0.15;

it('loses, halves and doubles nothing when it is killed in the midst of hundreds of uploads', async () => {
  const folder = await temporaryFolder();
  const random = randomSource(seed);
  const uploads = seededUploads(seed, count);
  const byId = new Map(uploads.map((upload) => [upload.uploadId, upload]));
  const killAfter = Array.from({ length: kills }, (_, n) => Math.floor(((n + 0.2 + 0.6 * random()) * count) / kills));

  let server = await startServerProcess(folder);
  const { firstStart } = server;
  const { partId } = firstStart!;
  const { accessToken } = await authenticatedClients(server.origin, firstStart!, 'grpc');
  const clientsOf = ({ origin }: ServerProcess): ServerClients[] =>
    (['grpc', 'grpc-web', 'grpc'] as const).map((protocol) => clientsWithToken(origin, accessToken, protocol));

  const acknowledged = new Map<string, string>();
  const undecided: SeededUpload[] = [];
  const waiting = [...uploads];
  let killed = false;

  const uploadUntilKilled = async (clients: ServerClients): Promise<void> => {
    for (let upload = waiting.shift(); upload !== undefined; upload = killed ? undefined : waiting.shift()) {
      try {
        acknowledged.set(upload.uploadId, await send(clients, upload, partId));
      } catch (error) {
        if (!killed) throw error;
        undecided.push(upload);
      }
      if (acknowledged.size >= (killAfter[0] ?? Infinity)) {
        killAfter.shift();
        killed = true;
        server.process.kill('SIGKILL');
      }
    }
  };

  for (;;) {
    killed = false;
    const clients = clientsOf(server);
    await Promise.all(Array.from({ length: inFlight }, (_, n) => uploadUntilKilled(clients[n % clients.length]!)));
    if (!killed) break;
    await server.end('SIGKILL');
    server = await startServerProcess(folder);
    expect(server.firstStart).toBeNull();
  }
  expect(killAfter).toEqual([]);
  expect(undecided.length).toBeGreaterThan(kills); // otherwise the kills have interrupted no upload
  expect(acknowledged.size + undecided.length).toBe(count);

  const [clients] = clientsOf(server);
  const stored = await readSeeded(clients!, byId);
  for (const [uploadId, id] of acknowledged) {
    expect(stored.times.has(uploadId), `${uploadId} was acknowledged`).toBe(true);
    if (byId.get(uploadId)!.kind !== 'tabular') expect(stored.ids.get(uploadId)).toBe(id);
  }
  const expected = acknowledged.size + undecided.filter(({ uploadId }) => stored.times.has(uploadId)).length;
  expect([stored.times.size, [...stored.times.values()].every((times) => times === 1)]).toEqual([expected, true]);

  // Sending an upload again under its id gives the same answer as before; uploads that were lost are stored now.
  const again = [...acknowledged.keys()].filter(() => random() < shareToRepeat).map((id) => byId.get(id)!);
  for (const upload of [...again, ...undecided]) {
    const known = acknowledged.get(upload.uploadId) ?? stored.ids.get(upload.uploadId);
    const id = await send(clients!, upload, partId);
    if (known !== undefined) expect(id).toBe(known);
  }
  const all = await readSeeded(clients!, byId);
  expect([all.times.size, [...all.times.values()].every((times) => times === 1)]).toEqual([count, true]);

  // The sweep removes files older than a day: make all files older, and start the server again.
  expect(await server.end('SIGTERM')).toBe(0);
  const blobFiles = async (): Promise<string[]> =>
    (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  const before = await blobFiles();
  for (const path of before) await utimes(path, twoDaysAgo, twoDaysAgo);
  const files = uploads.filter(({ kind }) => kind !== 'tabular').length;
  expect(before.length).toBeGreaterThan(files); // otherwise the kills have left nothing to sweep
  server = await startServerProcess(folder);
  await expect.poll(async () => (await blobFiles()).length, { timeout: 20_000 }).toBe(files);
  expect((await readSeeded(clientsOf(server)[0]!, byId)).times.size).toBe(count);
  expect(await server.end('SIGTERM')).toBe(0);
  expectNoOrphanRows(join(folder, 'sightglass.db'), count);
});

/** Expects that all rows that refer to captures refer to existing ones, and that every upload has its receipt. */
function expectNoOrphanRows(path: string, uploads: number): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const count = (sql: string): unknown => Object.values(database.prepare(sql).get()!)[0];
  expect(count('PRAGMA integrity_check')).toBe('ok');
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  for (const table of ['binary_captures', 'tabular_captures']) {
    expect(count(`SELECT count(*) FROM ${table}_marks WHERE row NOT IN (SELECT row FROM ${table})`)).toBe(0);
  }
  expect(count('SELECT count(*) FROM receipts')).toBe(uploads);
  database.close();
}
