import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { memoryDataStore } from '../../tests/memory-store/memory-data-store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../../tests/postgres/postgres-server.ts';
import { median, type Figure, type Measurement } from '../figure.ts';
import { fillTabular, pageTimes, scanNames, type PageTimes } from '../pages/page-cost-rows.ts';

const few = { filled: 10_000, copies: 1 };
const many = { filled: 100_000, copies: 100 };
const pagesEach = 101;

export const figure: Figure = {
  title: 'PostgreSQL: a page of 50 readings out of 10,000,000 against one out of 10,000',
  limitMinutes: 30,
  async measure({ note, at }) {
    if (!hasPostgres) {
      note('left out: there is no PostgreSQL here');
      return [];
    }
    const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '8GB' });
    try {
      at('pages out of the few');
      const fewTimes = await pagesOutOf(server, few, note);
      at('pages out of the many');
      const manyTimes = await pagesOutOf(server, many, note);
      return scanNames.map((name): Measurement => {
        const [fewMs, manyMs] = [median(fewTimes[name]!), median(manyTimes[name]!)];
        note(`${name}: ${fewMs.toFixed(2)} ms of the few, ${manyMs.toFixed(2)} ms of the many`);
        return { name, value: manyMs / fewMs, unit: '×', atMost: 3 };
      });
    } finally {
      await server.stop();
    }
  },
};

async function pagesOutOf(
  server: PostgresServer,
  { filled, copies }: typeof few,
  note: (text: string) => void,
): Promise<PageTimes> {
  const { url } = await server.createDatabase();
  const store = await openPostgresDataStore(url, memoryDataStore({ now: () => 0 }).blobs);
  const database = new PostgresDatabase(url, { statementTimeoutMs: 1_800_000 });
  try {
    await fillTabular(store, filled);
    for (let copy = 1; copy < copies; copy++) await copyReadings(database, filled, copy * filled);
    await database.rows('VACUUM ANALYZE'); // as the server does by itself within a minute
    const [size] = await database.rows('SELECT pg_database_size(current_database()) AS bytes');
    const bytes = (size!['bytes'] as number) / (filled * copies);
    note(`${filled * copies} readings of ${bytes.toFixed(0)} bytes each`);
    return await pageTimes(store, filled * copies, pagesEach);
  } finally {
    await Promise.all([store.close(), database.close()]);
  }
}

/** Adds the first `count` readings again, some seconds later: within the database, which is quicker than uploads. */
async function copyReadings(database: PostgresDatabase, count: number, seconds: number): Promise<void> {
  const later = `time + ${seconds}e6, lpad(${seconds / 1000}::text, 8, '0') || substr(id, 9)`;
  const first = `time < (SELECT min(time) FROM tabular_captures) + ${count}e6`;
  await database.write(async (statements) => {
    await statements.run(
      `INSERT INTO tabular_captures (organization_id, stream, time, id, time_received, time_synced, size, payload, entry)
       SELECT organization_id, stream, ${later}, time_received + ${seconds}e6, time_synced + ${seconds}e6, size, payload, entry
       FROM tabular_captures WHERE ${first}`,
    );
    await statements.run(
      `INSERT INTO tabular_captures_marks (organization_id, stream, mark, time, id, size)
       SELECT organization_id, stream, mark, ${later}, size FROM tabular_captures_marks WHERE ${first}`,
    );
  });
}
