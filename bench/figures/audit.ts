import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Actor, AuditFilter } from '../../src/data-service/ports/audit-store.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { memoryDataStore } from '../../tests/memory-store/memory-data-store.ts';
import { hasPostgres, startPostgres } from '../../tests/postgres/postgres-server.ts';
import { median, type BenchTools, type Figure, type Measurement } from '../figure.ts';

const filled = 10_000;
const copies = 1000;
const pagesEach = 101;
const pageRows = 50;
const organizationId = 'org';

const actorOf = (n: number): Actor => ({ kind: 'key', id: `key-${n % 7}`, name: `Key ${n % 7}` });

const everything: AuditFilter = {
  each: false,
  organizationId,
  actor: null,
  what: '',
  objectId: '',
  interval: { start: null, end: null },
};
const filters: Readonly<Record<string, AuditFilter>> = {
  'every change': everything,
  'of one key': { ...everything, actor: actorOf(3) },
  'of saved queries': { ...everything, what: 'saved-query' },
  'of one key and thing': { ...everything, actor: actorOf(3), what: 'saved-query' },
  'of one object': { ...everything, objectId: 'object-5' },
};

/** Changes by seven keys of datasets and saved queries: `filled` of them, some at once. */
async function fill(store: DataStore, atOnce: number): Promise<void> {
  const objects = 100;
  for (let first = 0; first < filled; first += atOnce) {
    const changes = Array.from({ length: atOnce }, (_, index) => {
      const [from, at] = [first + index - ((first + index) % objects), (first + index) % objects];
      const { datasets, savedQueries } = store.as(actorOf(from + at));
      const entry = { organizationId, id: `object-${at}`, timeCreated: 0 };
      const name = `name ${from + at}`;
      if (at % 2 === 0)
        return from === 0
          ? datasets.create({ ...entry, name, type: 'binary' })
          : datasets.rename(organizationId, entry.id, name);
      const query = { name, stages: [], timeUpdated: from };
      return from === 0 ? savedQueries.create({ ...entry, ...query }) : savedQueries.update(entry.id, query);
    });
    await Promise.all(changes);
  }
}

/** The median time of a page anywhere among the rows, ms, by filter. */
async function pageTimes({ audit }: DataStore, rows: number): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const taken: number[] = [];
    for (let n = 0; n < pagesEach; n++) {
      // spread over all of them, in no order
      const time = Math.ceil((((n * 37) % pagesEach) / pagesEach) * rows) * 1e6 + filled * 1e5;
      const beganMs = performance.now();
      const page = await audit.page(filter, { time, id: '' }, pageRows);
      taken.push(performance.now() - beganMs);
      if (page.length === 0) throw new Error(`There is no page ${name} before ${time}.`);
    }
    times[name] = median(taken);
  }
  return times;
}

const ratios = (
  store: string,
  few: Record<string, number>,
  many: Record<string, number>,
  { note }: BenchTools,
): Measurement[] =>
  Object.keys(filters).map((name) => {
    note(`${store}, ${name}: ${few[name]!.toFixed(2)} ms of the few, ${many[name]!.toFixed(2)} ms of the many`);
    return { name: `${store}: ${name}`, value: many[name]! / few[name]!, unit: '×', atMost: 3 };
  });

/** Adds the rows of the table `few` once for each `n` of `numbers`, so many times some hours later. */
const copied = (few: string, numbers: string): string =>
  `INSERT INTO audit_rows (organization_id, time, id, actor, what, object_id, entry)
   SELECT organization_id, time + n * ${filled}e6, id, actor, what, object_id, entry FROM ${numbers} CROSS JOIN ${few}`;

async function inSqlite(tools: BenchTools): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-audit-'));
  let seconds = 0;
  const open = () => openSqliteDataStore(folder, { now: () => ++seconds * 1e6 }); // each change a second later
  try {
    tools.at('the few in SQLite');
    let store = await open();
    await fill(store, 100);
    const few = await pageTimes(store, filled);
    await store.close();
    tools.at('the many in SQLite');
    copyInSqlite(store.databasePath);
    store = await open();
    const many = await pageTimes(store, filled * copies);
    tools.note(
      `SQLite: ${((await store.databaseBytes()) / (filled * copies)).toFixed(0)} bytes a row, indexes included`,
    );
    await store.close();
    return ratios('SQLite', few, many, tools);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Without indexes, which are made in the end, and without waiting for the disk: what is measured is reading. */
function copyInSqlite(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF');
  const indexes = database.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'audit_rows' AND sql LIKE 'CREATE INDEX%'",
  );
  const made = indexes.all() as unknown as readonly { readonly name: string; readonly sql: string }[];
  for (const { name } of made) database.exec(`DROP INDEX ${name}`);
  database.exec('CREATE TEMP TABLE few AS SELECT * FROM audit_rows ORDER BY time');
  database.exec(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies - 1})
    ${copied('few', 'numbers')}`);
  for (const { sql } of made) database.exec(sql);
  database.close();
}

async function inPostgres(tools: BenchTools): Promise<Measurement[]> {
  if (!hasPostgres) {
    tools.note('PostgreSQL is left out: there is none here');
    return [];
  }
  const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '8GB' });
  try {
    const { url } = await server.createDatabase();
    const store = await openPostgresDataStore(url, memoryDataStore({ now: () => 0 }).blobs);
    const database = new PostgresDatabase(url, { statementTimeoutMs: 3_600_000, connections: 1 });
    tools.at('the few in PostgreSQL');
    await fill(store, 5);
    // a second apart, as in SQLite: the server's own clock has dated them
    await database.write((statements) =>
      statements.run(`UPDATE audit_rows SET time = ranked.n * 1e6 FROM (
        SELECT id AS of, row_number() OVER (ORDER BY time, id) AS n FROM audit_rows
      ) AS ranked WHERE id = of`),
    );
    await database.rows('VACUUM ANALYZE audit_rows');
    const few = await pageTimes(store, filled);
    tools.at('the many in PostgreSQL');
    const made = await database.rows(
      "SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'audit_rows' AND indexname LIKE 'audit_rows_by_%'",
    );
    const work = [
      ...made.map(({ name }) => `DROP INDEX ${String(name)}`),
      copied('audit_rows', `generate_series(1, ${copies - 1}) AS n`),
      ...made.map(({ sql }) => String(sql)),
    ];
    for (const sql of work) await database.write((statements) => statements.run(sql));
    await database.rows('VACUUM ANALYZE audit_rows');
    const many = await pageTimes(store, filled * copies);
    await Promise.all([store.close(), database.close()]);
    return ratios('PostgreSQL', few, many, tools);
  } finally {
    await server.stop();
  }
}

export const figure: Figure = {
  title: 'Audit: a page of 50 changes out of 10,000,000 against one out of 10,000',
  limitMinutes: 60,
  async measure(tools) {
    return [...(await inSqlite(tools)), ...(await inPostgres(tools))];
  },
};
