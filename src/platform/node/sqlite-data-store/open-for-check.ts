import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../data-service/face/hosts.ts';
import type { DataStore } from '../../../data-service/face/stores.ts';
import { fileBlobStore } from '../file-blob-store.ts';
import { blobFolder, databaseFile } from './open-sqlite-data-store.ts';
import { keepChanges } from '../../data-store/entities/audit-store.ts';
import { accessStore } from '../../data-store/entities/access-store.ts';
import { binaryCaptures } from './binary-captures.ts';
import { sqliteBinaryStore } from './sqlite-binary-store.ts';
import { SqliteCaptures } from './sqlite-captures.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteResults } from './sqlite-result-store.ts';
import { sqliteTables } from './sqlite-tables.ts';
import { storeErrorOf } from './sqlite-error.ts';

/** Nothing is changed through it. */
const keepNothing = (): void => undefined;

const mostProblems = 20;

/** What SQLite finds wrong with a database, in its words, some of it at most; empty: nothing. */
export function databaseProblems(folder: string): string[] {
  const path = join(folder, databaseFile);
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const rows = database.prepare(`PRAGMA integrity_check(${mostProblems})`).all();
      const said = rows.flatMap((row) => Object.values(row).map(String));
      return said.length === 1 && said[0] === 'ok' ? [] : said;
    } finally {
      database.close();
    }
  } catch (error) {
    return [(storeErrorOf(error, path) as Error).message];
  }
}

/** The files of a data folder, to be read alone: nothing of a damaged database is written to. */
export async function openForCheck(folder: string, clock: Clock) {
  const database = await SqliteDatabase.openForReading(join(folder, databaseFile));
  const binary = new SqliteCaptures(database, binaryCaptures);
  const tables = sqliteTables(database, clock);
  const store: Pick<DataStore, 'access' | 'binary' | 'blobs'> = {
    access: accessStore(tables, keepChanges(tables, { actor: null, summing: 'write' })),
    binary: sqliteBinaryStore(
      database,
      tables.tables,
      binary,
      new SqliteResults(database, binary, Infinity),
      keepNothing,
    ),
    blobs: fileBlobStore(join(folder, blobFolder), clock),
  };
  return { store, close: () => database.close() };
}
