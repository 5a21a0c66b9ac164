import type { DBSchema } from 'idb';
import type { ModelStore, StoredModel } from '../../ports/model-store.ts';
import { notOpened, notWritten } from './idb-error.ts';
import { abandon, beginTransaction, IdbOpening, type Migration } from './idb-opening.ts';
import { blobOf, keptBlob, type KeptBlob } from './kept-blob.ts';

interface ModelSchema extends DBSchema {
  /** the facts that are listed, apart from the bytes so that listing reads none */
  models: { key: string; value: StoredModel };
  files: { key: string; value: KeptBlob };
}

const migrations: readonly Migration<ModelSchema>[] = [
  (database) => {
    database.createObjectStore('models', { keyPath: 'sha256' });
    database.createObjectStore('files');
  },
];

/** Models by SHA-256 in IndexedDB; bytes as Blobs, which the browser keeps on disk. Every call may reject with a BrowserStoreError. */
export function createIdbModelStore(databaseName = 'sightglass-models'): ModelStore {
  const database = new IdbOpening(databaseName, migrations, notOpened);

  async function begin<Mode extends 'readonly' | 'readwrite'>(mode: Mode) {
    const opened = await database.get();
    try {
      return beginTransaction(opened, ['models', 'files'], mode);
    } catch (error) {
      throw notOpened(error); // the database was let go of in this moment, for whoever deletes it
    }
  }

  return {
    list: async () => (await begin('readonly')).objectStore('models').getAll(),
    async read(sha256) {
      const transaction = await begin('readonly');
      const [model, file] = await Promise.all([
        transaction.objectStore('models').get(sha256),
        transaction.objectStore('files').get(sha256),
      ]);
      return model && file ? { blob: blobOf(file), fileName: model.fileName } : null;
    },
    async write(model, blob) {
      const file = await keptBlob(blob);
      const transaction = await begin('readwrite');
      try {
        await transaction.objectStore('files').put(file, model.sha256);
        await transaction.objectStore('models').put(model);
        await transaction.done;
      } catch (error) {
        const reason = transaction.error ?? error; // a full disk shows at the commit: the requests say AbortError only
        await abandon(transaction);
        throw notWritten(reason, 'The model', blob.size);
      }
    },
    async remove(sha256) {
      const transaction = await begin('readwrite');
      await Promise.all([
        transaction.objectStore('models').delete(sha256),
        transaction.objectStore('files').delete(sha256),
        transaction.done,
      ]);
    },
  };
}
