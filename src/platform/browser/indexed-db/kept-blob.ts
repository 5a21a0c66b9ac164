import { openDB } from 'idb';
import { once } from '../../../base/schedule/once.ts';
import { abandon } from './idb-opening.ts';

/** What lies in a database for a Blob: itself, which the browser keeps as a file, or its bytes. */
export type KeptBlob = Blob | KeptBytes;

interface KeptBytes {
  readonly bytes: ArrayBuffer;
  readonly type: string;
  /** name of a File; absent for other Blobs */
  readonly name?: string;
}

/**
 * What to keep for a Blob, found before a transaction begins: where the browser refuses Blobs in IndexedDB, its bytes. WebKit
 * does so in private windows ("Error preparing Blob/File data to be stored in object store", https://webkit.org/b/156347).
 */
export async function keptBlob(blob: Blob): Promise<KeptBlob> {
  if (await keepsBlobs()) return blob;
  const bytes = await blob.arrayBuffer();
  return { bytes, type: blob.type, ...(blob instanceof File && { name: blob.name }) };
}

/** The Blob that was kept. */
export function blobOf(kept: KeptBlob): Blob {
  if (kept instanceof Blob) return kept;
  const { bytes, type, name } = kept;
  return name === undefined ? new Blob([bytes], { type }) : new File([bytes], name, { type });
}

/** Whether this browser takes Blobs into IndexedDB: a window does not say that it is private, so one is put there on trial. */
export const keepsBlobs = once(async (): Promise<boolean> => {
  // async: where storage is blocked, asking for it throws at once
  const open = async () =>
    openDB('sightglass-trial', 1, {
      upgrade: (created) => void created.createObjectStore('blobs'),
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
  const database = await open().catch(() => null);
  if (!database) return true; // no storage at all: whoever writes is told so
  const transaction = database.transaction('blobs', 'readwrite');
  try {
    await transaction.store.put(new Blob(['x']), 'trial');
    await transaction.done;
    return true;
  } catch (error) {
    await abandon(transaction);
    return (error as DOMException).name === 'QuotaExceededError'; // then there is no room for bytes either
  } finally {
    database.close();
  }
});
