import { openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idbDataStore, type OpenDataStore } from '../../src/platform/browser/idb-data-store/idb-data-store.ts';
import { testClock } from '../contract/data-store/blobs.ts';
import { anonymousReceipt, binaryFilter, binaryRecord, idsOf, scanOf } from '../contract/data-store/captures.ts';
import { describeDataStore } from '../contract/data-store/describe-data-store.ts';
import type { StoreUnderTest } from '../contract/data-store/store-under-test.ts';
import { describeFieldIndexes } from '../contract/data-store/field-indexes.ts';
import { describeSinkIndexes } from '../contract/data-store/sink-indexes.ts';
import { describeSchedulers } from '../contract/pipeline-schedulers.ts';

function freshStore() {
  const name = `data-${crypto.randomUUID()}`;
  const opened: OpenDataStore[] = [];
  const open = (): OpenDataStore => {
    opened.push(idbDataStore(testClock, name));
    return opened.at(-1)!;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((store) => store.close()));
    indexedDB.deleteDatabase(name);
  };
  return { name, open, close };
}

async function openIdb(): Promise<StoreUnderTest> {
  const { open, close } = freshStore();
  return { store: open(), openAgain: async () => open(), close };
}

describeDataStore('in IndexedDB', openIdb);
describeFieldIndexes('in IndexedDB', openIdb);
describeSinkIndexes('in IndexedDB', openIdb);
describeSchedulers('in IndexedDB', openIdb);

describe('the data store in IndexedDB', () => {
  const { name, open, close } = freshStore();
  afterEach(async () => {
    vi.restoreAllMocks();
    await close();
  });

  it('says that there is no room, and keeps nothing of what did not fit', async () => {
    const store = open();
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: unknown) {
      if ((value as { id: string }).id === 'b') throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value);
    });
    const insert = store.binary.insert(
      ['a', 'b'].map((id) => binaryRecord(id)),
      anonymousReceipt(),
    );
    await expect(insert).rejects.toMatchObject({ name: 'StoreError', code: 'resource-exhausted' });
    vi.restoreAllMocks();
    await store.binary.insert([binaryRecord('c', { componentName: 'other' })], anonymousReceipt());
    expect(idsOf(await store.binary.page(scanOf(binaryFilter())))).toEqual(['c']);
  });

  it('refuses data of a newer version in words, and leaves it alone', async () => {
    (await openDB(name, 99)).close();
    const refused = open().access.listOrganizations();
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/newer version.*schema 99.*reload this page/),
    });
    const databases = await indexedDB.databases();
    expect(databases.find((database) => database.name === name)?.version).toBe(99);
  });

  it('lets a tab with newer code upgrade', async () => {
    const store = open();
    await store.access.createOrganization({ id: 'o', name: 'o', timeCreated: 1 });
    (await openDB(name, 98)).close(); // waits for ever if the connection is held
    await expect(store.access.listOrganizations()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
