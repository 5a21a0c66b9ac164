import { datasetTag } from '../../../../data-service/face/captures.ts';
import { type Actor, serviceActor } from '../../../../data-service/face/accounts.ts';
import type { Clock } from '../../../../data-service/face/hosts.ts';
import type { ChangingStores, DataStore } from '../../../../data-service/face/stores.ts';
import type { Summing } from '../../../data-store/call-rows.ts';
import { tagMark } from '../../../data-store/capture-marks.ts';
import { auditStore, keepChanges } from '../../../data-store/entities/audit-store.ts';
import { commentStore } from '../../../data-store/entities/comment-store.ts';
import type { KnownFiles } from '../../../data-store/entities/known-files.ts';
import { entityStores } from '../../../data-store/entities/entity-stores.ts';
import { receiptStore } from '../../../data-store/entities/receipt-store.ts';
import { schemeStore } from '../../../data-store/entities/scheme-store.ts';
import { step } from '../../../data-store/steps.ts';
import { localLeases } from '../../../data-store/local-leases.ts';
import { enoughFrames } from '../../../data-store/sheets-due.ts';
import { splitIndexes } from '../../../data-store/split-indexes.ts';
import { binaryCaptures, idbBinaryStore } from './idb-binary-store.ts';
import { idbBlobStore, type PendingBlobs } from './idb-blob-store.ts';
import { IdbCaptures } from './idb-captures.ts';
import { IdbDatabase } from './idb-database.ts';
import { IdbFieldIndexes } from './idb-field-indexes.ts';
import { idbLabelStore } from './idb-label-store.ts';
import { idbPipelineStore } from './idb-pipeline-store.ts';
import { IdbSinkIndexes } from './idb-sink-indexes.ts';
import { IdbResults } from './idb-result-store.ts';
import { IdbSheets } from './idb-sheets.ts';
import { IdbStreams } from './idb-streams.ts';
import { IdbUsage } from './idb-usage.ts';
import { KnownParts, rememberingParts } from './known-parts.ts';
import { idbTables, keepIn, type IdbTables } from './idb-tables.ts';
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
  const tables = idbTables(database, clock);
  const binary = new IdbCaptures(binaryCaptures, streams);
  const tabular = new IdbCaptures(tabularCaptures, streams);
  const fieldIndexes = new IdbFieldIndexes(database, tabular);
  const pending: PendingBlobs = new Map();
  const sinkIndexes = new IdbSinkIndexes(database);
  const usage = new IdbUsage(binary, tabular);
  const results = new IdbResults(database, binary, streams, enoughFrames(sheetRows));
  const sheets = new IdbSheets(database, sheetRows);
  const files: KnownFiles<IdbTables> = {
    scope: [{ name: 'binary_captures' }],
    areIn: ({ transaction }, organizationId, datasetId) =>
      step(() => binary.bears(transaction, organizationId, tagMark(datasetTag(datasetId)))),
    lock: ({ transaction }, organizationId, id) =>
      step(async () => (await binary.get(transaction, organizationId, [id]))[0] !== null),
  };
  const storesOf = (actor: Actor | null, summing: Summing): ChangingStores => {
    const keepSteps = keepChanges(tables, { actor, summing });
    const keep = keepIn(keepSteps, clock);
    const entities = entityStores(tables, files, keepSteps);
    return {
      binary: idbBinaryStore(database, binary, usage, results, pending, clock, keep),
      tabular: idbTabularStore(database, tabular, usage, fieldIndexes, sheets, clock, keep),
      pipelines: idbPipelineStore(database, tables, sinkIndexes, clock, keepSteps),
      indexes: splitIndexes(fieldIndexes.store(keep), sinkIndexes.store(keep)),
      ...entities,
      access: rememberingParts(entities.access, parts),
      labels: {
        ...idbLabelStore(database, binary, results, clock, keep),
        ...schemeStore(tables, keepSteps),
        ...commentStore(tables, files, keepSteps),
      },
      people: null,
    };
  };
  return {
    ...storesOf(serviceActor, 'write'),
    as: (actor) => storesOf(actor, 'call'),
    audit: auditStore(tables),
    results: results.store(),
    receipts: receiptStore(tables),
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
