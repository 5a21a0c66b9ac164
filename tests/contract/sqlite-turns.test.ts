import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'bson';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import type { StoredIndex } from '../../src/data-service/ports/index-store.ts';
import type { IndexProgress } from '../../src/platform/data-store/index-builds.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { SqliteDatabase } from '../../src/platform/node/sqlite-data-store/sqlite-database.ts';
import { TurnRows } from '../../src/platform/data-store/turn-rows.ts';
import { testClock } from './data-store/blobs.ts';
import { freeTerms, pipelineOf, runOf } from './data-store/example-pipeline.ts';
import { anonymousReceipt, binaryRecord, idsOf, scanOf, tabularFilter, tabularRow } from './data-store/captures.ts';
import { ben, labelTask } from './data-store/labels.ts';

const index: StoredIndex = {
  organizationId: 'org',
  collection: { kind: 'hot-store' },
  name: 'temp',
  options: '',
  createdBy: 'customer',
  key: [{ path: 'data.readings.temp', direction: 1 }],
  timeCreated: 1,
};

async function storeWith(rows: readonly TabularRow[], sheetRows: number) {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-turns-'));
  const store = await openSqliteDataStore(folder, testClock, sheetRows);
  let open = store;
  onTestFinished(async () => {
    await open.close();
    await rm(folder, { recursive: true });
  });
  await store.tabular.insert(rows, anonymousReceipt());
  /** Stops the host like SIGTERM, and starts another one on its folder. */
  const startAgain = async () => {
    await open.close();
    return (open = await openSqliteDataStore(folder, testClock, sheetRows));
  };
  return { ...store, startAgain };
}

const sinkIndex: StoredIndex = {
  ...index,
  collection: { kind: 'pipeline-sink', pipelineId: 'p' },
  key: [{ path: 'temp', direction: 1 }],
};

/** Stores results of a pipeline, like a run. */
async function keepResults({ pipelines }: Pick<DataStore, 'pipelines'>, count: number): Promise<void> {
  await pipelines.create(pipelineOf('p'));
  const run = runOf('run', 100);
  expect(await pipelines.claim(run, freeTerms)).toBe(true);
  const documents = Array.from({ length: count }, (_, temp) => serialize({ temp }));
  await pipelines.complete(run, { timeEnded: 2, dataSeenUntil: 2, documents });
}

/** Advances a fake clock for each written row; returns the duration of each turn by that clock. */
function watchTurns(rowMs: number): readonly number[] {
  let nowMs = 0;
  const turns: number[] = [];
  const { run, write } = SqliteDatabase.prototype;
  const spies = [
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs),
    vi.spyOn(SqliteDatabase.prototype, 'run').mockImplementation(function (this: SqliteDatabase, sql, ...values) {
      const result = run.call(this, sql, ...values);
      nowMs += rowMs * Math.max(1, result.changes);
      return result;
    }),
    vi.spyOn(SqliteDatabase.prototype, 'write').mockImplementation(function (this: SqliteDatabase, work) {
      return write.call(this, () => {
        const beganMs = nowMs;
        const result = work();
        turns.push(nowMs - beganMs);
        return result;
      }) as Promise<never>;
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
  return turns;
}

const rowsOf = (count: number, changes: Partial<TabularRow> = {}): TabularRow[] =>
  Array.from({ length: count }, (_, n) =>
    tabularRow(`r${String(n).padStart(5, '0')}`, { timeRequested: n, ...changes }),
  );

it.each([
  ['rows', { tags: ['loose'] }],
  ['sheets', {}],
])('deletes many %s in turns, between which others are served', async (_, changes) => {
  const { tabular } = await storeWith(rowsOf(2500, changes), 100);
  const ended: string[] = [];
  const deleting = tabular.delete(tabularFilter(), 2000).then((count) => {
    ended.push('delete');
    return count;
  });
  const other = tabularRow('other', { organizationId: 'other' });
  await tabular.insert([other], anonymousReceipt()).then(() => ended.push('insert'));
  expect(await deleting).toBe(2000);
  expect(ended).toEqual(['insert', 'delete']);
  expect((await tabular.summarize(tabularFilter())).count).toBe(500);
});

it('deletes of sheets what a filter takes, and nothing beside it', async () => {
  const rows = rowsOf(1000);
  const elsewhere = rowsOf(300).map((row) => ({ ...row, id: `x${row.id}`, componentName: 'other' }));
  const { tabular } = await storeWith([...rows, ...elsewhere], 100);
  const interval = { start: 150, end: 777 };
  const parameters = tabularFilter({ interval, additionalParameters: '{"n":1}' });
  expect(await tabular.delete(parameters, 5000)).toBe(0);
  const { componentName } = rows[0]!;
  expect(await tabular.delete(tabularFilter({ interval, componentName }), 5000)).toBe(627);
  const left = await tabular.page(scanOf(tabularFilter(), { limit: 5000 }));
  const expected = [...rows.slice(0, 150), ...rows.slice(777), ...elsewhere];
  expect(new Set(idsOf(left))).toEqual(new Set(idsOf(expected)));
  expect(left).toHaveLength(expected.length);
});

it('goes on with an index that is asked for again while it is built, and has it whole', async () => {
  const { tabular, indexes } = await storeWith(rowsOf(1500), 500);
  await Promise.all([indexes.create(index), indexes.create(index)]);
  expect(await indexes.list('org', { kind: 'hot-store' })).toHaveLength(1);
  await expect(indexes.create(index)).rejects.toMatchObject({ code: 'already-exists' });
  const found = await tabular.page(scanOf(tabularFilter(), { limit: 5000 }));
  expect(found).toHaveLength(1500);
});

const temperatures = (count: number, changes: Partial<TabularRow> = {}): TabularRow[] =>
  rowsOf(count, changes).map((row, n) => ({ ...row, payload: { readings: { temp: n } } }));

describe('the time of a turn', () => {
  const mostMs = 50;

  it.each([
    ['rows', { tags: ['loose'] }, 0.5],
    ['sheets', {}, 0.5],
    ['rows of a slow disk', { tags: ['loose'] }, 1],
  ])('is short for %s, when an index is built and deleted, and they are', async (_, changes, rowMs) => {
    const { tabular, indexes } = await storeWith(temperatures(1500, changes), 500);
    const turns = watchTurns(rowMs);
    await indexes.create(index);
    await indexes.delete('org', index.collection, 'temp');
    await tabular.delete(tabularFilter(), 1500);
    expect(turns.length).toBeGreaterThan(100);
    expect(Math.max(...turns)).toBeLessThanOrEqual(mostMs);
  });

  it('is short for the results of a pipeline, when an index is built and deleted', async () => {
    const store = await storeWith([], 500);
    await keepResults(store, 1500);
    const turns = watchTurns(0.5);
    await store.indexes.create(sinkIndex);
    await store.indexes.delete('org', sinkIndex.collection, sinkIndex.name);
    expect(turns.length).toBeGreaterThan(100);
    expect(Math.max(...turns)).toBeLessThanOrEqual(mostMs);
  });

  it('is short for the index of a pipeline that is deleted', async () => {
    const store = await storeWith([], 500);
    await keepResults(store, 1500);
    await store.indexes.create(sinkIndex);
    const turns = watchTurns(0.5);
    await store.pipelines.delete('p');
    expect(turns.length).toBeGreaterThan(50);
    const database = await SqliteDatabase.openForReading(store.databasePath);
    expect(database.all('SELECT id FROM sink_indexes UNION SELECT sink_index FROM sink_values')).toEqual([]);
    await database.close();
  });

  it('is what a turn is aimed at, whatever a row takes, and one row is the least', () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => void clock.mockRestore());
    for (const [rowMs, expected] of [
      [0.001, 1000],
      [0.1, 100],
      [2, 5],
      [70, 1],
    ] as const) {
      const turnRows = new TurnRows();
      for (let turn = 0; turn < 12; turn++) {
        turnRows.run((rows) => {
          nowMs += rows * rowMs;
          return rows;
        });
        turnRows.run(() => 0); // a turn without rows must not change the estimate
      }
      expect(turnRows.rows).toBeGreaterThanOrEqual(Math.max(1, 0.8 * expected));
      expect(turnRows.rows).toBeLessThanOrEqual(expected);
    }
  });
});

it('copies the log of writes into the database on another thread, and never lets it grow long', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await SqliteDatabase.open(join(folder, 'x.db'));
  await database.write(() => database.run('CREATE TABLE texts (text TEXT) STRICT'));
  const logged: number[] = [];
  const text = 'x'.repeat(400_000); // fills a hundred database pages
  for (let n = 0; n < 60; n++) {
    await database.write(() => database.run('INSERT INTO texts VALUES (?)', text));
    logged.push(database.get('PRAGMA wal_checkpoint(NOOP)')!['log'] as number);
  }
  expect(database.get('PRAGMA wal_autocheckpoint')).toMatchObject({ wal_autocheckpoint: 0 });
  expect(Math.max(...logged)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...logged)).toBeLessThan(1400);
  await database.close();
  expect(await readdir(folder)).toEqual(['x.db']);
});

it('adds tasks without reading the boxes of those that are there', async () => {
  const { binary, labels, databasePath } = await storeWith([], 10);
  await binary.insert([binaryRecord('f'), binaryRecord('g')], anonymousReceipt());
  const there = [labelTask('1', { isBlind: true }), labelTask('2', { binaryDataId: 'g', assignee: ben })];
  expect(await labels.addTasks(there)).toEqual(there);
  const other = new DatabaseSync(databasePath);
  other.exec(`UPDATE label_tasks SET entry = x'00'`); // whoever reads one fails
  other.close();
  const [again, second, notBlind, blind] = [
    labelTask('3', { isBlind: true }),
    labelTask('4', { isBlind: true, assignee: ben }),
    labelTask('5', { binaryDataId: 'g' }),
    labelTask('6', { binaryDataId: 'g', isBlind: true }),
  ];
  expect(await labels.addTasks([again, second, notBlind, blind])).toEqual([second, blind]);
  await expect(labels.getTasks('org', ['1'])).rejects.toThrow();
});

describe('work on an index that the end of its host cut off', () => {
  it.each<[string, StoredIndex, Partial<TabularRow>]>([
    ['rows', index, { tags: ['loose'] }],
    ['sheets', index, {}],
    ['results of a pipeline', sinkIndex, {}],
  ])('is taken up by the next one, over %s, which tells how far it is', async (_, wanted, changes) => {
    const { startAgain, ...before } = await storeWith(temperatures(1500, changes), 500);
    await keepResults(before, 1500);
    const cutOff = expect(before.indexes.create(wanted)).rejects.toMatchObject({ code: 'unavailable' });
    await before.indexes.list('org', wanted.collection);
    const store = await startAgain();
    await cutOff;
    expect(await store.indexes.list('org', wanted.collection)).toEqual([]);
    const beingBuilt = () => store.indexes.beingBuilt('org', wanted.collection);
    expect(await beingBuilt()).toEqual([{ index: wanted, progress: null }]);
    const told: IndexProgress[] = [];
    const takenUp = store.takeUpIndexes((progress) => told.push(progress));
    await expect
      .poll(beingBuilt, { interval: 0 })
      .toEqual([{ index: wanted, progress: { rows: expect.any(Number), of: 1500 } }]);
    await takenUp;
    expect(await beingBuilt()).toEqual([]);
    expect(told.at(-1)).toEqual({ organizationId: 'org', index: 'temp', rows: 1500, of: 1500 });
    expect(store.waitingIndexRows()).toBe(0);
    expect(await store.indexes.list('org', wanted.collection)).toHaveLength(1);
    await expect(store.indexes.create(wanted)).rejects.toMatchObject({ code: 'already-exists' });
  });

  it.each<[string, StoredIndex, readonly string[]]>([
    ['of rows', index, ['field_indexes', 'field_values']],
    ['of the results of a pipeline', sinkIndex, ['sink_indexes', 'sink_values']],
  ])('%s is taken up where it was to be deleted, whose name is free at once', async (_, wanted, tables) => {
    const { startAgain, ...before } = await storeWith(temperatures(1500, { tags: ['loose'] }), 500);
    await keepResults(before, 1500);
    await before.indexes.create(wanted);
    const cutOff = expect(before.indexes.delete('org', wanted.collection, 'temp')).rejects.toMatchObject({
      code: 'unavailable',
    });
    const store = await startAgain();
    await cutOff;
    expect(await store.indexes.list('org', wanted.collection)).toEqual([]);
    await Promise.all([store.takeUpIndexes(() => undefined), store.indexes.create(wanted)]);
    expect(await store.indexes.list('org', wanted.collection)).toHaveLength(1);
    const database = await SqliteDatabase.openForReading(store.databasePath);
    const count = (table: string) => database.get(`SELECT count(*) AS count FROM ${table}`)!['count'];
    expect(tables.map(count)).toEqual([1, 1500]);
    await database.close();
  });
});
