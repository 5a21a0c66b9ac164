import { afterAll, beforeAll } from 'vitest';
import type { BlobStore } from '../../src/data-service/ports/blob-store.ts';
import { openDatabase } from '../../src/platform/node/postgres-data-store/open-database.ts';
import {
  openPostgresDataStore,
  type PostgresDataStore,
} from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** How many connections each store of a test may open. */
const connections = 4;

export interface OpenedStore {
  readonly store: PostgresDataStore;
  readonly url: string;
  /** Opens the same data again, as another host. */
  openAgain(): Promise<PostgresDataStore>;
  close(): Promise<void>;
}

/** One PostgreSQL for the tests of a `describe`, and a function that opens an empty store in a database of its own. */
export function postgresStores(blobsOf: () => BlobStore) {
  let server: PostgresServer;
  let template: string;
  beforeAll(async () => {
    server = await startPostgres();
    const { name, url } = await server.createDatabase();
    await (await openDatabase(url)).close();
    template = name;
  });
  afterAll(() => server?.stop());

  return {
    server: () => server,
    async open(): Promise<OpenedStore> {
      const { name, url } = await server.createDatabase(template);
      const blobs = blobsOf();
      const openAgain = () => openPostgresDataStore(url, blobs, { connections });
      const opened = [await openAgain()];
      return {
        store: opened[0]!,
        url,
        async openAgain() {
          opened.push(await openAgain());
          return opened.at(-1)!;
        },
        async close() {
          await Promise.all(opened.map((store) => store.close()));
          await server.dropDatabase(name);
        },
      };
    },
  };
}
