import { newerSchema, StoreError } from '../../../data-service/face/stores.ts';
import { PostgresDatabase, type PostgresLimits, type Statements } from './postgres-database.ts';
import { entryMigrations, migrations } from './schema.ts';

/** Held by the host that changes the schema; any number, the same for all hosts. */
const schemaLock = 0x5167_6c73;

const dayMs = 86_400_000;
const patient: Partial<PostgresLimits> = { connections: 1, statementTimeoutMs: dayMs, lockTimeoutMs: dayMs };

/**
 * Connects to a database, and brings its schema up to date. Hosts that start at once wait for the first of them; a host whose
 * schema is there already needs no right to change it.
 * @throws StoreError `unsupported` for a schema of a newer version, or a database that does not keep every text
 */
export async function openDatabase(url: string, limits: Partial<PostgresLimits> = {}): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(url, limits);
  try {
    if (await isBehind(database)) await migrate(url);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Resolves to whether migrations are missing. */
async function isBehind(database: PostgresDatabase): Promise<boolean> {
  const [found] = await database.rows(
    `SELECT current_setting('server_encoding') AS encoding, to_regclass('schema_version') IS NOT NULL AS is_made`,
  );
  const { encoding, is_made: isMade } = found as { encoding: string; is_made: boolean };
  if (encoding !== 'UTF8') {
    throw new StoreError(
      'unsupported',
      `The database ${database.place} is encoded as ${encoding}, which does not have every character. ` +
        `Make one with UTF8: CREATE DATABASE sightglass ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
  return !isMade || (await database.read(missingOf(database.place))).length > 0;
}

/** Takes as long as it takes: a change of large tables, and the same by another host that is waited for. */
async function migrate(url: string): Promise<void> {
  const database = new PostgresDatabase(url, patient);
  try {
    await database.write(async (statements) => {
      await statements.run('SELECT pg_advisory_xact_lock($1)', schemaLock);
      await statements.run('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
      for (const migration of await missingOf(database.place)(statements)) {
        await statements.run(migration);
        await entryMigrations.get(migration)?.(statements);
      }
      await statements.run('DELETE FROM schema_version');
      await statements.run('INSERT INTO schema_version VALUES ($1)', migrations.length);
    });
  } finally {
    await database.close();
  }
}

const missingOf = (place: string) => async (statements: Statements) => {
  const { version = 0 } = ((await statements.row('SELECT version FROM schema_version')) ?? {}) as { version?: number };
  if (version > migrations.length) throw newerSchema(`The database ${place}`, version, migrations.length);
  return migrations.slice(version);
};
