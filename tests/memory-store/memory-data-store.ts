import { serviceActor, type Actor } from '../../src/data-service/ports/audit-store.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { ChangingStores, DataStore } from '../../src/data-service/ports/data-store.ts';
import type { Summing } from '../../src/platform/data-store/call-rows.ts';
import { localLeases } from '../../src/platform/data-store/local-leases.ts';
import { memoryAccessStore } from './memory-access-store.ts';
import { memoryAuditStore } from './memory-audit-store.ts';
import { memoryBinaryStore } from './memory-binary-store.ts';
import { memoryBlobStore } from './memory-blob-store.ts';
import { memoryDatasetStore } from './memory-dataset-store.ts';
import { memoryDeletionStore } from './memory-deletion-store.ts';
import { memoryIndexStore } from './memory-index-store.ts';
import { memoryLabelStore } from './memory-label-store.ts';
import { memoryPeopleStore } from './memory-people-store.ts';
import { memoryPipelineStore } from './memory-pipeline-store.ts';
import { memoryResultStore } from './memory-result-store.ts';
import { memorySavedQueryStore } from './memory-saved-query-store.ts';
import { memorySequenceStore } from './memory-sequence-store.ts';
import { memoryTabularStore } from './memory-tabular-store.ts';
import { keepChangesOf, receiptKey, Tables, usageOf } from './tables.ts';

/** A data store in memory: the reference implementation for the contract tests, and the store that other tests use. */
export function memoryDataStore(clock: Clock): DataStore {
  const tables = new Tables();
  const storesOf = (actor: Actor | null, summing: Summing): ChangingStores => {
    const keep = keepChangesOf(tables, clock, actor, summing);
    return {
      binary: memoryBinaryStore(tables, keep),
      tabular: memoryTabularStore(tables, clock, keep),
      datasets: memoryDatasetStore(tables, keep),
      access: memoryAccessStore(tables, keep),
      pipelines: memoryPipelineStore(tables, clock, keep),
      indexes: memoryIndexStore(tables, keep),
      savedQueries: memorySavedQueryStore(tables, keep),
      sequences: memorySequenceStore(tables, keep),
      labels: memoryLabelStore(tables, clock, keep),
      people: memoryPeopleStore(tables, keep),
    };
  };
  return {
    ...storesOf(serviceActor, 'write'),
    as: (actor) => storesOf(actor, 'call'),
    audit: memoryAuditStore(tables),
    results: memoryResultStore(tables),
    receipts: {
      async get(organizationId, uploadId) {
        return tables.receipts.get(receiptKey(organizationId, uploadId)) ?? null;
      },
      async deleteBefore(time) {
        const old = [...tables.receipts].filter(([, { timeSynced }]) => timeSynced < time);
        for (const [key] of old) tables.receipts.delete(key);
        return old.length;
      },
    },
    usage: { of: async (organizationIds) => organizationIds.map((id) => usageOf(tables, id)) },
    deletions: memoryDeletionStore(tables),
    blobs: memoryBlobStore(clock),
    leases: localLeases(clock),
    now: async () => clock.now(),
    oldestWrite: async () => clock.now(), // one host writes, in turn
  };
}
