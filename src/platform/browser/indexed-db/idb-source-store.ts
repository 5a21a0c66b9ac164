import type { DBSchema, StoreNames } from 'idb';
import type { SourceStore, Visit, VisitSource, Whereabouts } from '../../ports/source-store.ts';
import { askToRead, handleOf, isReadable } from '../files/file-handles.ts';
import { notOpened, notWritten } from './idb-error.ts';
import { abandon, beginTransaction, IdbOpening, type Migration } from './idb-opening.ts';
import { blobOf, keptBlob, type KeptBlob } from './kept-blob.ts';

interface KeptVisit extends Visit {
  readonly usedAtMs: number;
}

type CopyFacts = Pick<VisitSource, 'id' | 'byteLength' | 'cameAtMs'>;

interface SourceSchema extends DBSchema {
  visits: { key: string; value: KeptVisit };
  /** facts of the copies, apart from their bytes so that counting reads none */
  copies: { key: string; value: CopyFacts };
  contents: { key: string; value: KeptBlob };
  handles: { key: string; value: FileSystemFileHandle };
}

const migrations: readonly Migration<SourceSchema>[] = [
  (database) => {
    database.createObjectStore('visits', { keyPath: 'id' });
    database.createObjectStore('copies', { keyPath: 'id' });
    database.createObjectStore('contents');
    database.createObjectStore('handles');
  },
];

/** A browser that opens its tabs again after it was closed asks for each one's visit; what is older nobody comes back to. */
const mostVisits = 12;
const keptForMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The sources of visits in IndexedDB: the list in one write, then the copies, as Blobs that the browser keeps on disk. A page
 * that goes in the midst leaves a whole list of which some have no copy.
 */
export function createIdbSourceStore(databaseName = 'sightglass-visits', nowMs = Date.now): SourceStore {
  const database = new IdbOpening(databaseName, migrations, notOpened);

  async function begin<Names extends StoreNames<SourceSchema>[], Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
  ) {
    const opened = await database.get();
    try {
      return beginTransaction(opened, stores, mode);
    } catch (error) {
      throw notOpened(error); // the database was let go of in this moment, for whoever deletes it
    }
  }

  async function handlesOf(ids: readonly string[]): Promise<readonly (FileSystemFileHandle | undefined)[]> {
    const store = (await begin(['handles'], 'readonly')).objectStore('handles');
    return Promise.all(ids.map((id) => store.get(id)));
  }

  return {
    async find(visitId) {
      const transaction = await begin(['visits', 'copies', 'handles'], 'readonly');
      const [visit, copyIds, handleIds] = await Promise.all([
        transaction.objectStore('visits').get(visitId),
        transaction.objectStore('copies').getAllKeys(),
        transaction.objectStore('handles').getAllKeys(),
      ]);
      if (!visit) return null;
      const [copies, pointed] = [new Set(copyIds), new Set(handleIds)];
      const pointedAt = visit.sources.map(({ id }) => id).filter((id) => !copies.has(id) && pointed.has(id));
      const handles = await handlesOf(pointedAt);
      const found = new Map<string, Whereabouts>();
      for (const [at, id] of pointedAt.entries())
        found.set(id, (await isReadable(handles[at]!)) ? 'file' : 'file-on-request');
      return visit.sources.map((source) => ({
        ...source,
        whereabouts: copies.has(source.id) ? 'copy' : (found.get(source.id) ?? 'nowhere'),
      }));
    },

    async write(visit) {
      const transaction = await begin(['visits', 'copies', 'contents', 'handles'], 'readwrite');
      const [visits, copies] = [transaction.objectStore('visits'), transaction.objectStore('copies')];
      try {
        const others = (await visits.getAll()).filter(({ id }) => id !== visit.id);
        const newest = others.toSorted((a, b) => b.usedAtMs - a.usedAtMs).slice(0, mostVisits - 1);
        const kept = newest.filter(({ usedAtMs }) => usedAtMs > nowMs() - keptForMs);
        for (const { id } of others.filter((other) => !kept.includes(other))) await visits.delete(id);
        if (visit.sources.length === 0) await visits.delete(visit.id);
        else await visits.put({ ...visit, usedAtMs: nowMs() });

        const wanted = new Set([visit, ...kept].flatMap(({ sources }) => sources.map(({ id }) => id)));
        const copyIds = await copies.getAllKeys();
        const handleIds = await transaction.objectStore('handles').getAllKeys();
        for (const id of copyIds.filter((copyId) => !wanted.has(copyId))) {
          await copies.delete(id);
          await transaction.objectStore('contents').delete(id);
        }
        for (const id of handleIds.filter((handleId) => !wanted.has(handleId)))
          await transaction.objectStore('handles').delete(id);
        await transaction.done;
        return new Set(copyIds.filter((id) => wanted.has(id)));
      } catch (error) {
        throw await failed(transaction, error, 'The list of what is on the bench', 0);
      }
    },

    async makeRoom(spared, budgetBytes) {
      const transaction = await begin(['copies', 'contents'], 'readwrite');
      const sparedIds = new Set(spared.map(({ id }) => id));
      const all = await transaction.objectStore('copies').getAll();
      const others = all.filter(({ id }) => !sparedIds.has(id)).toSorted((a, b) => a.cameAtMs - b.cameAtMs);
      let totalBytes = sumOf(spared) + sumOf(others);
      for (const { id, byteLength } of others) {
        if (totalBytes <= budgetBytes) break;
        await transaction.objectStore('copies').delete(id);
        await transaction.objectStore('contents').delete(id);
        totalBytes -= byteLength;
      }
      await transaction.done;
    },

    async keep(copies) {
      const contents = await Promise.all(copies.map(({ content }) => keptBlob(content)));
      const transaction = await begin(['copies', 'contents'], 'readwrite');
      try {
        for (const [at, { source }] of copies.entries()) {
          const { id, byteLength, cameAtMs } = source;
          await transaction.objectStore('contents').put(contents[at]!, id);
          await transaction.objectStore('copies').put({ id, byteLength, cameAtMs });
        }
        await transaction.done;
      } catch (error) {
        const what = copies.length === 1 ? copies[0]!.source.name : `A copy of ${copies.length} pictures`;
        throw await failed(transaction, error, what, sumOf(copies.map(({ source }) => source)));
      }
    },

    async point(id, content) {
      const handle = await handleOf(content);
      if (!handle) return false;
      const transaction = await begin(['handles'], 'readwrite');
      await transaction.objectStore('handles').put(handle, id);
      await transaction.done;
      return true;
    },

    async read(id) {
      const transaction = await begin(['contents'], 'readonly');
      const copy = await transaction.objectStore('contents').get(id);
      if (copy) return blobOf(copy);
      const [handle] = await handlesOf([id]);
      return handle && (await isReadable(handle)) ? handle.getFile() : null;
    },

    async request(ids) {
      const handles = await handlesOf(ids);
      const granted = new Set<string>();
      for (const [at, id] of ids.entries()) {
        const handle = handles[at];
        if (handle && (await askToRead(handle))) granted.add(id);
      }
      return granted;
    },
  };
}

const sumOf = (sources: readonly { readonly byteLength: number }[]): number =>
  sources.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Nothing of the transaction is kept; what is told of it. */
async function failed(
  transaction: Parameters<typeof abandon>[0] & { readonly error: DOMException | null },
  error: unknown,
  what: string,
  byteLength: number,
): Promise<Error> {
  const reason = transaction.error ?? error; // a full disk shows at the commit: the requests say AbortError only
  await abandon(transaction);
  return notWritten(reason, what, byteLength);
}
