import type { DBSchema } from 'idb';
import type { FootageFrame } from '../../../footage/footage-frame.ts';
import type { FootageStore, KeptRun } from '../../../ports/footage-store.ts';
import { notOpened, notWritten } from './idb-error.ts';
import { abandon, IdbOpening, type Migration } from './idb-opening.ts';

type Run = KeptRun & { readonly usedMs: number };

interface FootageSchema extends DBSchema {
  runs: { key: string; value: Run; indexes: { fingerprint: string } };
  /** by run and the number of their first frame: frames in pieces, which share their labels */
  frames: { key: [string, number]; value: readonly FootageFrame[] };
}

const migrations: readonly Migration<FootageSchema>[] = [
  (database) => {
    database.createObjectStore('runs', { keyPath: 'id' }).createIndex('fingerprint', 'fingerprint');
    database.createObjectStore('frames');
  },
];

/** The results of runs over footage in IndexedDB, of the runs that were used last. */
export function createIdbFootageStore(
  mostRuns = 12,
  databaseName = 'sightglass-footage',
  nowMs = (): number => Date.now(),
): FootageStore {
  const database = new IdbOpening(databaseName, migrations, notOpened);
  const piecesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

  return {
    async runs(fingerprint) {
      const found = await (await database.get()).getAllFromIndex('runs', 'fingerprint', fingerprint);
      return found.toSorted((a, b) => b.usedMs - a.usedMs);
    },

    async append(run, frames) {
      const transaction = (await database.get()).transaction(['runs', 'frames'], 'readwrite');
      try {
        const [runs, pieces] = [transaction.objectStore('runs'), transaction.objectStore('frames')];
        await runs.put({ ...run, usedMs: nowMs() });
        const [first] = frames;
        if (first) await pieces.put(frames, [run.id, first.index]);
        const others = (await runs.getAll()).filter(({ id }) => id !== run.id);
        for (const { id } of others.toSorted((a, b) => b.usedMs - a.usedMs).slice(mostRuns - 1)) {
          await Promise.all([runs.delete(id), pieces.delete(piecesOf(id))]);
        }
        await transaction.done;
      } catch (error) {
        const reason = transaction.error ?? error;
        await abandon(transaction);
        throw notWritten(reason, 'The results', 0);
      }
    },

    async frames(id) {
      return (await (await database.get()).getAll('frames', piecesOf(id))).flat();
    },
  };
}
