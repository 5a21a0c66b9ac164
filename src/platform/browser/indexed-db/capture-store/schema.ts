import type { DBSchema, IDBPTransaction, StoreNames } from 'idb';
import type { RawResults } from '../../../../machine/vision/face/results.ts';
import type { Capture } from '../../../../evidence/capture/capture.ts';
import type { OutboxEntry } from '../../../../remote/outbox/outbox-entry.ts';
import { browserTarget, type OutboxTarget } from '../../../../remote/outbox/outbox-target.ts';
import type { Migration } from '../idb-opening.ts';
import type { KeptBlob } from '../kept-blob.ts';

/** Captures and the outbox lie together: a frame that is to be sent is not removed, and one transaction sees both. */
export interface CaptureSchema extends DBSchema {
  /** the facts that are listed, apart from what is heavy */
  captures: { key: string; value: Capture };
  files: { key: string; value: KeptBlob };
  thumbnails: { key: string; value: KeptBlob };
  raw: { key: string; value: RawResults };
  entries: {
    key: string;
    value: OutboxEntry;
    indexes: {
      digest: string;
      state: [state: string, id: string];
      /** an entry without a due time is not in it */
      waiting: [targetId: string, dueMs: number, id: string];
      capture: string;
    };
  };
  targets: { key: string; value: OutboxTarget };
  /** `paused`: 1 or 0; `fileBytes`: the size of all files */
  settings: { key: string; value: number };
  /** a target's key, encrypted */
  keys: { key: string; value: SealedKey };
  /** the key of the keys: it never leaves the browser's own storage */
  vault: { key: string; value: CryptoKey };
}

export interface SealedKey {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
}

export type StoreName = StoreNames<CaptureSchema>;
export type ReadTransaction = IDBPTransaction<CaptureSchema, StoreName[], 'readonly'>;
export type WriteTransaction = IDBPTransaction<CaptureSchema, StoreName[], 'readwrite'>;

export const migrations: readonly Migration<CaptureSchema>[] = [
  (database) => {
    database.createObjectStore('captures', { keyPath: 'id' });
    for (const name of ['files', 'thumbnails', 'raw', 'settings', 'keys', 'vault'] as const) {
      database.createObjectStore(name);
    }
    const entries = database.createObjectStore('entries', { keyPath: 'id' });
    entries.createIndex('digest', 'digest', { unique: true });
    entries.createIndex('state', ['state', 'id']);
    entries.createIndex('waiting', ['targetId', 'dueMs', 'id']);
    entries.createIndex('capture', 'content.captureId');
    const targets = database.createObjectStore('targets', { keyPath: 'id' });
    targets.put(browserTarget).catch(() => undefined); // on a full disk the opening fails, and says so
  },
];
