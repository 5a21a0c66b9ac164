import { openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StoredBlob } from '../../src/data-service/ports/blob-store.ts';
import { datasetTag } from '../../src/data-service/ports/capture-filter.ts';
import { idbDataStore, type OpenDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { addParts, migrations } from '../../src/platform/browser/indexed-db/data-store/schema.ts';
import { auditFilter } from '../contract/data-store/audit.ts';
import { testClock, testNow } from '../contract/data-store/blobs.ts';
import {
  anonymousReceipt,
  binaryFilter,
  binaryRecord,
  idsOf,
  scanOf,
  tabularFilter,
  tabularRow,
} from '../contract/data-store/captures.ts';
import { labelTask } from '../contract/data-store/labels.ts';
import { describeDataStore } from '../contract/data-store/describe-data-store.ts';
import { standingClock, type StoreUnderTest } from '../contract/data-store/store-under-test.ts';
import { describeFieldIndexes } from '../contract/data-store/field-indexes.ts';
import { describeSinkIndexes } from '../contract/data-store/sink-indexes.ts';
import { describeSchedulers } from '../contract/pipeline-schedulers.ts';

function freshStore(sheetRows?: number) {
  const name = `data-${crypto.randomUUID()}`;
  const { clock, setTime } = standingClock(testNow);
  const opened: OpenDataStore[] = [];
  const open = (): OpenDataStore => {
    opened.push(idbDataStore(clock, name, sheetRows));
    return opened.at(-1)!;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((store) => store.close()));
    indexedDB.deleteDatabase(name);
  };
  return { name, open, setTime, close };
}

/** A key or a task as a version without parts has kept it; any other value as it is. */
function withoutPart(value: object): object {
  if ('task' in value) return { ...value, task: withoutPart(value.task as object) };
  const { partId: _, ...others } = value as { readonly partId?: unknown };
  return 'secret' in value || 'assignee' in value ? others : value;
}

/** A quarter of an hour with two recorded frames has a sheet of results, and one with a single frame has none. */
const sheetRows = 6;

async function openIdb(): Promise<StoreUnderTest> {
  const { open, setTime, close } = freshStore(sheetRows);
  return { store: open(), openAgain: async () => open(), setTime, close };
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
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value: unknown,
      ...key
    ) {
      if ((value as { id: string }).id === 'b') throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, ...key);
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

  it('writes bytes with the record that names them, and neither where the record is refused', async () => {
    const [store, other] = [open(), open()];
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
    }
    const put = () => store.blobs.put(content(), new AbortController().signal);
    const listed = async ({ blobs }: OpenDataStore): Promise<string[]> => {
      const addresses: string[] = [];
      for await (const { address } of blobs.list()) addresses.push(address);
      return addresses;
    };
    const recordOf = ({ address: blobAddress }: StoredBlob, tags: readonly string[] = []) =>
      binaryRecord(blobAddress, { blobAddress, tags });
    const [refused, kept, waiting] = [await put(), await put(), await put()];
    const inserts = await Promise.allSettled([
      store.binary.insert([recordOf(refused, [datasetTag('none')])], anonymousReceipt()),
      store.binary.insert([recordOf(kept)], anonymousReceipt()), // in the same transaction as the first insert, which fails
    ]);
    expect(inserts.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await listed(other)).toEqual([kept.address]);
    expect((await listed(store)).sort()).toEqual([kept.address, waiting.address].sort());
    expect(idsOf(await other.binary.page(scanOf(binaryFilter())))).toEqual([kept.address]);
  });

  const day = 24 * 60 * 60 * 1_000_000;
  const times = [-1, 0, 1, day - 1, day, 2 * day + 5, 3 * day, 3 * day + 1, 9 * day];
  const ends = [null, -day, 0, 1, day, day + 1, 3 * day, 3 * day + 1, 5 * day];
  async function expectCounts({ binary }: OpenDataStore): Promise<void> {
    for (const start of ends)
      for (const end of ends) {
        const filter = binaryFilter({ interval: { start, end } });
        const found = await binary.page(scanOf(filter));
        const totalSizeBytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        expect(await binary.summarize(filter), `${start} to ${end}`).toEqual({ count: found.length, totalSizeBytes });
      }
  }

  it('counts by days what there is, whatever was added, tagged and deleted', async () => {
    const store = open();
    const recordAt = (timeRequested: number, n: number) =>
      binaryRecord(`id-${n}`, { timeRequested, sizeBytes: 1 << n, componentName: n % 2 ? 'a' : 'b' });
    await store.binary.insert(times.map(recordAt), anonymousReceipt());
    await expectCounts(store);
    await store.binary.edit('org', ['id-1', 'id-6'], (record) => ({ ...record, tags: ['t'] }));
    expect(await store.binary.summarize(binaryFilter({ tagged: 'tagged' }))).toEqual({ count: 2, totalSizeBytes: 66 });
    await store.binary.delete('org', ['id-0', 'id-6', 'none']);
    await expectCounts(store);
    expect(await store.binary.summarize(binaryFilter())).toEqual({ count: 7, totalSizeBytes: 511 - 1 - 64 });
  });

  it('counts what was kept before there were tallies', async () => {
    const newer = freshStore();
    const store = newer.open();
    await store.binary.insert(
      times.map((timeRequested, n) => binaryRecord(`id-${n}`, { timeRequested })),
      anonymousReceipt(),
    );
    await store.tabular.insert([tabularRow('row')], anonymousReceipt());
    await store.close();
    // the same data in the previous version of the database
    const { version } = (await indexedDB.databases()).find((database) => database.name === newer.name)!;
    const from = await openDB(newer.name);
    const older = freshStore();
    const untallied = 4;
    expect(version).toBe(migrations.length);
    const to = await openDB(older.name, untallied, {
      upgrade: (database) =>
        void migrations.slice(0, untallied).map((migrate) => migrate(database as never, null as never)),
    });
    for (const name of ['streams', 'binary', 'tabular']) {
      const keys = to.transaction(name).store.keyPath === null ? await from.getAllKeys(name) : [];
      for (const [n, value] of (await from.getAll(name)).entries()) await to.put(name, value, keys[n]);
    }
    from.close();
    to.close();
    const opened = older.open();
    await expectCounts(opened);
    expect(await opened.binary.summarize(binaryFilter())).toMatchObject({ count: times.length });
    expect(await opened.tabular.summarize(tabularFilter())).toEqual({ count: 1, totalSizeBytes: 10 });
    await Promise.all([newer.close(), older.close()]);
  });

  it.each(Array.from(migrations.slice(1), (_, n) => n + 1))(
    'brings version %d up to date, and knows from then on who changed what',
    async (version) => {
      const older = freshStore();
      const before = await openDB(older.name, version, {
        async upgrade(database, _old, _new, transaction) {
          for (const migrate of migrations.slice(0, version)) await migrate(database as never, transaction as never);
        },
      });
      before.close();
      const store = older.open();
      await store.access.createOrganization({ id: 'org', name: 'Org', timeCreated: 1 });
      expect(await store.audit.page(auditFilter(), null, 10)).toMatchObject([
        { what: 'organization', objectId: 'org' },
      ]);
      await older.close();
    },
  );

  it('brings a version without parts up to date: a task is of the part of its image, a key of all parts', async () => {
    const newer = freshStore();
    const store = newer.open();
    await store.access.createOrganization({ id: 'org', name: 'Org', timeCreated: 1 });
    const hash = { algorithm: 'pbkdf2-sha256', iterations: 1, salt: Uint8Array.of(1), hash: Uint8Array.of(2) } as const;
    const key = { id: 'k', name: 'key', organizationId: 'org', locationId: null, partId: null, role: 'owner' } as const;
    await store.access.createKey({ ...key, secret: hash, timeCreated: 1 });
    await store.binary.insert([binaryRecord('f', { partId: 'arm' })], anonymousReceipt());
    const task = labelTask('t', { partId: 'arm' });
    await store.labels.addTasks([task]);
    await store.close();
    // the same data in the previous version of the database
    const from = await openDB(newer.name);
    const older = freshStore();
    const to = await openDB(older.name, migrations.indexOf(addParts), {
      async upgrade(database, _old, _new, transaction) {
        const before = migrations.slice(0, migrations.indexOf(addParts));
        for (const migrate of before) await migrate(database as never, transaction as never);
      },
    });
    for (const name of to.objectStoreNames) {
      const keys = to.transaction(name).store.keyPath === null ? await from.getAllKeys(name) : [];
      for (const [n, value] of (await from.getAll(name)).entries()) await to.put(name, withoutPart(value), keys[n]);
    }
    from.close();
    to.close();
    const opened = older.open();
    expect(await opened.access.getKey('k')).toMatchObject(key);
    expect(await opened.labels.getTasks('org', ['t'])).toEqual([task]);
    await Promise.all([newer.close(), older.close()]);
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
    (await openDB(name, 98)).close(); // would block for ever if the store kept its connection
    await expect(store.access.listOrganizations()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('lets another tab delete the data, says so, and goes on with none, whatever it knew before', async () => {
    const letGo = vi.fn();
    const store = idbDataStore(testClock, name, undefined, letGo);
    await store.binary.insert([binaryRecord('a', { componentName: 'other' }), binaryRecord('b')], anonymousReceipt());
    await new Promise<void>((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(name);
      deleting.onsuccess = () => resolve();
      deleting.onblocked = () => reject(new Error('The store does not let go of its database.'));
    });
    expect(letGo).toHaveBeenCalledOnce();
    expect(idsOf(await store.binary.page(scanOf(binaryFilter())))).toEqual([]);
    await store.binary.insert([binaryRecord('c')], anonymousReceipt());
    // Another tab must find the record's stream from the stored data alone.
    for (const one of [store, open()]) expect(idsOf(await one.binary.page(scanOf(binaryFilter())))).toEqual(['c']);
    await store.close();
  });
});
