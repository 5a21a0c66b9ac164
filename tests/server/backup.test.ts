import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { readBlob } from '../read-blob.ts';
import { backUpData } from '../../src/platform/node/backup/back-up-data.ts';
import { restoreData } from '../../src/platform/node/backup/restore-data.ts';
import { anonymousReceipt, binaryFilter, binaryRecord, idsOf, scanOf } from '../contract/data-store/captures.ts';
import { systemClock } from '../../src/server/start-data-host.ts';
import { collect } from '../data-service-fixture.ts';
import { contentOf, seededUploads, send } from './seeded-uploads.ts';
import { authenticatedClients } from './server-clients.ts';
import { binPath, startServerProcess, temporaryFolder } from './server-process.ts';

/** Runs a command and waits for its exit. */
function sightglass(...argv: string[]): Promise<{ code: number; line: Record<string, unknown>; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [binPath, ...argv], (error, stdout, stderr) => {
      const line = JSON.parse(stdout) as Record<string, unknown>;
      resolve({ code: error === null ? 0 : Number(error.code), line, stderr });
    });
  });
}

/** All files below a folder, by relative path. */
async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path)] as const)),
  );
}

it(
  'of a folder that is written to all the while holds all that was acknowledged before, and comes back byte for byte',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const server = await startServerProcess(data);
    const { partId } = server.firstStart!;
    const clients = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
    const uploads = seededUploads(11, 4000);
    const ids: string[] = []; // binary data ids by number of the upload; '' for readings
    let isDone = false;
    const deleted = new Set<number>();
    const before = 120;
    const write = async (): Promise<void> => {
      while (!isDone && ids.length < uploads.length) {
        const next = ids.push('') - 1;
        const id = await send(clients, uploads[next]!, partId);
        if (uploads[next]!.kind === 'tabular') continue;
        ids[next] = id;
        if (next % 5 !== 0) continue; // delete every fifth, so that files disappear while the backup copies them
        deleted.add(next);
        await clients.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
      }
    };
    const writing = Promise.all([write(), write()]);
    await expect.poll(() => ids.length, { timeout: 60_000 }).toBeGreaterThan(before + 2);
    const made = await sightglass('backup', backup, '--data', data);
    const written = ids.length;
    isDone = true;
    await writing;
    expect(made).toMatchObject({ code: 0, line: { lost: [], damaged: [] } });
    expect(written).toBeGreaterThan(before + 10); // uploads continued during the backup
    expect(await server.end('SIGTERM')).toBe(0);

    expect((await sightglass('restore', backup, '--data', restored)).code).toBe(0);
    const [copy, again] = [await filesOf(backup), await filesOf(restored)];
    expect([...again.keys()].sort()).toEqual([...copy.keys()].filter((path) => path !== '/backup.json').sort());
    for (const [path, bytes] of again) expect([path, bytes.equals(copy.get(path)!)]).toEqual([path, true]);

    const store = await openSqliteDataStore(restored, systemClock);
    const byName = new Map(uploads.map((upload) => [upload.uploadId, upload]));
    const names = new Set<string>();
    const { organizationId } = server.firstStart!;
    const stored = await store.binary.page({ ...scanOf(binaryFilter({ organizationId })), limit: uploads.length });
    for (const { id, fileName, fileId, blobAddress } of stored) {
      const bytes = Buffer.concat(await collect(readBlob(store.blobs, blobAddress, null)));
      const upload = byName.get(fileName) ?? uploads[ids.indexOf(id)]!;
      expect([fileId, bytes.equals(contentOf(upload))]).toEqual([fileId, true]);
      names.add(upload.uploadId);
    }
    const missing = uploads.slice(0, before).filter(({ kind, uploadId }, n) => {
      return kind !== 'tabular' && !deleted.has(n) && !names.has(uploadId);
    });
    expect(missing).toEqual([]);
    await store.close();

    const second = await startServerProcess(restored); // the backup includes keys and secrets
    const readers = await authenticatedClients(second.origin, server.firstStart!, 'grpc');
    const readings = uploads.slice(0, before).filter(({ kind }) => kind === 'tabular');
    const least = readings.reduce((total, { size }) => total + size, 0);
    expect(Number((await readers.data.tabularDataByFilter({ countOnly: true })).count)).toBeGreaterThanOrEqual(least);
    expect((await stat(restored)).mode & 0o077).toBe(0);
  },
);

describe('a small backup', () => {
  let [folder, data, backup] = ['', '', ''];
  let blob = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightglass-backup-'));
    [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
    const store = await openSqliteDataStore(data, systemClock);
    await store.access.createOrganization({ id: 'org', name: 'org', timeCreated: 0 });
    const content = (async function* () {
      yield new TextEncoder().encode('the bytes of a file');
    })();
    const { address, sha256, sizeBytes } = await store.blobs.put(content, new AbortController().signal);
    await store.binary.insert([binaryRecord('a', { blobAddress: address, sha256, sizeBytes })], anonymousReceipt());
    await store.close();
    blob = join('blobs', address.slice(0, 2), address);
    return () => rm(folder, { recursive: true });
  });
  const backUp = () => backUpData(data, backup, systemClock, () => undefined);
  const restoreTo = (name: string) => restoreData(backup, join(folder, name), () => undefined);
  const fresh = async () => {
    await rm(backup, { recursive: true, force: true });
    return backUp();
  };

  it('overwrites nothing, neither a backup nor data', async () => {
    await fresh();
    await expect(backUp()).rejects.toMatchObject({ code: 'not-empty', message: expect.stringContaining(backup) });
    await expect(restoreTo('data')).rejects.toMatchObject({ code: 'not-empty' });
  });

  it('is not made of a folder without data', async () => {
    const nothing = backUpData(join(folder, 'typo'), join(folder, 'b'), systemClock, () => undefined);
    await expect(nothing).rejects.toMatchObject({ code: 'no-data', message: expect.stringContaining('typo') });
    expect(await readdir(folder)).not.toContain('typo');
  });

  it.each([
    ['a file', () => blob],
    ['the database', () => 'sightglass.db'],
  ])('is not restored where %s has changed, and nothing is left of the attempt', async (_, path) => {
    await fresh();
    const bytes = await readFile(join(backup, path()));
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(join(backup, path()), bytes);
    await expect(restoreTo('new')).rejects.toMatchObject({ code: 'damaged-backup' });
    await rm(join(backup, path()));
    await expect(restoreTo('new')).rejects.toMatchObject({ code: 'damaged-backup' });
    expect((await readdir(folder)).filter((name) => name.startsWith('new'))).toEqual([]);
  });

  it('names what its data folder has lost or damaged, keeps the rest, and can be restored', async () => {
    const bytes = await readFile(join(data, blob));
    await truncate(join(data, blob), 5);
    const { manifest, lost } = await fresh();
    expect([Object.keys(manifest.damaged), lost]).toEqual([[blob.split('/').at(-1)], []]);
    await restoreTo('of-damaged');
    expect(await readFile(join(folder, 'of-damaged', blob))).toHaveLength(5);
    await rm(join(data, blob));
    expect((await fresh()).lost).toEqual(['a']);
    await writeFile(join(data, blob), bytes);
  });

  it('leaves out what is deleted while it is made', async () => {
    const store = await openSqliteDataStore(join(folder, 'busy'), systemClock);
    await store.access.createOrganization({ id: 'org', name: 'org', timeCreated: 0 });
    for (const id of ['first', 'second']) {
      const content = (async function* () {
        yield new TextEncoder().encode(id);
      })();
      const { address, sha256, sizeBytes } = await store.blobs.put(content, new AbortController().signal);
      await store.binary.insert([binaryRecord(id, { blobAddress: address, sha256, sizeBytes })], anonymousReceipt());
    }
    const [, second] = await store.binary.page(scanOf(binaryFilter()));
    const [made, remade] = [join(folder, 'of-busy'), join(folder, 'busy-again')];
    const deleteSecond = (): void => {
      const busy = new DatabaseSync(join(folder, 'busy', 'sightglass.db'));
      busy.exec("DELETE FROM binary_captures WHERE id = 'second'");
      busy.close();
      rmSync(join(folder, 'busy', 'blobs', second!.blobAddress.slice(0, 2), second!.blobAddress));
    };
    const { manifest, lost } = await backUpData(join(folder, 'busy'), made, systemClock, deleteSecond);
    expect([manifest.files, lost]).toEqual([1, []]);
    await store.close();
    await restoreData(made, remade, () => undefined);
    const again = await openSqliteDataStore(remade, systemClock);
    expect(idsOf(await again.binary.page(scanOf(binaryFilter())))).toEqual(['first']);
    await again.close();
  });

  it('is told from any other folder', async () => {
    const other = restoreData(data, join(folder, 'new'), () => undefined);
    await expect(other).rejects.toMatchObject({ code: 'no-backup', message: expect.stringContaining('backup.json') });
    await fresh();
    await writeFile(join(backup, 'backup.json'), '{"format":2}');
    await expect(restoreTo('new')).rejects.toMatchObject({ code: 'newer-backup' });
  });
});
