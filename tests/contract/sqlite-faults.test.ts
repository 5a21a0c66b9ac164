import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serialize } from 'node:v8';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  anonymousReceipt,
  binaryFilter,
  binaryRecord,
  clientReceipt,
  idsOf,
  scanOf,
  tabularFilter,
  tabularRow,
} from './data-store/captures.ts';
import { unpacked } from './data-store/unpacked.ts';
import { auditFilter } from './data-store/audit.ts';
import { addEntriesOfParts, entriesOfParts, tablesWithParts, withoutPart } from './entries-of-parts.ts';
import { testClock } from './data-store/blobs.ts';
import type { TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import { readBlob } from '../read-blob.ts';
import { packRows, payloadText } from '../../src/data-service/ports/packed-readings.ts';
import { splitCapture, streamKey } from '../../src/platform/data-store/capture-stream.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { migrations } from '../../src/platform/node/sqlite-data-store/schema.ts';
import { SqliteDatabase } from '../../src/platform/node/sqlite-data-store/sqlite-database.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-sqlite-'));
});
afterEach(() => rm(folder, { recursive: true }));

const databasePath = (): string => join(folder, 'sightglass.db');
const open = () => openSqliteDataStore(folder, testClock);

function addToVersion2(database: DatabaseSync, row: TabularRow): void {
  const { stream, entry } = splitCapture(row);
  database
    .prepare("INSERT OR IGNORE INTO streams (collection, key) VALUES ('tabular_captures', ?)")
    .run(streamKey(stream));
  const { id } = database.prepare('SELECT id FROM streams WHERE key = ?').get(streamKey(stream)) as { id: number };
  const text = payloadText(row.payload);
  const columns = '(id, organization_id, stream, time, size, time_synced, entry, payload)';
  const { lastInsertRowid } = database
    .prepare(`INSERT INTO tabular_captures ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      row.id,
      row.organizationId,
      id,
      row.timeRequested,
      row.sizeBytes,
      row.timeSynced,
      serialize(text === null ? entry : { ...entry, payload: undefined }),
      text,
    );
  for (const tag of row.tags) {
    database
      .prepare('INSERT INTO tabular_captures_marks VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, `t${tag}`, row.timeRequested, row.id, lastInsertRowid, row.sizeBytes);
  }
}

function dropTriggers(database: DatabaseSync): void {
  const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
}

describe('the schema', () => {
  it('of a newer version is refused in words, and left alone', async () => {
    await (await open()).close();
    const newer = new DatabaseSync(databasePath());
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    const message = expect.stringMatching(/newer version of Sightglass \(schema \d+; this one knows \d+\)/);
    await expect(open()).rejects.toMatchObject({ name: 'StoreError', code: 'unsupported', message });
    expect(newer.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length + 1 });
    newer.close();
  });

  it('of version 1 is brought up to date, its readings as they were', async () => {
    const row = tabularRow('a', { payload: { readings: { temp: 20.5, odd: Number.NaN } } });
    const { stream, entry } = splitCapture(row);
    const older = new DatabaseSync(databasePath());
    older.exec(`${migrations[0]!}; PRAGMA user_version = 1`);
    older.prepare("INSERT INTO streams VALUES (1, 'tabular_captures', ?)").run(streamKey(stream));
    const columns = '(id, organization_id, stream, time, size, time_synced, entry)';
    older
      .prepare(`INSERT INTO tabular_captures ${columns} VALUES (?, ?, 1, ?, ?, ?, ?)`)
      .run(row.id, row.organizationId, row.timeRequested, row.sizeBytes, row.timeSynced, serialize(entry));
    older.close();

    const store = await open();
    const scan = scanOf(tabularFilter());
    expect(await store.tabular.page(scan)).toEqual([row]);
    expect(unpacked(await store.tabular.packedPage(scan, []))).toEqual(unpacked(packRows([row])));
    await store.tabular.insert([tabularRow('b', { timeRequested: row.timeRequested + 1 })], anonymousReceipt());
    expect(idsOf(await store.tabular.page(scan))).toEqual(['a', 'b']);
    await store.close();
  });

  it('of version 2 is packed step by step, and answers the same after each, also where its host died there', async () => {
    const rows = Array.from({ length: 40 }, (_, n) =>
      tabularRow(`row-${String(n).padStart(6, '0')}`, {
        timeRequested: (n * 7) % 40,
        timeSynced: n,
        componentName: n % 4 ? 'oven' : 'fridge',
        payload: { readings: { n, odd: n % 9 ? n / 8 : Number.NaN } },
        tags: n % 10 ? [] : ['kept'],
      }),
    );
    const older = new DatabaseSync(databasePath());
    older.exec(`${migrations[0]!}; ${migrations[1]!}; PRAGMA user_version = 2`);
    for (const row of rows) addToVersion2(older, row);
    older.close();

    const expected = rows.toSorted((a, b) => a.timeRequested - b.timeRequested);
    const packedCount = (path: string): number => {
      const database = new DatabaseSync(path, { readOnly: true });
      const { count } = database.prepare('SELECT total(count) AS count FROM reading_sheets').get() as { count: number };
      database.close();
      return count;
    };
    const store = await openSqliteDataStore(folder, testClock, 5);
    const copies = new Map<number, string>();
    for (let turns = 0; packedCount(databasePath()) < 30; turns++) {
      expect(turns).toBeLessThan(10_000);
      const packed = packedCount(databasePath());
      if (!copies.has(packed)) {
        const copy = mkdtempSync(join(tmpdir(), 'sightglass-died-'));
        for (const end of ['', '-wal']) copyFileSync(databasePath() + end, join(copy, `sightglass.db${end}`));
        copies.set(packed, copy);
      }
      await setImmediate();
    }
    expect(copies.size).toBeGreaterThan(3);
    for (const copy of copies.values()) {
      const again = await openSqliteDataStore(copy, testClock, 1000);
      expect(await again.tabular.page(scanOf(tabularFilter()))).toEqual(expected);
      expect(await again.tabular.summarize(tabularFilter())).toEqual(await store.tabular.summarize(tabularFilter()));
      expect(idsOf(await again.tabular.page(scanOf(tabularFilter({ tags: ['kept'] }))))).toHaveLength(4);
      expect(await again.usage.of(['org'])).toMatchObject([{ readings: { count: 40, totalSizeBytes: 400 } }]);
      await again.close();
      await rm(copy, { recursive: true });
    }
    expect(await store.tabular.page(scanOf(tabularFilter()))).toEqual(expected);
    expect(idsOf(await store.tabular.arrivals('org', { timeSynced: -1, id: '' }, 100))).toEqual(idsOf(rows));
    await store.close();
  });

  it('without counts of what organizations store is counted: files, readings, and those in sheets', async () => {
    const store = await openSqliteDataStore(folder, testClock, 10);
    for (const organizationId of ['org', 'other']) {
      const files = [1, 2].map((n) => binaryRecord(`${organizationId}-${n}`, { organizationId, sizeBytes: n }));
      await store.binary.insert(files, anonymousReceipt());
      const rows = Array.from({ length: 23 }, (_, n) =>
        tabularRow(`${organizationId}-${n}`, { organizationId, timeRequested: n, tags: n % 5 ? [] : ['t'] }),
      );
      await store.tabular.insert(rows, anonymousReceipt());
    }
    await store.tabular.delete(tabularFilter({ interval: { start: null, end: 4 } }), 100);
    const counted = await store.usage.of(['org', 'other', 'nobody']);
    await store.close();
    const before = migrations.findIndex((sql) => sql.includes('CREATE TABLE usage'));
    const older = new DatabaseSync(databasePath());
    expect(older.prepare('SELECT total(count) AS count FROM reading_sheets').get()).not.toEqual({ count: 0 });
    const newer = Array.from(
      migrations
        .slice(before)
        .join()
        .matchAll(/CREATE TABLE (\w+)/g),
      ([, table]) => table!,
    );
    dropTriggers(older);
    // the last first: it may refer to others
    older.exec(
      newer
        .toReversed()
        .map((table) => `DROP TABLE ${table};`)
        .join(''),
    );
    older.exec(`PRAGMA user_version = ${before}`);
    older.close();
    const again = await open();
    expect(await again.usage.of(['org', 'other', 'nobody'])).toEqual(counted);
    expect(counted.map(({ readings }) => readings.count)).toEqual([19, 23, 0]);
    await again.close();
  });

  it.each(Array.from(migrations, (_, version) => version))(
    'of version %d is brought up to date, and knows from then on who changed what',
    async (version) => {
      const older = new DatabaseSync(databasePath());
      older.exec(`${migrations.slice(0, version).join(';')}; PRAGMA user_version = ${version}`);
      older.close();
      const store = await open();
      await store.access.createOrganization({ id: 'org', name: 'Org', timeCreated: 1 });
      expect(await store.audit.page(auditFilter(), null, 10)).toMatchObject([
        { what: 'organization', objectId: 'org' },
      ]);
      await store.close();
    },
  );

  it('of a version without parts is brought up to date: a task is of the part of its image, all else of all parts', async () => {
    const store = await open();
    await addEntriesOfParts(store);
    const wanted = await entriesOfParts(store);
    await store.close();
    expect([wanted.tasks.length, wanted.ofArm.length]).toEqual([1003, 501]);
    const older = new DatabaseSync(databasePath());
    older.function('without_part', (entry) => withoutPart(entry));
    for (const table of tablesWithParts) older.exec(`UPDATE ${table} SET entry = without_part(entry)`);
    const version = migrations.findIndex((sql) => sql.includes('ADD COLUMN part_id'));
    dropTriggers(older);
    for (const column of ['labelling_count', 'labelling_bytes']) older.exec(`ALTER TABLE usage DROP COLUMN ${column}`);
    older.exec(
      'DROP TABLE deletions; DROP INDEX label_tasks_by_assignee_image; ALTER TABLE label_tasks DROP COLUMN is_blind',
    );
    older.exec(`ALTER TABLE label_tasks DROP COLUMN part_id; PRAGMA user_version = ${version}`);
    older.close();
    const again = await open();
    expect(await entriesOfParts(again)).toEqual(wanted);
    await again.close();
  });

  it('is made once by many who open an empty folder at the same time', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await stores[0].binary.insert([binaryRecord('a')], anonymousReceipt());
    expect(await stores[2].binary.summarize(binaryFilter())).toMatchObject({ count: 1 });
    await Promise.all(stores.map((store) => store.close()));
  });

  it.each([
    ['a stream', 'binary_captures WHERE stream = 1'],
    ['a mark', "binary_captures_marks WHERE stream = 1 AND mark = 't'"],
    ['an organization', "tabular_captures WHERE organization_id = 'o'"],
  ])('answers a page of %s by a range of an index, without sorting', async (_, source) => {
    await (await open()).close();
    const database = new DatabaseSync(databasePath());
    for (const direction of ['ASC', 'DESC']) {
      const plan = database
        .prepare(
          `EXPLAIN QUERY PLAN SELECT * FROM ${source} AND (time, id) > (1, 'a') AND (time, id) < (2, 'b')
           ORDER BY time ${direction}, id ${direction} LIMIT 50`,
        )
        .all();
      expect(plan).toHaveLength(1);
      expect(plan[0]!['detail']).toMatch(/^SEARCH .* \(time,id\)>\(\?,\?\) AND \(time,id\)<\(\?,\?\)\)$/);
    }
    database.close();
  });
});

describe('faults', () => {
  it('a full disk is resource-exhausted, and keeps nothing of the call', async () => {
    const database = await SqliteDatabase.open(join(folder, 'small.db'));
    const pages = database.get('PRAGMA page_count')!['page_count'] as number;
    database.get(`PRAGMA max_page_count = ${pages + 4}`);
    const insert = (key: string, bytes: number) =>
      database.write(() => database.run('INSERT INTO sinks VALUES (?, ?, ?)', 'p', key, new Uint8Array(bytes)));
    await insert('fits', 100);
    const refused = database.write(() => {
      database.run('INSERT INTO sinks VALUES (?, ?, ?)', 'p', 'half', new Uint8Array(100));
      database.run('INSERT INTO sinks VALUES (?, ?, ?)', 'p', 'too large', new Uint8Array(1_000_000));
    });
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'resource-exhausted' });
    expect(database.all('SELECT key FROM sinks')).toEqual([{ key: 'fits' }]);
    await insert('after', 100);
    await database.close();
  });

  it('a count cannot write', async () => {
    const database = await SqliteDatabase.open(join(folder, 'read.db'));
    const counts = database.readSlowly(function* (reader) {
      yield;
      reader.run('INSERT INTO sinks VALUES (?, ?, ?)', 'p', 'key', new Uint8Array(1));
    });
    await expect(counts).rejects.toThrow(/readonly/);
    await database.close();
  });

  it('a write waits for another process that has the lock', async () => {
    const store = await open();
    const other = new DatabaseSync(databasePath());
    other.exec('BEGIN IMMEDIATE');
    const insert = store.binary.insert([binaryRecord('a')], anonymousReceipt());
    for (let turn = 0; turn < 3; turn++) await setImmediate(); // after this the write waits for the lock
    expect(await store.binary.page(scanOf(binaryFilter()))).toEqual([]); // reads are not blocked
    other.exec('ROLLBACK');
    await insert;
    expect(idsOf(await store.binary.page(scanOf(binaryFilter())))).toEqual(['a']);
    other.close();
    await store.close();
  });

  it('a stream added by an undone write is not remembered', async () => {
    const store = await open();
    const twice = [binaryRecord('a', { partId: 'new' }), binaryRecord('a', { partId: 'new' })];
    await expect(store.binary.insert(twice, anonymousReceipt())).rejects.toThrow(/UNIQUE/);
    await store.binary.insert([binaryRecord('b', { partId: 'other' })], anonymousReceipt());
    await store.binary.insert([binaryRecord('c', { partId: 'new' })], anonymousReceipt());
    expect(idsOf(await store.binary.page(scanOf(binaryFilter({ partId: 'new' }))))).toEqual(['c']);
    expect(idsOf(await store.binary.page(scanOf(binaryFilter({ partId: 'other' }))))).toEqual(['b']);
    await store.close();
  });

  it(
    'what two processes acknowledged is there after they are killed, whole, and the sweep finds the rest',
    { timeout: 60_000 },
    async () => {
      const acknowledged = (await Promise.all(['first', 'second'].map(writeUntilKilled))).flat();
      expect(acknowledged.length).toBeGreaterThan(200);

      const store = await open();
      const records = await store.binary.get('org', acknowledged);
      expect(records).not.toContain(null);
      for (const record of records) {
        const text: number[] = [];
        for await (const chunk of readBlob(store.blobs, record!.blobAddress, null)) text.push(...chunk);
        expect(Buffer.from(text).toString()).toBe(`content of ${record!.id}`.repeat(500));
        const again = store.binary.insert([], clientReceipt(record!.id));
        await expect(again).rejects.toMatchObject({ code: 'already-exists' });
      }
      const listed: string[] = [];
      for await (const { address } of store.blobs.list()) listed.push(address);
      const orphans = await store.binary.unownedBlobs(listed);
      for (const address of orphans) await store.blobs.delete(address);
      const { count } = await store.binary.summarize(binaryFilter());
      expect(listed.length - orphans.length).toBe(count); // no row without its blob
      let left = 0;
      for await (const _ of store.blobs.list()) left++;
      expect(left).toBe(count);
      expect((await store.usage.of(['org']))[0]!.files).toEqual(await store.binary.summarize(binaryFilter()));
      await store.close();
    },
  );
});

/** Kills a process during its uploads; returns the uploads that it had acknowledged. */
async function writeUntilKilled(prefix: string): Promise<string[]> {
  const script = fileURLToPath(new URL('./data-store/endless-writer.ts', import.meta.url));
  const writer = spawn(process.execPath, [script, folder, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(writer, 'exit');
  const acknowledged: string[] = [];
  let rest = '';
  for await (const chunk of writer.stdout) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    acknowledged.push(...lines);
    if (acknowledged.length > 100) writer.kill('SIGKILL');
  }
  await exit;
  return acknowledged;
}
