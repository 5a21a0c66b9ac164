import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { migrations } from '../../src/platform/node/postgres-data-store/schema.ts';
import { hasPostgres, startPostgres, withoutPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { testClock } from './data-store/blobs.ts';
import { anonymousReceipt, binaryRecord } from './data-store/captures.ts';

describe.skipIf(!hasPostgres)(`what organizations store in PostgreSQL (${withoutPostgres})`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  const { blobs } = memoryDataStore(testClock);

  async function open() {
    const { url } = await server.createDatabase();
    const store = await openPostgresDataStore(url, blobs);
    const database = new PostgresDatabase(url, { connections: 2 });
    const close = async (): Promise<void> => {
      await store.close();
      await database.close();
    };
    return { store, database, close };
  }

  it('is counted without waiting for another upload of the organization that is not committed', async () => {
    const { store, database, close } = await open();
    const insert = (id: string) => store.binary.insert([binaryRecord(id)], anonymousReceipt());
    const slots = async () => (await database.rows('SELECT slot FROM usage_counts')).length;
    await insert('a');
    await database.write(async (statements) => {
      await statements.rows('SELECT FROM usage_counts FOR UPDATE'); // as all do that have counted and not committed
      await insert('b');
      await store.binary.delete('org', ['a']);
    });
    expect(await slots()).toBe(2);
    for (const id of ['c', 'd', 'e']) await insert(id);
    expect(await slots()).toBe(2);
    const [usage] = await store.usage.of(['org']);
    expect(usage!.files).toEqual({ count: 4, totalSizeBytes: 400 });
    await close();
  });

  /** A database as it was before anything was counted, with two files and two readings of an organization, and a file of another. */
  async function openUncounted() {
    const { url } = await server.createDatabase();
    const database = new PostgresDatabase(url, { connections: 2 });
    const version = migrations.findIndex((sql) => sql.includes('CREATE TABLE usage_counts'));
    await database.write(async (statements) => {
      for (const migration of migrations.slice(0, version)) await statements.run(migration);
      await statements.run('CREATE TABLE schema_version (version integer NOT NULL)');
      await statements.run('INSERT INTO schema_version VALUES ($1)', version);
      for (const [organization, id, size] of [
        ['org', 'a', 100],
        ['org', 'b', 20],
        ['other', 'c', 3],
      ] as const) {
        await statements.run(insertFile, organization, id, size);
      }
      for (const id of ['r', 's']) await statements.run(insertReading, id);
    });
    return { url, database };
  }
  const insertFile = "INSERT INTO binary_captures VALUES ($1, $2, 1, 0, $3, $2, '')";
  const insertReading = "INSERT INTO tabular_captures VALUES ('org', 2, 0, $1, 0, 0, 7, '{}', NULL)";

  it('is counted of what was there before it was counted', async () => {
    const { url, database } = await openUncounted();
    const store = await openPostgresDataStore(url, blobs);
    const readings = { count: 2, totalSizeBytes: 14 };
    const nothing = { count: 0, totalSizeBytes: 0 };
    expect(await store.usage.of(['org', 'other'])).toEqual([
      { files: { count: 2, totalSizeBytes: 120 }, readings, labelling: nothing },
      { files: { count: 1, totalSizeBytes: 3 }, readings: nothing, labelling: nothing },
    ]);
    await store.close();
    await database.close();
  });

  it.each([
    ['files', insertFile, ['other', 'late', 4]],
    ['readings', insertReading, ['late']],
  ] as const)('is counted of %s that an older host commits at that moment', async (kind, sql, values) => {
    const { url, database } = await openUncounted();
    const { opening } = await database.write(async (statements) => {
      await statements.run(sql, ...values);
      const begun = { opening: openPostgresDataStore(url, blobs) };
      const waiting = "SELECT FROM pg_locks WHERE mode = 'ShareLock' AND locktype = 'relation' AND NOT granted";
      await expect.poll(async () => (await database.rows(waiting)).length, { timeout: 10_000 }).toBe(1);
      return begun;
    });
    const store = await opening;
    const usage = await store.usage.of(['org', 'other']);
    expect(usage.map((of) => of[kind].count).reduce((sum, count) => sum + count)).toBe(kind === 'files' ? 4 : 3);
    await store.close();
    await database.close();
  });

  it('is never told as less than nothing', async () => {
    const { store, database, close } = await open();
    await store.binary.insert([binaryRecord('a')], anonymousReceipt());
    await database.write((statements) =>
      statements.run(
        'UPDATE usage_counts SET files = -1, file_bytes = -1, readings = -1, reading_bytes = -1, labelling = -1',
      ),
    );
    const nothing = { count: 0, totalSizeBytes: 0 };
    expect(await store.usage.of(['org'])).toEqual([{ files: nothing, readings: nothing, labelling: nothing }]);
    await close();
  });
});
