import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { codeOf } from '../data-service-fixture.ts';
import { seededUploads, send, type SeededUpload } from './seeded-uploads.ts';
import { authenticatedClients, type ServerClients } from './server-clients.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';

async function startWithClients() {
  const folder = await temporaryFolder();
  const server = await startServerProcess(folder);
  const clients = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
  return { folder, server, clients, partId: server.firstStart!.partId };
}

const counts = async ({ data }: ServerClients): Promise<readonly [bigint, bigint]> => [
  (await data.binaryDataByFilter({ countOnly: true })).count,
  (await data.tabularDataByFilter({ countOnly: true })).count,
];
const upload = (uploadId: string, kind: SeededUpload['kind'], size: number): SeededUpload => ({ uploadId, kind, size });

function hasPrlimit(): boolean {
  try {
    return execFileSync('prlimit', ['--version'], { encoding: 'utf8' }).startsWith('prlimit');
  } catch {
    return false;
  }
}

// A limit of the file size needs neither privileges nor a separate disk, and makes both the database and the blobs fail.
it.skipIf(!hasPrlimit())(
  'tells of a disk without room, keeps nothing half, and goes on when there is room',
  async () => {
    const { folder, server, clients, partId } = await startWithClients();
    const limit = (bytes: string): void => {
      execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}:`]);
    };
    await send(clients, upload('before', 'file', 2_000_000), partId);
    const before = await counts(clients);

    limit('1000000');
    expect(await codeOf(send(clients, upload('large', 'file', 1_500_000), partId))).toBe('ResourceExhausted');
    expect(await codeOf(send(clients, upload('large', 'capture', 1_500_000), partId))).toBe('ResourceExhausted');
    expect(await counts(clients)).toEqual(before);

    limit('1000'); // smaller than the database's log
    for (const kind of ['capture', 'file', 'stream', 'tabular'] as const) {
      expect(await codeOf(send(clients, upload(`no-room-${kind}`, kind, 500), partId))).toMatch(
        /^(ResourceExhausted|Unavailable)$/,
      );
    }
    expect(await counts(clients)).toEqual(before); // reading still works

    limit('unlimited');
    const uploads = ['capture', 'file', 'stream', 'tabular'] as const;
    for (const kind of uploads) await send(clients, upload(`no-room-${kind}`, kind, 500), partId);
    expect(await counts(clients)).toEqual([before[0] + 3n, before[1] + 500n]);
    const entries = await readdir(join(folder, 'blobs', 'unfinished'));
    expect(entries).toEqual([]);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.stderr()).not.toContain('"a defect"');
  },
);

it('tells that the database is locked, and goes on when it is free', async () => {
  const { folder, server, clients, partId } = await startWithClients();
  const [one, two, three] = seededUploads(7, 3);
  await send(clients, one!, partId);
  const before = await counts(clients);
  const other = new DatabaseSync(join(folder, 'sightglass.db'));
  other.exec('BEGIN IMMEDIATE');
  const refused = [two!, three!].map((locked) => codeOf(send(clients, locked, partId)));
  expect(await counts(clients)).toEqual(before); // reads are not blocked
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(await Promise.all(refused)).toEqual(['Unavailable', 'Unavailable']);
  other.exec('ROLLBACK');
  other.close();
  const id = await send(clients, two!, partId);
  expect(await send(clients, two!, partId)).toBe(id);
  expect(await counts(clients)).not.toEqual(before);
  expect(server.stderr()).not.toContain('"a defect"');
});
