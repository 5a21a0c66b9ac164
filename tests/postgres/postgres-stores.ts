import { afterAll, beforeAll } from 'vitest';
import type { BlobStore } from '../../src/data-service/ports/blob-store.ts';
import { openDatabase } from '../../src/platform/node/postgres-data-store/open-database.ts';
import { PostgresDatabase, type Statements } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import {
  openPostgresDataStore,
  type PostgresDataStore,
} from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import type { Micros } from '../../src/data-service/ports/stored-captures.ts';
import type { StoreUnderTest } from '../contract/data-store/store-under-test.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** How many connections each store of a test may open. */
const connections = 4;
/** A quarter of an hour with two recorded frames has a sheet of results, and one with a single frame has none. */
const sheetRows = 6;

export interface OpenedStore extends StoreUnderTest {
  readonly store: PostgresDataStore;
  readonly url: string;
  /** Opens the same data again, as another host. */
  openAgain(): Promise<PostgresDataStore>;
  /** Sets the time of the database, which stands from then on. */
  setTime(now: Micros): Promise<void>;
  close(): Promise<void>;
}

/**
 * One PostgreSQL for the tests of a `describe`, and a function that opens an empty store in a database that it has for itself.
 * Databases are emptied and used again: to drop one takes PostgreSQL ten times as long.
 */
export function postgresStores(blobsOf: () => BlobStore) {
  let server: PostgresServer;
  let template: string;
  let ownTime: string;
  const free: string[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    const { name, url } = await server.createDatabase();
    const database = await openDatabase(url);
    ownTime = (await database.rows("SELECT pg_get_functiondef('store_time'::regproc) AS text"))[0]!['text'] as string;
    await database.close();
    template = name;
  });
  afterAll(() => server?.stop());

  return {
    async open(): Promise<OpenedStore> {
      const url = free.pop() ?? (await server.createDatabase(template)).url;
      const blobs = blobsOf();
      const openAgain = () => openPostgresDataStore(url, blobs, { connections }, sheetRows);
      const opened = [await openAgain()];
      return {
        store: opened[0]!,
        url,
        async openAgain() {
          opened.push(await openAgain());
          return opened.at(-1)!;
        },
        setTime: (now) =>
          runSql(url, `CREATE OR REPLACE FUNCTION store_time() RETURNS float8 LANGUAGE sql AS 'SELECT ${now}::float8'`),
        async close() {
          await Promise.all(opened.map((store) => store.close()));
          await runSql(url, ownTime);
          await emptyDatabase(url);
          free.push(url);
        },
      };
    },
  };
}

/** Deletes all rows but the version of the schema. */
const emptyDatabase = (url: string): Promise<void> =>
  withStatements(url, async (statements) => {
    const tables = await statements.rows(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'",
    );
    const deletes = tables.map(({ name }) => `DELETE FROM ${name as string};`);
    await statements.run(`SET LOCAL session_replication_role = replica; ${deletes.join(' ')}`);
  });

const runSql = (url: string, sql: string): Promise<void> =>
  withStatements(url, async (statements) => void (await statements.run(sql)));

async function withStatements(url: string, work: (statements: Statements) => Promise<void>): Promise<void> {
  const database = new PostgresDatabase(url, { connections: 1 });
  try {
    await database.write(work);
  } finally {
    await database.close();
  }
}
