import { openDB } from 'idb';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OutboxEntry } from '../../src/remote/outbox/outbox-entry.ts';
import { serverTarget } from '../../src/remote/outbox/outbox-target.ts';
import { openCaptures, type OpenCaptures } from '../../src/platform/browser/indexed-db/capture-store/open-captures.ts';
import { entryOf, parcelOf } from '../contract/capture-entries.ts';
import { describeCaptureStores } from '../contract/capture-stores.ts';

function freshDatabase() {
  const name = `captures-${crypto.randomUUID()}`;
  const opened: OpenCaptures[] = [];
  const open = (): OpenCaptures => {
    opened.push(openCaptures(name));
    return opened.at(-1)!;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((captures) => captures.close()));
    indexedDB.deleteDatabase(name);
  };
  return { name, open, close };
}

describeCaptureStores('in IndexedDB', () => {
  const { open, close } = freshDatabase();
  return { ...open(), openAgain: open, close };
});

function forTest() {
  const database = freshDatabase();
  onTestFinished(database.close);
  return database;
}
afterEach(() => void vi.restoreAllMocks());

describe('captures in IndexedDB', () => {
  it('say that there is no room, and keep nothing of what did not fit', async () => {
    const { captures } = forTest().open();
    const { add } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (this.name === 'captures' && (value as { id: string }).id === '2')
        throw new DOMException('full', 'QuotaExceededError');
      return add.call(this, value, key);
    });
    await expect(captures.put([parcelOf('1'), parcelOf('2')])).rejects.toMatchObject({
      name: 'CaptureStoreError',
      code: 'full',
    });
    vi.restoreAllMocks();
    expect([await captures.count(), await captures.sizeBytes(), await captures.content('1')]).toEqual([0, 0, null]);
  });

  it('refuse those of a newer version in words, and leave them alone', async () => {
    const { name, open } = forTest();
    (await openDB(name, 99)).close();
    const refused = open().captures.count();
    await expect(refused).rejects.toMatchObject({
      code: 'newer-schema',
      message: expect.stringMatching(/newer version/),
    });
    const databases = await indexedDB.databases();
    expect(databases.find((database) => database.name === name)?.version).toBe(99);
  });

  it('let a tab with newer code upgrade', async () => {
    const { name, open } = forTest();
    const { captures } = open();
    await captures.put([parcelOf('1')]);
    (await openDB(name, 98)).close(); // would block for ever if the store kept its connection
    await expect(captures.count()).rejects.toMatchObject({ code: 'newer-schema' });
  });

  it('tell other tabs of changes', async () => {
    const { open } = forTest();
    const [here, there] = [open(), open()];
    const heard = new Promise<void>((resolve) => there.captures.onChange(resolve));
    await here.captures.put([parcelOf('1')]);
    await heard;
  });
});

describe('entries of the outbox in IndexedDB', () => {
  it('are changed together where many are changed at once, each for itself and in their order', async () => {
    const { outbox } = forTest().open();
    await outbox.add(['1', '2', '3'].map((id) => entryOf(id)));
    const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const add = (entry: OutboxEntry): OutboxEntry => ({ ...entry, failures: entry.failures + 1 });
    const changed = await Promise.all([
      outbox.update('1', add),
      outbox.update('2', add),
      outbox.update('2', (entry) => ({ ...entry, failures: entry.failures * 10 })),
      outbox.update('3', () => null),
      outbox.update('not there', add),
    ]);
    expect(changed.map((entry) => entry?.failures ?? null)).toEqual([1, 1, 10, null, null]);
    expect(transactions).toHaveBeenCalledTimes(2);
    expect(await Promise.all(['1', '2', '3'].map(async (id) => (await outbox.get(id))?.failures))).toEqual([1, 10, 0]);
  });

  it('all stay as they were where the disk is full, and can be changed later', async () => {
    const { outbox } = forTest().open();
    await outbox.add(['1', '2', '3'].map((id) => entryOf(id)));
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: OutboxEntry) {
      if (value.id === '3') throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value);
    });
    const fail = (id: string) => outbox.update(id, (entry) => ({ ...entry, failures: 1 }));
    const [first, second, third] = await Promise.allSettled(['1', '2', '3'].map(fail));
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'rejected']);
    vi.restoreAllMocks();
    expect((await outbox.get('2'))?.failures).toBe(0);
    expect((await fail('2'))?.failures).toBe(1);
  });
});

describe('keys of targets', () => {
  const yard = serverTarget({ id: 'yard', name: '', url: 'https://yard.example', keyId: 'k', partId: 'p' });
  const secret = 'a key that nobody may find';

  it('are gone with the tabs unless they are to be kept', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, false);
    expect([await first.keys.get(yard), await first.keys.isKept('yard')]).toEqual([secret, false]);
    await first.close();
    expect(await open().keys.get(yard)).toBeNull();
  });

  it('go over a reload of their tab, encrypted, and lie there only in between', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, false);
    expect(sessionStorage).toHaveLength(0);
    dispatchEvent(new PageTransitionEvent('pagehide'));
    expect(sessionStorage).toHaveLength(1);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('nobody');
    await first.close();
    const next = open();
    expect(sessionStorage).toHaveLength(0);
    expect([await next.keys.get(yard), await next.keys.carried]).toEqual([secret, ['yard']]);
    expect(await next.keys.get({ ...yard, url: 'https://elsewhere.example' })).toBeNull();
    await next.keys.forget('yard');
    dispatchEvent(new PageTransitionEvent('pagehide'));
    expect(sessionStorage).toHaveLength(0);
  });

  it('do not come back with a tab that was closed, and opened again later', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, false);
    vi.spyOn(Date, 'now').mockReturnValue(performance.timeOrigin - 61_000);
    dispatchEvent(new PageTransitionEvent('pagehide'));
    vi.restoreAllMocks();
    await first.close();
    expect(await open().keys.get(yard)).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it('stay with a page that was only hidden', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, false);
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect([sessionStorage.length, await first.keys.get(yard)]).toEqual([0, secret]);
  });

  it('are kept encrypted, by a key that cannot be taken out', async () => {
    const { name, open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, true);
    await first.close();
    const database = await openDB(name);
    const stored = [await database.getAll('keys'), await database.getAll('targets'), await database.getAll('settings')];
    const bytes = (stored[0] as { ciphertext: ArrayBuffer }[]).map(({ ciphertext }) =>
      new TextDecoder().decode(ciphertext),
    );
    expect(JSON.stringify(stored) + bytes.join()).not.toContain('nobody');
    const [vault] = (await database.getAll('vault')) as CryptoKey[];
    await expect(crypto.subtle.exportKey('raw', vault!)).rejects.toThrow();
    database.close();

    const next = open();
    expect([await next.keys.get(yard), await next.keys.isKept('yard')]).toEqual([secret, true]);
    expect(await next.keys.get({ ...yard, url: 'https://elsewhere.example' })).toBeNull();
  });

  it('open for the address that they were given for, and for no other', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, true);
    await first.close();
    expect(await open().keys.get({ ...yard, url: 'https://elsewhere.example' })).toBeNull();
  });

  it('are forgotten', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, true);
    await first.keys.forget('yard');
    await first.close();
    expect(await open().keys.get(yard)).toBeNull();
  });

  it('pass from tab to tab while one is open', async () => {
    const { open } = forTest();
    const first = open();
    await first.keys.give(yard, secret, false);
    const second = open();
    await new Promise<void>((resolve) => (second.keys.onKey = resolve));
    expect(await second.keys.get(yard)).toBe(secret);
  });
});
