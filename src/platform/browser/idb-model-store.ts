import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { ModelStoreError, type ModelStore, type StoredModel } from '../../ports/model-store.ts';

interface ModelSchema extends DBSchema {
  /** what is listed, apart from the bytes so that listing reads none */
  models: { key: string; value: StoredModel };
  files: { key: string; value: Blob };
}

/** Models by SHA-256 in IndexedDB; bytes as Blobs, which the browser keeps on disk. */
export function createIdbModelStore(databaseName = 'sightglass-models'): ModelStore {
  let opening: Promise<IDBPDatabase<ModelSchema>> | undefined;

  function database(): Promise<IDBPDatabase<ModelSchema>> {
    opening ??= openDB<ModelSchema>(databaseName, 1, {
      upgrade(db) {
        db.createObjectStore('models', { keyPath: 'sha256' });
        db.createObjectStore('files');
      },
      terminated() {
        opening = undefined;
      },
    }).catch((error: unknown) => {
      opening = undefined;
      throw new ModelStoreError('unavailable', `This browser gives the page no storage: ${(error as Error).message}`, {
        cause: error,
      });
    });
    return opening;
  }

  return {
    list: async () => (await database()).getAll('models'),
    async read(sha256) {
      const transaction = (await database()).transaction(['models', 'files']);
      const [model, blob] = await Promise.all([
        transaction.objectStore('models').get(sha256),
        transaction.objectStore('files').get(sha256),
      ]);
      return model && blob ? { blob, fileName: model.fileName } : null;
    },
    async write(model, blob) {
      const transaction = (await database()).transaction(['models', 'files'], 'readwrite');
      try {
        await transaction.objectStore('files').put(blob, model.sha256);
        await transaction.objectStore('models').put(model);
        await transaction.done;
      } catch (error) {
        const reason = transaction.error ?? error; // a full disk shows at the commit: the requests say AbortError only
        await abandon(transaction);
        throw writeError(reason, blob.size);
      }
    },
    async remove(sha256) {
      const transaction = (await database()).transaction(['models', 'files'], 'readwrite');
      await Promise.all([
        transaction.objectStore('models').delete(sha256),
        transaction.objectStore('files').delete(sha256),
        transaction.done,
      ]);
    },
  };
}

/** Neither store keeps its half. */
async function abandon(transaction: { abort(): void; readonly done: Promise<void> }): Promise<void> {
  try {
    transaction.abort();
  } catch {
    // ended already
  }
  await transaction.done.catch(() => undefined);
}

function writeError(error: unknown, byteLength: number): ModelStoreError {
  const { name, message } = error as DOMException;
  if (name === 'QuotaExceededError') {
    const megabytes = (byteLength / 1e6).toFixed(1);
    return new ModelStoreError('quota-exceeded', `The browser's storage has no room for ${megabytes} MB.`, {
      cause: error,
    });
  }
  return new ModelStoreError('unavailable', `The model could not be stored: ${message}`, { cause: error });
}
