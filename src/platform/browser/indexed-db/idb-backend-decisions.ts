import { openDB, type DBSchema } from 'idb';
import type { BackendDecision, BackendDecisions, KeptAdmission } from '../../ports/backend-decisions.ts';

interface DecisionSchema extends DBSchema {
  decisions: { key: [sha256: string, adapter: string]; value: BackendDecision; indexes: { model: string } };
  admissions: { key: [sha256: string, adapter: string]; value: KeptAdmission; indexes: { model: string } };
}

/** Decisions in IndexedDB. Without storage a model is measured on every visit, which is nobody's loss. */
export function createIdbBackendDecisions(databaseName = 'sightglass-backends'): BackendDecisions {
  const database = openDB<DecisionSchema>(databaseName, 2, {
    upgrade(opened) {
      for (const name of ['decisions', 'admissions'] as const) {
        if (opened.objectStoreNames.contains(name)) continue;
        opened.createObjectStore(name, { keyPath: ['sha256', 'adapter'] }).createIndex('model', 'sha256');
      }
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  database.catch(() => undefined); // every call says so
  const orElse = <T>(work: Promise<T>, otherwise: T): Promise<T> => work.catch(() => otherwise);

  return {
    of: (sha256) =>
      orElse(
        database.then((opened) => opened.getAllFromIndex('decisions', 'model', sha256)),
        [],
      ),
    keep: (decision) =>
      orElse(
        database.then(async (opened) => void (await opened.put('decisions', decision))),
        undefined,
      ),
    admissionsOf: (sha256) =>
      orElse(
        database.then((opened) => opened.getAllFromIndex('admissions', 'model', sha256)),
        [],
      ),
    keepAdmission: (admission) =>
      orElse(
        database.then(async (opened) => void (await opened.put('admissions', admission))),
        undefined,
      ),
    forget: (sha256) =>
      orElse(
        database.then((opened) => forget(opened, sha256)),
        undefined,
      ),
  };
}

async function forget(opened: Awaited<ReturnType<typeof openDB<DecisionSchema>>>, sha256: string): Promise<void> {
  const transaction = opened.transaction(['decisions', 'admissions'], 'readwrite');
  for (const name of ['decisions', 'admissions'] as const) {
    const store = transaction.objectStore(name);
    for (const key of await store.index('model').getAllKeys(sha256)) await store.delete(key);
  }
  await transaction.done;
}
