import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SourceStore, VisitSource } from '../../src/platform/ports/source-store.ts';
import { noteHandle } from '../../src/platform/browser/files/file-handles.ts';
import { createIdbSourceStore } from '../../src/platform/browser/indexed-db/idb-source-store.ts';

const source = (id: string, cameAtMs = 1, byteLength = 3): VisitSource => ({
  id,
  kind: 'still',
  name: `${id}.png`,
  byteLength,
  cameAtMs,
});
const copy = (of: VisitSource) => ({ source: of, content: new File([of.id.padEnd(of.byteLength)], of.name) });

describe('the store of sources in IndexedDB', () => {
  let databaseName: string;
  let store: SourceStore;
  let nowMs = 0;
  const open = (): SourceStore => createIdbSourceStore(databaseName, () => nowMs);
  const found = async (visitId: string) =>
    (await open().find(visitId))?.map(({ id, whereabouts }) => `${id} ${whereabouts}`) ?? null;

  beforeEach(() => {
    databaseName = `visits-${crypto.randomUUID()}`;
    nowMs = 1e12;
    store = open();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    indexedDB.deleteDatabase(databaseName);
  });

  it('keeps a list at once and its copies as they come, for another visit too', async () => {
    const [a, b] = [source('a'), source('b')];
    expect(await store.write({ id: 'v', sources: [a, b] })).toEqual(new Set());
    await store.keep([copy(a)]);
    expect(await found('v')).toEqual(['a copy', 'b nowhere']);
    expect(await found('other')).toBeNull();
    const read = (await open().read('a')) as File;
    expect([read.name, await read.text()]).toEqual(['a.png', 'a  ']);
    expect(await open().read('b')).toBeNull();
    expect(await store.write({ id: 'v', sources: [b, a] })).toEqual(new Set(['a']));
    expect(await found('v')).toEqual(['b nowhere', 'a copy']);
  });

  it('takes a copy away when no visit has it any more', async () => {
    const [a, b] = [source('a'), source('b')];
    await store.write({ id: 'v', sources: [a, b] });
    await store.keep([copy(a), copy(b)]);
    await store.write({ id: 'w', sources: [a] });
    await store.write({ id: 'v', sources: [] });
    expect([await found('v'), await found('w'), await store.read('b')]).toEqual([null, ['a copy'], null]);
    await store.write({ id: 'w', sources: [] });
    expect(await store.read('a')).toBeNull();
  });

  it('forgets visits that nobody comes back to, with their copies', async () => {
    const days = (count: number) => count * 24 * 60 * 60 * 1000;
    await store.write({ id: 'old', sources: [source('a')] });
    await store.keep([copy(source('a'))]);
    nowMs += days(29);
    await store.write({ id: 'v', sources: [source('b')] });
    expect(await found('old')).toEqual(['a copy']);
    nowMs += days(2);
    await store.write({ id: 'v', sources: [source('b')] });
    expect([await found('old'), await store.read('a'), await found('v')]).toEqual([null, null, ['b nowhere']]);
    for (let at = 0; at < 12; at++) {
      nowMs += 1;
      await store.write({ id: `tab ${at}`, sources: [source('b')] });
    }
    expect([await found('v'), await found('tab 0')]).toEqual([null, ['b nowhere']]);
  });

  it('makes room by the oldest copies, and spares those that are wanted', async () => {
    const all = [source('a', 2), source('b', 1), source('c', 3), source('d', 1)];
    await store.write({ id: 'v', sources: all });
    await store.keep(all.map(copy));
    const [, , , d] = all;
    await store.makeRoom([d!], 9);
    expect(await found('v')).toEqual(['a copy', 'b nowhere', 'c copy', 'd copy']);
    await store.makeRoom([d!, source('new', 4, 4)], 10);
    expect(await found('v')).toEqual(['a nowhere', 'b nowhere', 'c copy', 'd copy']);
  });

  it('keeps nothing of copies for which there is no room', async () => {
    const [a, b] = [source('a'), source('b')];
    await store.write({ id: 'v', sources: [a, b] });
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value: unknown,
      key?: IDBValidKey,
    ) {
      if (key === 'b') throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, key);
    });
    await expect(store.keep([copy(a), copy(b)])).rejects.toMatchObject({
      name: 'BrowserStoreError',
      code: 'quota-exceeded',
    });
    vi.restoreAllMocks();
    expect(await found('v')).toEqual(['a nowhere', 'b nowhere']);
  });

  it('finds a file where it lies that has no copy', async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(databaseName, { create: true });
    const inside = await folder.getDirectoryHandle('inside', { create: true });
    const writer = await (await inside.getFileHandle('film.mp4', { create: true })).createWritable();
    await writer.write('film');
    await writer.close();
    const dropped = new File(['film'], 'film.mp4');
    noteHandle(dropped, Promise.resolve(folder), `${databaseName}/inside/film.mp4`);
    await store.write({ id: 'v', sources: [source('film')] });
    expect([await store.point('film', dropped), await store.point('other', new File([], 'other'))]).toEqual([
      true,
      false,
    ]);
    expect(await found('v')).toEqual(['film file']);
    expect(await (await open().read('film'))!.text()).toBe('film');

    // Simulates files on the disk; files of the origin private file system never need permission.
    const permission = vi.fn().mockResolvedValue('prompt');
    const handles = FileSystemHandle.prototype as unknown as Record<
      'queryPermission' | 'requestPermission',
      () => unknown
    >;
    vi.spyOn(handles, 'queryPermission').mockImplementation(permission);
    vi.spyOn(handles, 'requestPermission').mockImplementation(permission);
    expect([await found('v'), await store.read('film')]).toEqual([['film file-on-request'], null]);
    expect(await store.request(['film'])).toEqual(new Set());
    permission.mockResolvedValue('granted');
    expect([await store.request(['film']), await found('v')]).toEqual([new Set(['film']), ['film file']]);
  });

  it('lets another tab delete the database, and goes on with an empty one', async () => {
    await store.write({ id: 'v', sources: [source('a')] });
    await store.keep([copy(source('a'))]);
    await new Promise<void>((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(databaseName);
      deleting.onsuccess = () => resolve();
      deleting.onblocked = () => reject(new Error('The store does not let go of its database.'));
    });
    expect([await store.find('v'), await store.read('a')]).toEqual([null, null]);
    expect(await store.write({ id: 'v', sources: [source('a')] })).toEqual(new Set());
    expect(await found('v')).toEqual(['a nowhere']);
  });

  it('says so where the browser gives no storage, and tries again with the next call', async () => {
    const refused = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const unavailable = { name: 'BrowserStoreError', code: 'unavailable' };
    await expect(store.find('v')).rejects.toMatchObject(unavailable);
    await expect(store.write({ id: 'v', sources: [] })).rejects.toMatchObject(unavailable);
    refused.mockRestore();
    expect(await store.find('v')).toBeNull();
  });
});
