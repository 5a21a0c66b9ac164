import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { datasetTag } from '../../../data-service/face/captures.ts';
import { type Actor, type PeopleStore, serviceActor } from '../../../data-service/face/accounts.ts';
import type { Clock } from '../../../data-service/face/hosts.ts';
import type { ChangingStores, DataStore, InstallationRows, PipelineStore } from '../../../data-service/face/stores.ts';
import type { Summing } from '../../data-store/call-rows.ts';
import { auditStore, keepChanges } from '../../data-store/entities/audit-store.ts';
import { deletionStore } from '../../data-store/entities/deletion-store.ts';
import { commentStore } from '../../data-store/entities/comment-store.ts';
import type { KnownFiles } from '../../data-store/entities/known-files.ts';
import { entityStores } from '../../data-store/entities/entity-stores.ts';
import { receiptStore } from '../../data-store/entities/receipt-store.ts';
import { tagMark } from '../../data-store/capture-marks.ts';
import { localLeases } from '../../data-store/local-leases.ts';
import { enoughFrames } from '../../data-store/sheets-due.ts';
import { schemeStore } from '../../data-store/entities/scheme-store.ts';
import { runNow, step } from '../../data-store/steps.ts';
import { splitIndexes } from '../../data-store/split-indexes.ts';
import { TurnRows } from '../../data-store/turn-rows.ts';
import { fileBlobStore } from '../file-blob-store.ts';
import { makePrivateFile, makePrivateFolder, readableByOthers } from '../private-folder.ts';
import { binaryCaptures } from './binary-captures.ts';
import { sqliteBinaryStore } from './sqlite-binary-store.ts';
import { ReadingPacking } from './reading-packing.ts';
import { SqliteCaptures } from './sqlite-captures.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteFieldIndexes } from './sqlite-field-indexes.ts';
import { sqliteInstallationRows } from './sqlite-installation-rows.ts';
import { sqliteLabelStore } from './sqlite-label-store.ts';
import { peopleStore } from '../../data-store/entities/people-store.ts';
import { sqlitePipelineStore, sqliteSinkReader } from './sqlite-pipeline-store.ts';
import { SqliteSinkIndexes } from './sqlite-sink-indexes.ts';
import { SqliteResults } from './sqlite-result-store.ts';
import { sqliteTables, type KeepChanges, type SqliteTables } from './sqlite-tables.ts';
import { sqliteTabularReader, sqliteTabularStore, type SqliteTabularReader } from './sqlite-tabular-store.ts';
import { sqliteUsageStore } from './sqlite-usage-store.ts';
import { tabularCaptures } from './tabular-captures.ts';
import { IndexBuilds, type IndexProgress } from '../../data-store/index-builds.ts';

/** Where in a data folder the rows are. */
export const databaseFile = 'sightglass.db';
/** And the bytes of files. */
export const blobFolder = 'blobs';

export interface OpenDataStore extends DataStore {
  readonly people: PeopleStore;
  as(actor: Actor | null): ChangingStores & { readonly people: PeopleStore };
  /** all rows but captures, for a move */
  readonly rows: InstallationRows;
  /** Where the rows are. */
  readonly databasePath: string;
  /** room of the rows on the disk, in bytes, without the pages that are free to be written again */
  databaseBytes(): Promise<number>;
  /** how many writes wait for their commit */
  waitingWrites(): number;
  /** how many rows wait to be indexed */
  waitingIndexRows(): number;
  /** Goes on with indexes that a host that ended has left half built or half deleted, and tells of all that are built from now on. */
  takeUpIndexes(onProgress: (progress: IndexProgress) => void): Promise<void>;
  /** Finishes the writes under way; no call may follow. */
  close(): Promise<void>;
}

/** The stores that queries read. */
export interface SqliteReader {
  readonly tabular: SqliteTabularReader;
  readonly pipelines: Pick<PipelineStore, 'sink'>;
}

/** What other users of this machine may read of a data folder, as "0755 data"; empty: nothing. */
export async function readableDataOf(folder: string): Promise<string[]> {
  const isFolder = (await stat(folder).catch(() => null))?.isDirectory() ?? false;
  return isFolder ? readableByOthers([folder, join(folder, databaseFile)]) : [];
}

/**
 * Opens the data of a folder, which is made if it is not there: rows in `<folder>/sightglass.db`, blobs as files below
 * `<folder>/blobs`. Several processes on one machine may open the same folder (not over a network file system: SQLite's
 * write-ahead log needs shared memory). What is made is its owner's alone: pictures, and the secrets that sign tokens.
 * Readings are packed in sheets of about `sheetRows`.
 *
 * @throws StoreError `unsupported` for data of a newer version, `unavailable` for a database that stays locked
 */
export async function openSqliteDataStore(folder: string, clock: Clock, sheetRows = 1000): Promise<OpenDataStore> {
  await makePrivateFolder(folder);
  const path = join(folder, databaseFile);
  await makePrivateFile(path); // what SQLite keeps beside it takes its rights
  const database = await SqliteDatabase.open(path);
  const binary = new SqliteCaptures(database, binaryCaptures);
  const tabular = new SqliteCaptures(database, tabularCaptures);
  const builds = new IndexBuilds();
  const fieldIndexes = new SqliteFieldIndexes(database, tabular, builds);
  const sinkIndexes = new SqliteSinkIndexes(database, builds);
  const packing = new ReadingPacking(database, tabular, fieldIndexes, sheetRows);
  const turnRows = new TurnRows(); // learned from all deletions, whoever makes them
  const tables = sqliteTables(database, clock);
  const results = new SqliteResults(database, binary, enoughFrames(sheetRows));
  database.onUndone = () => {
    binary.forget();
    tabular.forget();
  };
  await packing.begin();
  const files: KnownFiles<SqliteTables> = {
    scope: [],
    areIn: (_, organizationId, datasetId) => step(() => binary.bears(organizationId, tagMark(datasetTag(datasetId)))),
    lock: (_, organizationId, id) => step(() => binary.find(organizationId, id) !== null),
  };
  const storesOf = (actor: Actor | null, summing: Summing) => {
    const keepSteps = keepChanges(tables, { actor, summing });
    const keep: KeepChanges = (changes) => runNow(keepSteps(tables.tables, changes));
    return {
      binary: sqliteBinaryStore(database, tables.tables, binary, results, keep),
      tabular: sqliteTabularStore(database, tables.tables, tabular, fieldIndexes, packing, turnRows, clock, keep),
      pipelines: sqlitePipelineStore(database, tables, sinkIndexes, clock, keepSteps),
      indexes: splitIndexes(fieldIndexes.store(keep), sinkIndexes.store(keep)),
      ...entityStores(tables, files, keepSteps),
      labels: {
        ...sqliteLabelStore(database, binary, results, clock, keep),
        ...schemeStore(tables, keepSteps),
        ...commentStore(tables, files, keepSteps),
      },
      people: peopleStore(tables, keepSteps),
    } satisfies ChangingStores;
  };
  return {
    ...storesOf(serviceActor, 'write'),
    as: (actor) => storesOf(actor, 'call'),
    audit: auditStore(tables),
    results: results.store(),
    receipts: receiptStore(tables),
    usage: sqliteUsageStore(database),
    deletions: deletionStore(tables),
    blobs: fileBlobStore(join(folder, blobFolder), clock),
    leases: localLeases(clock), // a folder has one server at a time
    now: async () => clock.now(),
    oldestWrite: async () => clock.now(), // one host writes, in turn
    rows: sqliteInstallationRows(database, tables.tables),
    databasePath: path,
    databaseBytes: () => database.read(() => database.usedBytes()),
    waitingWrites: () => database.waitingWrites,
    waitingIndexRows: () => builds.rowsLeft,
    async takeUpIndexes(onProgress) {
      builds.onProgress = onProgress;
      await fieldIndexes.takeUp();
      await sinkIndexes.takeUp();
    },
    async close() {
      await builds.close();
      await packing.close();
      await results.close();
      await database.close();
    },
  };
}

/**
 * Opens for reading alone the database of a store that is open, perhaps in another thread. It ends with its thread.
 * @throws StoreError `unavailable` for a database that stays locked
 */
export async function openSqliteReader(path: string): Promise<SqliteReader> {
  const database = await SqliteDatabase.openForReading(path);
  const tabular = new SqliteCaptures(database, tabularCaptures);
  const builds = new IndexBuilds(); // none: it cannot write
  return {
    tabular: sqliteTabularReader(database, tabular, new SqliteFieldIndexes(database, tabular, builds)),
    pipelines: sqliteSinkReader(database, new SqliteSinkIndexes(database, builds)),
  };
}
