import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { RawImage } from '../../ports/raw-image.ts';
import type { ResultStore, RunRecord } from '../../ports/result-store.ts';
import { sha256 } from '../bytes/sha256.ts';

interface Results extends DBSchema {
  /** a model and the configuration that it ran under; `usedMs` orders them for pruning */
  runs: { key: string; value: { readonly key: string; readonly usedMs: number }; indexes: { usedMs: number } };
  /** by run and image */
  results: { key: [string, string]; value: RawImage };
  /** by run and dataset */
  records: { key: [string, string]; value: RunRecord; indexes: { datasetId: string } };
}

/** The raw results of evaluations in IndexedDB, of the configurations that were evaluated last. */
export function createIdbResultStore(
  mostRuns = 30,
  name = 'sightglass-evaluations',
  nowMs = (): number => Date.now(),
): ResultStore {
  let opening: Promise<IDBPDatabase<Results>> | undefined;
  const open = (): Promise<IDBPDatabase<Results>> => {
    opening ??= openDB<Results>(name, 2, {
      upgrade(database, oldVersion) {
        if (oldVersion < 1) {
          database.createObjectStore('runs', { keyPath: 'key' }).createIndex('usedMs', 'usedMs');
          database.createObjectStore('results');
        }
        database.createObjectStore('records').createIndex('datasetId', 'datasetId');
      },
      // Another tab upgrades or deletes it: it must not wait for this page, which opens it again when it is needed.
      blocking(_current, _blocked, event) {
        opening = undefined;
        (event.target as IDBDatabase).close();
      },
      terminated: () => (opening = undefined),
    });
    opening.catch(() => (opening = undefined));
    return opening;
  };
  const hashes = new Map<string, Promise<string>>();
  const hashOf = (key: string): Promise<string> => {
    const known = hashes.get(key);
    if (known) return known;
    const made = sha256(new TextEncoder().encode(key));
    hashes.set(key, made);
    return made;
  };

  /** Notes that a run is used now, and removes the ones that were not used for longest. */
  async function use(key: string): Promise<void> {
    const transaction = (await open()).transaction(['runs', 'results', 'records'], 'readwrite', {
      durability: 'relaxed',
    });
    const runs = transaction.objectStore('runs');
    await runs.put({ key, usedMs: nowMs() });
    let surplus = (await runs.count()) - mostRuns;
    for (let oldest = await runs.index('usedMs').openCursor(); oldest && surplus > 0; surplus--) {
      const ofRun = IDBKeyRange.bound([oldest.value.key, ''], [oldest.value.key, []]);
      await Promise.all(
        ['results' as const, 'records' as const].map((of) => transaction.objectStore(of).delete(ofRun)),
      );
      await oldest.delete();
      oldest = await oldest.continue();
    }
    await transaction.done;
  }

  return {
    async find(key, imageIds) {
      try {
        const hash = await hashOf(key);
        await use(hash);
        const store = (await open()).transaction('results').store;
        const found = await Promise.all(imageIds.map((id) => store.get([hash, id])));
        return new Map(found.flatMap((result, at) => (result ? [[imageIds[at]!, result] as const] : [])));
      } catch {
        return new Map();
      }
    },
    async put(key, imageId, result) {
      try {
        const hash = await hashOf(key);
        await (await open()).put('results', result, [hash, imageId]);
        return true;
      } catch {
        return false; // a full disk, or a window without storage: the model runs again on the next visit
      }
    },
    async records(datasetId) {
      try {
        const found = await (await open()).getAllFromIndex('records', 'datasetId', datasetId);
        return found.sort((a, b) => b.endedMs - a.endedMs);
      } catch {
        return [];
      }
    },
    async note(record) {
      try {
        await (await open()).put('records', record, [await hashOf(record.key), record.datasetId]);
        return true;
      } catch {
        return false;
      }
    },
  };
}
