import { deserialize, serialize } from 'bson';
import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { defaultQueryLimits } from '../../src/data-service/query/query-limits.ts';
import { allReadings } from '../../src/data-service/query/query-sources.ts';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { nodeQueryWorkers } from '../../src/platform/node/query-worker.ts';
import { memoryDataStore } from '../../tests/memory-store/memory-data-store.ts';
import { hasPostgres, startPostgres } from '../../tests/postgres/postgres-server.ts';
import { familyCpuMs, processCpuMs } from '../cpu-time.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';
import { fillTabular } from '../pages/page-cost-rows.ts';

const rowCount = 1_000_000;
const rounds = 7;

const name = 'streams.key::json ->> 7';
const temp = "(payload::json #>> '{readings,temp}')::double precision";
const from = "FROM tabular_captures JOIN streams ON streams.id = stream WHERE tabular_captures.organization_id = 'org'";
const mean = { $avg: '$data.readings.temp' };

/** Groups, and the same of them in SQL; both are answered with rows of a key and numbers. */
const groups: Readonly<Record<string, { readonly stages: readonly object[]; readonly sql: string }>> = {
  'readings of each component': {
    stages: [{ $group: { _id: '$component_name', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
    sql: `SELECT ${name} AS _id, count(*) AS n ${from} GROUP BY 1 ORDER BY 1`,
  },
  'mean of each component': {
    stages: [{ $group: { _id: '$component_name', mean } }, { $sort: { _id: 1 } }],
    sql: `SELECT ${name} AS _id, avg(${temp}) AS mean ${from} GROUP BY 1 ORDER BY 1`,
  },
  'count and mean of each value': {
    stages: [{ $group: { _id: '$data.readings.temp', n: { $sum: 1 }, mean } }, { $sort: { _id: 1 } }],
    sql: `SELECT ${temp} AS _id, count(*) AS n, avg(${temp}) AS mean ${from} GROUP BY 1 ORDER BY 1`,
  },
};

export const figure: Figure = {
  title: `PostgreSQL: a $group over ${rowCount.toLocaleString('en')} readings against the same in SQL`,
  async measure({ note, at }) {
    if (!hasPostgres) {
      note('left out: there is no PostgreSQL here');
      return [];
    }
    const server = await startPostgres({ shared_buffers: '512MB', max_wal_size: '4GB' });
    const { url } = await server.createDatabase();
    const database = new PostgresDatabase(url, { connections: 1, statementTimeoutMs: 600_000 });
    const runner = new IsolatedQueryRunner({
      rows: null,
      startWorker: nodeQueryWorkers({ databaseUrl: url }),
      clock: { now: () => Date.now() * 1000 },
      turns: undivided(1),
    });
    const cpuMs = () => Promise.all([processCpuMs(process.pid), familyCpuMs(server.pid())]);
    try {
      at('filling');
      const store = await openPostgresDataStore(url, memoryDataStore({ now: () => 0 }).blobs);
      await fillTabular(store, rowCount);
      await store.close();
      await database.rows('VACUUM ANALYZE'); // as the server does by itself within a minute
      const measurements: Measurement[] = [];
      for (const [title, { stages, sql }] of Object.entries(groups)) {
        at(title);
        const [queries, statements]: [number[], number[]] = [[], []];
        const cpu: [number[], number[]] = [[], []];
        for (let round = -1; round < rounds; round++) {
          const before = await cpuMs();
          const found = await timed(() => grouped(runner, stages));
          const after = await cpuMs();
          const expected = await timed(() => database.rows(sql));
          if (rounded(found.value) !== rounded(expected.value)) throw new Error(`The answers differ: ${sql}`);
          if (round < 0) continue; // warm-up
          queries.push(found.ms);
          statements.push(expected.ms);
          for (const [index, ms] of after.entries()) cpu[index]!.push(ms - before[index]!);
        }
        const [host, postgres] = cpu.map((all) => median(all).toFixed(0));
        note(
          `${title}: query ${median(queries).toFixed(0)} ms, of processor ${host} on the host, ${postgres} on the database; SQL ${median(statements).toFixed(0)} ms`,
        );
        measurements.push({ name: title, value: medianRatio(queries, statements), unit: '×', atMost: 2 });
      }
      return measurements;
    } finally {
      runner.close();
      await database.close();
      await server.stop();
    }
  },
};

async function grouped(runner: IsolatedQueryRunner, stages: readonly object[]) {
  const query = { organizationId: 'org', source: allReadings, stages: stages.map((stage) => serialize(stage)) };
  const asker = { organizationId: 'org', keyId: null, isPipeline: false };
  const limits = { ...defaultQueryLimits, deadlineMs: 120_000 };
  const rows = await runner.run(query, asker, limits, new AbortController().signal);
  return rows.map((row) => deserialize(row));
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startMs };
}

/** Sums of doubles differ in their last bits by the order in which they were added. */
const rounded = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
