import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import { localLeases } from '../../src/platform/data-store/local-leases.ts';
import { memoryAccessStore } from './memory-access-store.ts';
import { memoryBinaryStore } from './memory-binary-store.ts';
import { memoryBlobStore } from './memory-blob-store.ts';
import { memoryDatasetStore } from './memory-dataset-store.ts';
import { memoryIndexStore } from './memory-index-store.ts';
import { memoryPipelineStore } from './memory-pipeline-store.ts';
import { memoryResultStore } from './memory-result-store.ts';
import { memorySavedQueryStore } from './memory-saved-query-store.ts';
import { memorySequenceStore } from './memory-sequence-store.ts';
import { memoryTabularStore } from './memory-tabular-store.ts';
import { receiptKey, Tables, usageOf } from './tables.ts';

/** A data store in memory: the reference implementation for the contract tests, and the store that other tests use. */
export function memoryDataStore(clock: Clock): DataStore {
  const tables = new Tables();
  return {
    binary: memoryBinaryStore(tables),
    tabular: memoryTabularStore(tables, clock),
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
    datasets: memoryDatasetStore(tables),
    access: memoryAccessStore(tables),
    usage: { of: async (organizationIds) => organizationIds.map((id) => usageOf(tables, id)) },
    pipelines: memoryPipelineStore(tables, clock),
    indexes: memoryIndexStore(tables),
    savedQueries: memorySavedQueryStore(tables),
    sequences: memorySequenceStore(tables),
    blobs: memoryBlobStore(clock),
    leases: localLeases(clock),
    now: async () => clock.now(),
    oldestWrite: async () => clock.now(), // one host writes, in turn
  };
}
