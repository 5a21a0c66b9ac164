import { openDB, type DBSchema } from 'idb';
import type { PictureScan } from '../../../evidence/datasets/face/health.ts';

/** The store has its first name, "looks": what is stored there stays. */
interface Scans extends DBSchema {
  looks: { key: string; value: PictureScan };
}

/**
 * Scans of pictures, kept for the next visit: the bytes behind an id never change. Without storage they are made again,
 * which is nobody's loss.
 */
export class IdbPictureScans {
  readonly #database = openDB<Scans>('sightglass-picture-looks', 1, {
    upgrade: (created) => void created.createObjectStore('looks', { keyPath: 'id' }),
  });

  constructor() {
    this.#database.catch(() => undefined);
  }

  /** Those of the pictures that were scanned before, by id. */
  async known(ids: readonly string[]): Promise<ReadonlyMap<string, PictureScan>> {
    try {
      const { store } = (await this.#database).transaction('looks');
      const found = await Promise.all(ids.map((id) => store.get(id)));
      // Scans of earlier versions measured less: those pictures are scanned once more.
      return new Map(found.flatMap((scan) => (scan && 'statistics' in scan ? [[scan.id, scan]] : [])));
    } catch {
      return new Map();
    }
  }

  async keep(scans: readonly PictureScan[]): Promise<void> {
    try {
      const transaction = (await this.#database).transaction('looks', 'readwrite');
      const puts = scans.map((scan) => transaction.store.put(scan));
      await Promise.all([...puts, transaction.done]); // each fails where the disk is full
    } catch {
      // A full disk, or a window without storage.
    }
  }
}
