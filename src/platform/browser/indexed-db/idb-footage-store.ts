import type { DBSchema } from 'idb';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { packFrames, pageOf, unpackFrames, type PackedFrames } from '../../../evidence/footage/pack-frames.ts';
import { BrowserStoreError } from '../../ports/browser-store-error.ts';
import { runIsGone, type FootageStore, type KeptRun } from '../../ports/footage-store.ts';
import { notOpened, notWritten } from './idb-error.ts';
import { abandon, beginTransaction, IdbOpening, type Migration } from './idb-opening.ts';

type Run = KeptRun & { readonly usedMs: number };

interface FootageSchema extends DBSchema {
  runs: { key: string; value: Run; indexes: { fingerprint: string } };
  /** by run and page */
  pages: { key: [string, number]; value: PackedFrames };
}

const migrations: readonly Migration<FootageSchema>[] = [
  (database) => {
    database.createObjectStore('runs', { keyPath: 'id' }).createIndex('fingerprint', 'fingerprint');
    database.createObjectStore('frames' as never);
  },
  // Frames lay there in pieces of any length. A run of another version is never gone on with, so nothing is lost.
  (database, upgrade) => {
    database.deleteObjectStore('frames' as never);
    database.createObjectStore('pages');
    return upgrade.objectStore('runs').clear();
  },
];

/** That a run is in use is written at most once in this time, ms: an export reads thousands of pages. */
const usedEveryMs = 1000;

/** The results of runs over footage in IndexedDB, of the runs that were used last. */
export function createIdbFootageStore(
  mostRuns = 12,
  databaseName = 'sightglass-footage',
  nowMs = (): number => Date.now(),
): FootageStore {
  const database = new IdbOpening(databaseName, migrations, notOpened);
  const pagesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

  /** Keeps a run from being the one that was used longest ago. Reading goes on where that cannot be written. */
  const use = async (id: string): Promise<void> => {
    const transaction = (await database.get()).transaction('runs', 'readwrite');
    try {
      const run = await transaction.store.get(id);
      if (run) await transaction.store.put({ ...run, usedMs: nowMs() });
      await transaction.done;
    } catch {
      await abandon(transaction);
    }
  };

  return {
    async runs(fingerprint) {
      const found = await (await database.get()).getAllFromIndex('runs', 'fingerprint', fingerprint);
      return found.toSorted((a, b) => b.usedMs - a.usedMs);
    },

    async append(run, frames) {
      const transaction = beginTransaction(await database.get(), ['runs', 'pages'], 'readwrite');
      try {
        const [runs, pages] = [transaction.objectStore('runs'), transaction.objectStore('pages')];
        const before = await runs.get(run.id);
        // Another tab forgot this run, or a person cleared what the site keeps: the rest alone would pass for the whole.
        if (!before && run.count > frames.length) throw runIsGone();
        const furthest = before && isFurther(before, run) ? before : run;
        await runs.put({ ...furthest, usedMs: nowMs() });
        for (let page = pageOf(frames[0]?.index ?? 0); page <= pageOf(frames.at(-1)?.index ?? -1); page++) {
          const added = frames.filter(({ index }) => pageOf(index) === page);
          const kept = await pages.get([run.id, page]);
          await pages.put(packFrames(kept ? merged(unpackFrames(kept), added) : added), [run.id, page]);
        }
        const others = (await runs.getAll()).filter(({ id }) => id !== run.id);
        for (const { id } of others.toSorted((a, b) => b.usedMs - a.usedMs).slice(mostRuns - 1)) {
          await Promise.all([runs.delete(id), pages.delete(pagesOf(id))]);
        }
        await transaction.done;
      } catch (error) {
        const reason = transaction.error ?? error;
        await abandon(transaction);
        throw reason instanceof BrowserStoreError ? reason : notWritten(reason, 'The results', 0);
      }
    },

    async page(id, page) {
      const transaction = (await database.get()).transaction(['runs', 'pages']);
      const [runs, pages] = [transaction.objectStore('runs'), transaction.objectStore('pages')];
      const [run, kept] = await Promise.all([runs.get(id), pages.get([id, page])]);
      if (!run) return null;
      if (nowMs() - run.usedMs >= usedEveryMs) await use(id);
      return kept ? unpackFrames(kept) : [];
    },
  };
}

const isFurther = (one: KeptRun, other: KeptRun): boolean =>
  (one.last?.index ?? -1) > (other.last?.index ?? -1) || (one.isWhole && !other.isWhole);

/** Frames of both in order; of those that both have, the ones that were kept. */
function merged(kept: readonly FootageFrame[], added: readonly FootageFrame[]): readonly FootageFrame[] {
  const known = new Set(kept.map(({ index }) => index));
  return [...kept, ...added.filter(({ index }) => !known.has(index))].toSorted((a, b) => a.index - b.index);
}
