import type { BlobStore } from '../../../data-service/ports/blob-store.ts';
import type { DataStore } from '../../../data-service/ports/data-store.ts';
import { openDatabase } from './open-database.ts';
import type { PostgresLimits } from './postgres-database.ts';
import { postgresBinaryCaptures, postgresBinaryStore } from './postgres-binary-store.ts';
import { postgresTabularCaptures, postgresTabularStore } from './postgres-tabular-store.ts';
import { postgresAccessStore } from './postgres-access-store.ts';
import { postgresDatasetStore } from './postgres-dataset-store.ts';
import { postgresReceiptStore } from './postgres-receipt-store.ts';
import { postgresSavedQueryStore } from './postgres-saved-query-store.ts';

export interface PostgresDataStore extends Omit<DataStore, 'pipelines' | 'indexes'> {
  /** how many calls wait for a connection */
  waitingCalls(): number;
  /** Finishes the calls under way; no call may follow. */
  close(): Promise<void>;
}

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
): Promise<PostgresDataStore> {
  const database = await openDatabase(url, limits);
  const binary = postgresBinaryCaptures();
  return {
    binary: postgresBinaryStore(database, binary),
    tabular: postgresTabularStore(database, postgresTabularCaptures(), null),
    receipts: postgresReceiptStore(database),
    datasets: postgresDatasetStore(database, binary),
    access: postgresAccessStore(database),
    savedQueries: postgresSavedQueryStore(database),
    blobs,
    waitingCalls: () => database.waiting,
    close: () => database.close(),
  };
}
