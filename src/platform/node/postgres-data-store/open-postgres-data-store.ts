import type { BlobStore } from '../../../data-service/face/hosts.ts';
import { datasetTag, type Micros } from '../../../data-service/face/captures.ts';
import { type Actor, type PeopleStore, serviceActor } from '../../../data-service/face/accounts.ts';
import type { ChangingStores, DataStore, InstallationRows } from '../../../data-service/face/stores.ts';
import type { Summing } from '../../data-store/call-rows.ts';
import { tagMark } from '../../data-store/capture-marks.ts';
import { IndexBuilds, type IndexProgress } from '../../data-store/index-builds.ts';
import { auditStore, keepChanges } from '../../data-store/entities/audit-store.ts';
import { deletionStore } from '../../data-store/entities/deletion-store.ts';
import { commentStore } from '../../data-store/entities/comment-store.ts';
import type { KnownFiles } from '../../data-store/entities/known-files.ts';
import { entityStores } from '../../data-store/entities/entity-stores.ts';
import { receiptStore } from '../../data-store/entities/receipt-store.ts';
import { schemeStore } from '../../data-store/entities/scheme-store.ts';
import type { Keep } from '../../data-store/tables.ts';
import { step } from '../../data-store/steps.ts';
import { enoughFrames } from '../../data-store/sheets-due.ts';
import { openDatabase } from './open-database.ts';
import { applicationName, PostgresDatabase, type PostgresLimits } from './postgres-database.ts';
import { postgresBinaryCaptures } from './postgres-binary-captures.ts';
import { postgresBinaryStore } from './postgres-binary-store.ts';
import { postgresFieldIndexes } from './postgres-field-indexes.ts';
import { findFiles } from './postgres-files.ts';
import { PostgresIndexes } from './postgres-indexes.ts';
import { postgresLabelStore } from './postgres-label-store.ts';
import { postgresLeaseStore } from './postgres-lease-store.ts';
import { postgresPipelineStore } from './postgres-pipeline-store.ts';
import { sinkFilling } from './postgres-sink-indexes.ts';
import { postgresTabularCaptures, postgresTabularStore, type PostgresTabularStore } from './postgres-tabular-store.ts';
import { accessStore } from '../../data-store/entities/access-store.ts';
import { postgresInstallation, type Installation } from './postgres-installation.ts';
import { postgresInstallationRows } from './postgres-installation-rows.ts';
import { peopleStore } from '../../data-store/entities/people-store.ts';
import { PostgresResults } from './postgres-result-store.ts';
import {
  keepIn,
  keepNothing,
  postgresTables,
  type KeepChanges,
  type PostgresTables,
  type PostgresTableStore,
} from './postgres-tables.ts';
import { postgresUsageStore } from './postgres-usage-store.ts';

export interface PostgresDataStore extends DataStore {
  readonly tabular: PostgresTabularStore;
  readonly people: PeopleStore;
  as(actor: Actor | null): ChangingStores & { readonly people: PeopleStore };
  /** server and database, without user and password */
  readonly place: string;
  readonly installation: Installation;
  /** all rows but captures, for a move */
  readonly rows: InstallationRows;
  /** What the server is set to by which it may lose what it has acknowledged, as "fsync = off". */
  laxSettings(): Promise<readonly string[]>;
  /** how many calls wait for a connection */
  waitingCalls(): number;
  /** how many rows wait to be indexed by this host */
  waitingIndexRows(): number;
  /** Goes on with indexes that are half built or half deleted, and tells of all that are built from now on. */
  takeUpIndexes(onProgress: (progress: IndexProgress) => void): Promise<void>;
  /** Finishes the calls under way; no call may follow. */
  close(): Promise<void>;
}

/** `local` waits for no standby. */
const laxSettings = `
  SELECT name || ' = ' || setting AS setting FROM pg_settings
  WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
    OR name = 'synchronous_commit' AND setting = 'local' AND current_setting('synchronous_standby_names') <> ''
  ORDER BY name`;

/**
 * Opens the data that a PostgreSQL database keeps, and makes its tables where they are not there. Any number of hosts may have
 * the same database open; they keep nothing of it in memory that another host could make untrue. Bytes are in `blobs`.
 *
 * @param url as postgres://user:password@host:5432/database; further parameters are those of `pg`, sslmode among them
 * @throws StoreError `unsupported` for data of a newer version, `unavailable` for a database that cannot be reached
 */
export async function openPostgresDataStore(
  url: string,
  blobs: BlobStore,
  limits: Partial<PostgresLimits> = {},
  sheetRows = 1000,
): Promise<PostgresDataStore> {
  const database = await openDatabase(url, limits);
  const timeOf = async (sql: string) => (await database.rows(`SELECT ${sql} AS time`))[0]!['time'] as Micros;
  const binary = postgresBinaryCaptures();
  const results = new PostgresResults(database, binary, enoughFrames(sheetRows));
  const tables = postgresTables(database);
  const indexed = indexedStores(database, tables);
  const { indexes, builds } = indexed;
  const files: KnownFiles<PostgresTables> = {
    scope: [],
    areIn: ({ statements }, organizationId, datasetId) =>
      step(() => binary.bears(statements, organizationId, tagMark(datasetTag(datasetId)))),
    lock: ({ statements }, organizationId, id) =>
      step(async () => (await findFiles(statements, binary, organizationId, [id], 'FOR UPDATE')).size > 0),
  };
  const storesOf = (actor: Actor | null, summing: Summing) => {
    const keepSteps = keepChanges(tables, { actor, summing });
    const keep = keepIn(keepSteps);
    return {
      binary: postgresBinaryStore(database, binary, results, keep),
      tabular: indexed.tabular(keep),
      pipelines: indexed.pipelines(keepSteps),
      indexes: indexes.store(keep),
      ...entityStores(tables, files, keepSteps),
      labels: {
        ...postgresLabelStore(database, binary, results, keep),
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
    usage: postgresUsageStore(database),
    deletions: deletionStore(tables),
    blobs,
    place: database.place,
    installation: postgresInstallation(database),
    rows: postgresInstallationRows(database),
    leases: postgresLeaseStore(database),
    now: () => timeOf('store_time()'),
    // Only hosts add readings: what others have open must not keep late data waiting. A transaction without an xid has not passed the
    // time check of `insert` yet, so `insert` will refuse it if it is late.
    oldestWrite: () =>
      timeOf(`store_time() - coalesce((
        SELECT ceil(max(extract(epoch FROM clock_timestamp() - xact_start)) * 1e6) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = '${applicationName}' AND backend_xid IS NOT NULL
      ), 0)::double precision`),
    laxSettings: async () => (await database.rows(laxSettings)).map(({ setting }) => setting as string),
    waitingCalls: () => database.waiting,
    waitingIndexRows: () => builds.rowsLeft,
    takeUpIndexes(onProgress) {
      builds.onProgress = onProgress;
      return indexes.takeUp();
    },
    async close() {
      await builds.close();
      await results.close();
      await database.close();
    },
  };
}

/** What keepers of a database look after: who there is and how much they store, and what its hosts share. */
export type PostgresAdministration = Pick<
  PostgresDataStore,
  'access' | 'people' | 'audit' | 'usage' | 'deletions' | 'place' | 'installation' | 'close'
>;

/** Opens a database as `openPostgresDataStore` does, without its data, for changes by one actor. */
export async function openPostgresAdministration(url: string, actor = serviceActor): Promise<PostgresAdministration> {
  const database = await openDatabase(url, { connections: 2 });
  const tables = postgresTables(database);
  const keepSteps = keepChanges(tables, { actor, summing: 'write' });
  return {
    access: accessStore(tables, keepSteps),
    people: peopleStore(tables, keepSteps),
    audit: auditStore(tables),
    usage: postgresUsageStore(database),
    deletions: deletionStore(tables),
    place: database.place,
    installation: postgresInstallation(database),
    close: () => database.close(),
  };
}

/**
 * Opens what queries read of a database that is open, perhaps in another thread, over one connection that is closed while nothing is
 * asked. It ends with its thread.
 */
export function openPostgresReader(url: string): {
  readonly tabular: PostgresTabularStore;
  readonly pipelines: DataStore['pipelines'];
} {
  const database = new PostgresDatabase(url, { connections: 1 });
  const tables = postgresTables(database);
  const { tabular, pipelines } = indexedStores(database, tables);
  return {
    tabular: tabular(keepNothing),
    pipelines: pipelines(keepChanges(tables, { actor: null, summing: 'write' })),
  };
}

/** Readings and results of pipelines, with the indexes of clients on them. */
function indexedStores(database: PostgresDatabase, tables: PostgresTableStore) {
  const captures = postgresTabularCaptures();
  const fieldIndexes = postgresFieldIndexes(captures);
  const builds = new IndexBuilds();
  const indexes = new PostgresIndexes(database, builds, {
    'hot-store': fieldIndexes.filling,
    'pipeline-sink': sinkFilling,
  });
  return {
    tabular: (keep: KeepChanges) => postgresTabularStore(database, captures, fieldIndexes, keep),
    pipelines: (keep: Keep) => postgresPipelineStore(database, tables, indexes, keep),
    indexes,
    builds,
  };
}
