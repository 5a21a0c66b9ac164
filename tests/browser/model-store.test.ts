import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelStore } from '../../src/platform/ports/model-store.ts';
import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';

const record = (sha256: string, byteLength: number) => ({
  sha256,
  fileName: `${sha256}.onnx`,
  byteLength,
  storedAtMs: 1,
});
describe('the model store in IndexedDB', () => {
  let databaseName: string;
  let store: ModelStore;
  beforeEach(() => {
    databaseName = `models-${crypto.randomUUID()}`;
    store = createIdbModelStore(databaseName);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    indexedDB.deleteDatabase(databaseName);
  });

  it('keeps bytes by their hash, for another visit too', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    await store.write(record('aa', 3), new Blob([bytes]));
    await store.write(record('bb', 1), new Blob([bytes.subarray(0, 1)]));
    const nextVisit = createIdbModelStore(databaseName);
    expect(await nextVisit.list()).toEqual([record('aa', 3), record('bb', 1)]);
    const read = await nextVisit.read('aa');
    expect(read!.fileName).toBe('aa.onnx');
    expect(new Uint8Array(await read!.blob.arrayBuffer())).toEqual(bytes);
    await nextVisit.remove('aa');
    expect(await store.read('aa')).toBeNull();
    expect(await store.list()).toEqual([record('bb', 1)]);
  });

  it('says that there is no room, and keeps nothing of what did not fit', async () => {
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value: unknown,
      key?: IDBValidKey,
    ) {
      if (value instanceof Blob) return put.call(this, value, key);
      throw new DOMException('full', 'QuotaExceededError'); // after the bytes were written
    });
    await expect(store.write(record('cc', 3_000_000), new Blob(['x']))).rejects.toMatchObject({
      name: 'BrowserStoreError',
      code: 'quota-exceeded',
    });
    vi.restoreAllMocks();
    expect(await store.list()).toEqual([]);
    expect(await store.read('cc')).toBeNull();
  });

  it('lets another tab delete the database, and goes on with an empty one', async () => {
    await store.write(record('dd', 1), new Blob(['x']));
    await new Promise<void>((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(databaseName);
      deleting.onsuccess = () => resolve();
      deleting.onblocked = () => reject(new Error('The store does not let go of its database.'));
    });
    expect([await store.list(), await store.read('dd')]).toEqual([[], null]);
    await store.write(record('ee', 1), new Blob(['x']));
    expect(await store.list()).toEqual([record('ee', 1)]);
  });

  it('says so where the browser gives no storage, and tries again with the next call', async () => {
    const refused = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const unavailable = { name: 'BrowserStoreError', code: 'unavailable' };
    await expect(store.list()).rejects.toMatchObject(unavailable);
    await expect(store.write(record('ff', 1), new Blob(['x']))).rejects.toMatchObject(unavailable);
    refused.mockRestore();
    expect(await store.list()).toEqual([]);
  });
});
