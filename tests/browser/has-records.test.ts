import { openDB } from 'idb';
import { afterEach, expect, it, vi } from 'vitest';
import { hasRecords } from '../../src/platform/browser/indexed-db/has-records.ts';

afterEach(() => vi.restoreAllMocks());

/** A database of two empty stores, `entries` and `captures`. */
async function twoStores(): Promise<string> {
  const name = `records-${crypto.randomUUID()}`;
  const database = await openDB(name, 1, {
    upgrade(made) {
      made.createObjectStore('entries');
      made.createObjectStore('captures');
    },
  });
  database.close();
  return name;
}

async function put(name: string, store: string): Promise<void> {
  const database = await openDB(name);
  await database.put(store, 'something', 1);
  database.close();
}

it.each(['entries', 'captures'])('finds what any of the stores holds: %s', async (holder) => {
  const name = await twoStores();
  expect(await hasRecords(name, 'entries', 'captures')).toBe(false);
  await put(name, holder);
  const open = vi.spyOn(indexedDB, 'open');
  expect(await hasRecords(name, 'entries', 'captures')).toBe(true);
  expect(open).toHaveBeenCalledOnce();
});

it('asks no store that is not there', async () => {
  const name = await twoStores();
  await put(name, 'captures');
  expect(await hasRecords(name, 'pipelines')).toBe(false);
  expect(await hasRecords(name, 'pipelines', 'captures')).toBe(true);
});

it('makes no database', async () => {
  const name = `records-${crypto.randomUUID()}`;
  expect(await hasRecords(name, 'entries')).toBe(false);
  expect(await indexedDB.databases()).not.toContainEqual(expect.objectContaining({ name }));
});
