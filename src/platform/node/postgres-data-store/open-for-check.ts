import { type DataStore, newerSchema, StoreError } from '../../../data-service/face/stores.ts';
import { keepChanges } from '../../data-store/entities/audit-store.ts';
import { accessStore } from '../../data-store/entities/access-store.ts';
import { postgresBinaryCaptures } from './postgres-binary-captures.ts';
import { postgresBinaryStore } from './postgres-binary-store.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { keepNothing, postgresTables } from './postgres-tables.ts';
import { PostgresResults } from './postgres-result-store.ts';
import { migrations } from './schema.ts';

/** What a check asks of a database. */
export interface CheckedDatabase {
  /** server and database, without user and password */
  readonly place: string;
  readonly access: DataStore['access'];
  readonly binary: DataStore['binary'];
  close(): Promise<void>;
}

/**
 * The files of a database, to be read alone: nothing is made or brought up to date.
 * @throws StoreError `not-found` for a database without data of Sightglass, `unsupported` for data of another version
 */
export async function openPostgresForCheck(url: string): Promise<CheckedDatabase> {
  const database = new PostgresDatabase(url, { connections: 2 });
  try {
    await requireSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const tables = postgresTables(database);
  const captures = postgresBinaryCaptures();
  return {
    place: database.place,
    access: accessStore(tables, keepChanges(tables, { actor: null, summing: 'write' })),
    binary: postgresBinaryStore(database, captures, new PostgresResults(database, captures, Infinity), keepNothing),
    close: () => database.close(),
  };
}

async function requireSchema(database: PostgresDatabase): Promise<void> {
  const { place } = database;
  const [made] = await database.rows("SELECT to_regclass('schema_version') IS NOT NULL AS is_made");
  const [found] = made!['is_made'] === true ? await database.rows('SELECT version FROM schema_version') : [];
  const version = found?.['version'] as number | undefined;
  if (version === undefined) {
    const message = `There is no data of Sightglass in the database ${place}; give its address by --database.`;
    throw new StoreError('not-found', message, { subject: place });
  }
  if (version > migrations.length) throw newerSchema(`The database ${place}`, version, migrations.length);
  if (version < migrations.length) {
    throw new StoreError(
      'unsupported',
      `The database ${place} was written by an older version of Sightglass (schema ${version}; this one wants ${migrations.length}). ` +
        'Start a server of this version on it first, which brings it up to date, or check it with that version.',
    );
  }
}
