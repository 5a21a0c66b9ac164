import { serviceActor, type Actor } from '../../../../data-service/ports/audit-store.ts';
import type { Clock } from '../../../../data-service/ports/clock.ts';
import type { ChangingStores, DataStore } from '../../../../data-service/ports/data-store.ts';
import type { Summing } from '../../../data-store/call-rows.ts';
import { localLeases } from '../../../data-store/local-leases.ts';
import { enoughFrames } from '../../../data-store/sheets-due.ts';
import { splitIndexes } from '../../../data-store/split-indexes.ts';
import { idbAccessStore } from './idb-access-store.ts';
import { idbAuditStore, keepChanges } from './idb-audit-store.ts';
import { binaryCaptures, idbBinaryStore } from './idb-binary-store.ts';
import { idbBlobStore, type PendingBlobs } from './idb-blob-store.ts';
import { IdbCaptures } from './idb-captures.ts';
import { IdbDatabase } from './idb-database.ts';
import { idbDatasetStore } from './idb-dataset-store.ts';
import { IdbFieldIndexes } from './idb-field-indexes.ts';
import { idbLabelStore } from './idb-label-store.ts';
import { idbPipelineStore } from './idb-pipeline-store.ts';
import { idbReceiptStore } from './idb-receipt-store.ts';
import { idbSavedQueryStore } from './idb-saved-query-store.ts';
import { idbSequenceStore } from './idb-sequence-store.ts';
import { IdbSinkIndexes } from './idb-sink-indexes.ts';
import { IdbResults } from './idb-result-store.ts';
import { IdbSheets } from './idb-sheets.ts';
import { IdbStreams } from './idb-streams.ts';
import { IdbUsage } from './idb-usage.ts';
import { KnownParts } from './known-parts.ts';
import { idbTabularStore, tabularCaptures } from './idb-tabular-store.ts';

export interface OpenDataStore extends DataStore {
  /** Lets go of the database; the next call would open it again. */
  close(): Promise<void>;
}

/**
 * The data service's data in IndexedDB, opened by the first call. Calls reject with StoreError `unavailable` for data
 * of a newer version, and where the browser gives no storage. Data that is deleted under it (by another tab, by the
 * browser) is gone with the next call, which `onLetGo` is told before.
 */
export function idbDataStore(
  clock: Clock,
  databaseName = 'sightglass-data',
  sheetRows = 1000,
  onLetGo: () => void = () => {},
): OpenDataStore {
  const database = new IdbDatabase(databaseName);
  const streams = new IdbStreams();
  const parts = new KnownParts();
  database.onUndone = (transaction) => streams.undo(transaction);
  database.onLetGo = () => {
    streams.forget();
    parts.forget();
    onLetGo();
  };
  const binary = new IdbCaptures(binaryCaptures, streams);
  const tabular = new IdbCaptures(tabularCaptures, streams);
  const fieldIndexes = new IdbFieldIndexes(database, tabular);
  const pending: PendingBlobs = new Map();
  const sinkIndexes = new IdbSinkIndexes(database);
  const usage = new IdbUsage(binary, tabular);
  const results = new IdbResults(database, binary, streams, enoughFrames(sheetRows));
  const sheets = new IdbSheets(database, sheetRows);
  const storesOf = (actor: Actor | null, summing: Summing): ChangingStores => {
    const keep = keepChanges(clock, actor, summing);
    return {
      binary: idbBinaryStore(database, binary, usage, results, pending, keep),
      tabular: idbTabularStore(database, tabular, usage, fieldIndexes, sheets, clock, keep),
      datasets: idbDatasetStore(database, binary, keep),
      access: idbAccessStore(database, parts, keep),
      pipelines: idbPipelineStore(database, sinkIndexes, clock, keep),
      indexes: splitIndexes(fieldIndexes.store(keep), sinkIndexes.store(keep)),
      savedQueries: idbSavedQueryStore(database, keep),
      sequences: idbSequenceStore(database, keep),
      labels: idbLabelStore(database, binary, results, clock, keep),
      people: null,
    };
  };
  return {
    ...storesOf(serviceActor, 'write'),
    as: (actor) => storesOf(actor, 'call'),
    audit: idbAuditStore(database),
    results: results.store(),
    receipts: idbReceiptStore(database),
    usage: usage.store(database),
    blobs: idbBlobStore(database, pending, clock),
    deletions: null,
    leases: localLeases(clock), // what one tab of all does is held by Web Locks
    now: async () => clock.now(),
    oldestWrite: async () => clock.now(), // one host writes, in turn
    async close() {
      await results.close();
      await database.close();
    },
  };
}
