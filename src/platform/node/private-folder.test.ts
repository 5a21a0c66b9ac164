import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteDataStore, readableDataOf } from './sqlite-data-store/open-sqlite-data-store.ts';

let [folder, umask] = ['', 0];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-private-'));
  umask = process.umask(0); // nothing but the code itself takes rights away
});
afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true });
});

const clock = { now: () => 1e15 };
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the rights of a data folder', () => {
  it('are its owner’s alone, of all that is in it, and not of the folders above', async () => {
    const data = join(folder, 'team', 'data');
    const store = await openSqliteDataStore(data, clock);
    await store.access.installationSecret('tokens', Uint8Array.of(1));
    await store.blobs.put((async function* () {})(), new AbortController().signal);
    const inside = await readdir(data, { recursive: true });
    expect(inside).toEqual(expect.arrayContaining(['sightglass.db', 'sightglass.db-wal', 'blobs']));
    for (const name of inside) expect(['600', '700'], name).toContain(await modeOf(join(data, name)));
    expect([await modeOf(data), await modeOf(join(folder, 'team'))]).toEqual(['700', '777']);
    expect(await readableDataOf(data)).toEqual([]);
    await store.close();
  });

  it('are left as they are where the folder is there, and told', async () => {
    const data = join(folder, 'data');
    await mkdir(data, 0o750);
    await (await openSqliteDataStore(data, clock)).close();
    await chmod(join(data, 'sightglass.db'), 0o604);
    await (await openSqliteDataStore(data, clock)).close();
    expect(await readableDataOf(data)).toEqual([`0750 ${data}`, `0604 ${join(data, 'sightglass.db')}`]);
  });

  it('are not told of a folder that is not there, nor of a file in its place', async () => {
    expect(await readableDataOf(join(folder, 'none'))).toEqual([]);
    await writeFile(join(folder, 'file'), '', { mode: 0o644 });
    expect(await readableDataOf(join(folder, 'file'))).toEqual([]);
  });
});
