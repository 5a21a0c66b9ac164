import { join } from 'node:path';
import type { DataStore } from '../../data-service/face/stores.ts';
import { databaseFile } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { databaseProblems, openForCheck } from '../../platform/node/sqlite-data-store/open-for-check.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { nameOfShared, readDatabaseAddress } from './database-address.ts';
import { requireData } from './require-data.ts';
import type { CheckStoreArguments } from './data-records.ts';
import type { SharedPlace } from './shared-place.ts';

/** The files of one place. */
interface CheckedFiles {
  readonly store: Pick<DataStore, 'access' | 'binary' | 'blobs'>;
  close(): Promise<void>;
}

/** The place that is checked: a folder, or a database and a bucket. */
export interface CheckedPlace {
  /** the words for a person, without secrets */
  readonly name: string;
  /** the database and its faults; null: its own tools find them */
  readonly database: { readonly path: string; readonly problems: readonly string[] } | null;
  open(): Promise<CheckedFiles>;
}

/** @throws CliError not-found for a folder without data */
export async function checkedPlace({
  dataDir,
  shared,
}: Pick<CheckStoreArguments, 'dataDir' | 'shared'>): Promise<CheckedPlace> {
  if (shared !== null) return checkedShared(shared);
  requireData(dataDir);
  return {
    name: dataDir,
    database: { path: join(dataDir, databaseFile), problems: databaseProblems(dataDir) },
    open: () => openForCheck(dataDir, systemClock),
  };
}

async function checkedShared({ database, blobs }: SharedPlace): Promise<CheckedPlace> {
  const url = await readDatabaseAddress(database);
  // only where they are asked for: most have neither
  const [{ openPostgresForCheck }, { openBucket }] = await Promise.all([
    import('../../platform/node/postgres-data-store/open-for-check.ts'),
    import('./open-bucket.ts'),
  ]);
  const rows = await openPostgresForCheck(url);
  return {
    name: nameOfShared(rows.place, blobs),
    database: null,
    open() {
      const bucket = openBucket(blobs);
      const close = async (): Promise<void> => {
        await rows.close();
        bucket.close();
      };
      return Promise.resolve({ store: { access: rows.access, binary: rows.binary, blobs: bucket.blobs }, close });
    },
  };
}
