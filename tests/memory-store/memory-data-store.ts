import { datasetIdsOf } from '../../src/data-service/ports/capture-filter.ts';
import { serviceActor, type Actor } from '../../src/data-service/ports/audit-store.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { ChangingStores, DataStore } from '../../src/data-service/ports/data-store.ts';
import type { Summing } from '../../src/platform/data-store/call-rows.ts';
import { auditStore, keepChanges } from '../../src/platform/data-store/entities/audit-store.ts';
import { deletionStore } from '../../src/platform/data-store/entities/deletion-store.ts';
import { commentStore } from '../../src/platform/data-store/entities/comment-store.ts';
import type { KnownFiles } from '../../src/platform/data-store/entities/known-files.ts';
import { entityStores } from '../../src/platform/data-store/entities/entity-stores.ts';
import { receiptStore } from '../../src/platform/data-store/entities/receipt-store.ts';
import { schemeStore } from '../../src/platform/data-store/entities/scheme-store.ts';
import { runNow, step } from '../../src/platform/data-store/steps.ts';
import type { WriteTables } from '../../src/platform/data-store/tables.ts';
import { localLeases } from '../../src/platform/data-store/local-leases.ts';
import { memoryBinaryStore } from './memory-binary-store.ts';
import { memoryBlobStore } from './memory-blob-store.ts';
import { memoryIndexStore } from './memory-index-store.ts';
import { memoryLabelStore } from './memory-label-store.ts';
import { peopleStore } from '../../src/platform/data-store/entities/people-store.ts';
import { memoryPipelineStore } from './memory-pipeline-store.ts';
import { memoryResultStore } from './memory-result-store.ts';
import { memoryTabularStore } from './memory-tabular-store.ts';
import { memoryTables } from './memory-tables.ts';
import { Tables, usageOf, type KeepChanges } from './tables.ts';

/** A data store in memory: the reference implementation for the contract tests, and the store that other tests use. */
export function memoryDataStore(clock: Clock): DataStore {
  const tables = new Tables(clock);
  const store = memoryTables(tables.rows);
  const files: KnownFiles<WriteTables> = {
    scope: [],
    areIn: (_, organizationId, datasetId) =>
      step(() =>
        [...tables.binary.values()].some(
          (file) => file.organizationId === organizationId && datasetIdsOf(file.tags).includes(datasetId),
        ),
      ),
    lock: (_, organizationId, id) => step(() => tables.binary.get(id)?.organizationId === organizationId),
  };
  const storesOf = (actor: Actor | null, summing: Summing): ChangingStores => {
    const keepSteps = keepChanges(store, { actor, summing });
    const keep: KeepChanges = (changes) => runNow(keepSteps(tables.rows, changes));
    return {
      binary: memoryBinaryStore(tables, keep),
      tabular: memoryTabularStore(tables, clock, keep),
      pipelines: memoryPipelineStore(tables, store, clock, keepSteps),
      indexes: memoryIndexStore(tables, keep),
      ...entityStores(store, files, keepSteps),
      labels: {
        ...memoryLabelStore(tables, clock, keep),
        ...schemeStore(store, keepSteps),
        ...commentStore(store, files, keepSteps),
      },
      people: peopleStore(store, keepSteps),
    };
  };
  return {
    ...storesOf(serviceActor, 'write'),
    as: (actor) => storesOf(actor, 'call'),
    audit: auditStore(store),
    results: memoryResultStore(tables),
    receipts: receiptStore(store),
    usage: { of: async (organizationIds) => organizationIds.map((id) => usageOf(tables, id)) },
    deletions: deletionStore(store),
    blobs: memoryBlobStore(clock),
    leases: localLeases(clock),
    now: async () => clock.now(),
    oldestWrite: async () => clock.now(), // one host writes, in turn
  };
}
