import { correctedCapture } from '../../../../evidence/capture/correct-capture.ts';
import { inOutbox, type CaptureStore } from '../../../../evidence/capture/capture-store.ts';
import type { CaptureDatabase } from './capture-database.ts';
import type { WriteTransaction } from './schema.ts';
import { blobOf, keptBlob, type KeptBlob } from '../kept-blob.ts';
import { readRange } from '../data-store/read-range.ts';

/** Captures in IndexedDB, their bytes as Blobs, which the browser keeps on disk. */
export function idbCaptureStore(database: CaptureDatabase): CaptureStore {
  return {
    async put(parcels) {
      const kept = await Promise.all(
        parcels.map(async (parcel) => ({
          ...parcel,
          file: await keptBlob(parcel.content),
          thumbnail: parcel.thumbnail && (await keptBlob(parcel.thumbnail)),
        })),
      );
      await database.write(['captures', 'files', 'thumbnails', 'raw', 'settings'], async (transaction) => {
        const store = <Name extends 'captures' | 'files' | 'thumbnails' | 'raw'>(name: Name) =>
          transaction.objectStore(name);
        let addedBytes = 0;
        await Promise.all(
          kept.map(async ({ capture, content, file, thumbnail, raw }) => {
            addedBytes += content.size;
            await Promise.all([
              store('captures').add(capture),
              store('files').add(file, capture.id),
              thumbnail && store('thumbnails').add(thumbnail, capture.id),
              raw && store('raw').add(raw, capture.id),
            ]);
          }),
        );
        await addFileBytes(transaction, addedBytes);
      });
    },
    page: (before, limit) =>
      database.read(['captures'], (transaction) =>
        readRange(
          transaction.objectStore('captures'),
          before === null ? IDBKeyRange.lowerBound('') : IDBKeyRange.upperBound(before, true),
          'descending',
          limit,
        ),
      ),
    count: () => database.read(['captures'], (transaction) => transaction.objectStore('captures').count()),
    sizeBytes: () =>
      database.read(
        ['settings'],
        async (transaction) => (await transaction.objectStore('settings').get(bytesKey)) ?? 0,
      ),
    get: (id) => database.read(['captures'], async (tx) => (await tx.objectStore('captures').get(id)) ?? null),
    content: (id) => database.read(['files'], async (tx) => found(await tx.objectStore('files').get(id))),
    thumbnail: (id) => database.read(['thumbnails'], async (tx) => found(await tx.objectStore('thumbnails').get(id))),
    raw: (id) => database.read(['raw'], async (tx) => (await tx.objectStore('raw').get(id)) ?? null),
    correct: (id, correction, nowMs) =>
      database.write(['captures'], async (transaction) => {
        const captures = transaction.objectStore('captures');
        const capture = await captures.get(id);
        if (!capture) return null;
        const corrected = correctedCapture(capture, correction, nowMs);
        await captures.put(corrected);
        return corrected;
      }),
    remove: (ids) =>
      database.write(['captures', 'files', 'thumbnails', 'raw', 'settings', 'entries'], async (transaction) => {
        const entries = transaction.objectStore('entries').index('capture');
        const queued = await Promise.all(ids.map((id) => entries.getAll(id)));
        const held = queued.filter((ofOne) => ofOne.some(({ state }) => state === 'waiting' || state === 'sending'));
        if (held.length > 0) throw inOutbox(held.length);
        let removedBytes = 0;
        for (const id of ids) {
          const capture = await transaction.objectStore('captures').get(id);
          removedBytes += capture?.image.sizeBytes ?? 0;
          for (const name of ['captures', 'files', 'thumbnails', 'raw'] as const) {
            await transaction.objectStore(name).delete(id);
          }
        }
        await addFileBytes(transaction, -removedBytes);
      }),
    onChange: (listener) => database.onChange(listener),
  };
}

const found = (kept: KeptBlob | undefined): Blob | null => (kept ? blobOf(kept) : null);

const bytesKey = 'fileBytes';

async function addFileBytes(transaction: WriteTransaction, bytes: number): Promise<void> {
  const settings = transaction.objectStore('settings');
  await settings.put(((await settings.get(bytesKey)) ?? 0) + bytes, bytesKey);
}
