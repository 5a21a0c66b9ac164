import { openDB, type DBSchema } from 'idb';

interface Thumbnails extends DBSchema {
  thumbnails: {
    key: string;
    value: { readonly id: string; readonly url: string; readonly order: number };
    indexes: { order: number };
  };
}

export interface ThumbnailStore {
  find(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  put(urls: ReadonlyMap<string, string>): Promise<void>;
}

/**
 * Small pictures by the id of what they show, as data: URLs, the newest of them: some 50 MB at 10 kB each. They can all be drawn again,
 * so that whatever fails here is nobody's loss.
 */
export function openThumbnails(mostKept = 5_000, pruneEvery = 200, name = 'sightglass-thumbnails'): ThumbnailStore {
  const database = openDB<Thumbnails>(name, 3, {
    // Before version 3 pictures were turned by EXIF in browsers that do so unasked.
    upgrade(created) {
      for (const name of created.objectStoreNames) created.deleteObjectStore(name);
      created.createObjectStore('thumbnails', { keyPath: 'id' }).createIndex('order', 'order');
    },
    // Who deletes or upgrades it is not to wait for this page, which then draws without it.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  database.catch(() => undefined);
  let added = 0;

  async function prune(): Promise<void> {
    const transaction = (await database).transaction('thumbnails', 'readwrite');
    let surplus = (await transaction.store.count()) - mostKept;
    for (let oldest = await transaction.store.index('order').openCursor(); oldest && surplus > 0; surplus--) {
      await oldest.delete();
      oldest = await oldest.continue();
    }
    await transaction.done;
  }

  return {
    async find(ids) {
      try {
        const store = (await database).transaction('thumbnails').store;
        const found = await Promise.all(ids.map((id) => store.get(id)));
        return new Map(found.flatMap((one) => (one ? [[one.id, one.url]] : [])));
      } catch {
        return new Map();
      }
    },
    async put(urls) {
      try {
        const transaction = (await database).transaction('thumbnails', 'readwrite', { durability: 'relaxed' });
        const puts = [...urls].map(([id, url]) => transaction.store.put({ id, url, order: Date.now() }));
        await Promise.all([...puts, transaction.done]); // each fails where the disk is full
        added += urls.size;
        if (added < pruneEvery) return;
        added = 0;
        await prune();
      } catch {
        // A full disk, or a window without storage: it is drawn again when it is next seen.
      }
    },
  };
}
