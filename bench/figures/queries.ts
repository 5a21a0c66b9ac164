import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fromJson, toBinary } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { serialize } from 'bson';
import { everythingOf } from '../../src/data-service/ports/capture-filter.ts';
import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { defaultQueryLimits } from '../../src/data-service/query/query-limits.ts';
import { allReadings } from '../../src/data-service/query/query-sources.ts';
import { nodeQueryWorkers } from '../../src/platform/node/query-worker.ts';
import {
  openSqliteDataStore,
  type OpenDataStore,
} from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';
import { organizationId, sensorRows } from '../sensor-rows.ts';

const rowCount = 1_000_000;
const rowsAnUpload = 1000;
const rounds = 7;

/** A query of the service, the same query in plain SQLite on rows (time, component, data), and the allowed ratio of their times. */
const questions = [
  { name: 'COUNT(*)', stages: [{ $count: 'n' }], sql: 'SELECT count(*) FROM plain', atMost: 3 },
  {
    name: 'GROUP BY over all, of SQLite’s JSON',
    stages: [
      {
        $group: {
          _id: '$component_name',
          n: { $sum: 1 },
          mean: { $avg: '$data.readings.temperature' },
          top: { $max: '$data.readings.humidity' },
        },
      },
    ],
    sql: `SELECT component, count(*), avg(data ->> '$.readings.temperature'), max(data ->> '$.readings.humidity')
      FROM plain GROUP BY component`,
    atMost: 1.5,
  },
  {
    name: 'ORDER BY … LIMIT 10',
    stages: [{ $sort: { 'data.readings.humidity': -1 } }, { $limit: 10 }],
    sql: `SELECT * FROM plain ORDER BY data ->> '$.readings.humidity' DESC LIMIT 10`,
    atMost: 3,
  },
] as const;

export const figure: Figure = {
  title: `queries over ${rowCount.toLocaleString('en')} readings in SQLite against plain SQLite over the same rows`,
  async measure({ note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-queries-'));
    const clock = { now: () => Date.now() * 1000 };
    const store = await openSqliteDataStore(folder, clock);
    const plain = new DatabaseSync(join(folder, 'plain.db'));
    const startWorker = nodeQueryWorkers({ databasePath: store.databasePath });
    const runner = new IsolatedQueryRunner({ rows: null, startWorker, clock, turns: undivided(1) });
    try {
      const cpuMs = await fill(store, plain);
      const measurements = [ingest(cpuMs), await bytesOnDisk(store, note)];
      for (const question of questions) measurements.push(await ratioOf(question, runner, plain, note));
      return [...measurements, await countOnly(store)];
    } finally {
      runner.close();
      plain.close();
      await store.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** CPU time in ms for storing the rows. */
async function fill({ tabular }: OpenDataStore, plain: DatabaseSync): Promise<number> {
  plain.exec('CREATE TABLE plain (time REAL, component TEXT, data TEXT); BEGIN');
  const insert = plain.prepare('INSERT INTO plain VALUES (?, ?, ?)');
  let micros = 0;
  for (let first = 0; first < rowCount; first += rowsAnUpload) {
    const rows = sensorRows(first, rowsAnUpload);
    for (const { timeRequested, componentName, payload } of rows)
      insert.run(timeRequested, componentName, JSON.stringify(payload));
    const uploadId = `upload-${first}`;
    const receipt = { organizationId, uploadId, fromClient: false, fileId: uploadId, binaryDataId: '', timeSynced: 0 };
    const before = process.cpuUsage();
    await tabular.insert(rows, receipt);
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  plain.exec('COMMIT');
  return micros / 1000;
}

const ingest = (cpuMs: number): Measurement => ({
  name: 'readings kept a CPU-second, 1,000 an upload',
  value: (1000 * rowCount) / cpuMs,
  unit: '/s',
  atLeast: 20_000,
});

async function bytesOnDisk({ databasePath }: OpenDataStore, note: (text: string) => void): Promise<Measurement> {
  const wire = sensorRows(0, 1000).reduce((sum, { payload }) => {
    return sum + toBinary(StructSchema, fromJson(StructSchema, JSON.parse(JSON.stringify(payload)))).length;
  }, 0);
  const files = await Promise.all([databasePath, `${databasePath}-wal`].map((path) => stat(path)));
  const bytes = files.reduce((sum, { size }) => sum + size, 0) / rowCount;
  note(`${bytes.toFixed(0)} bytes a reading on the disk, ${(wire / 1000).toFixed(0)} on the wire`);
  return { name: 'bytes a reading, disk over wire', value: bytes / (wire / 1000), unit: '×', atMost: 3 };
}

async function ratioOf(
  { name, stages, sql, atMost }: (typeof questions)[number],
  runner: IsolatedQueryRunner,
  plain: DatabaseSync,
  note: (text: string) => void,
): Promise<Measurement> {
  const query = { organizationId, source: allReadings, stages: stages.map((stage) => serialize(stage)) };
  const asker = { organizationId, keyId: null, isPipeline: false };
  const peer = plain.prepare(sql);
  const [times, peers]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const startMs = performance.now();
    await runner.run(query, asker, defaultQueryLimits, new AbortController().signal);
    const betweenMs = performance.now();
    peer.all();
    const endMs = performance.now();
    if (round < 0) continue; // warm-up
    times.push(betweenMs - startMs);
    peers.push(endMs - betweenMs);
  }
  note(`${name}: ${median(times).toFixed(1)} ms, SQLite ${median(peers).toFixed(1)} ms`);
  return { name: `${name} over plain SQLite`, value: medianRatio(times, peers), unit: '×', atMost };
}

async function countOnly({ tabular }: OpenDataStore): Promise<Measurement> {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++)
    await tabular.summarize({ ...everythingOf(organizationId), additionalParameters: null });
  const { user, system } = process.cpuUsage(before);
  return { name: 'count_only over all, CPU', value: (user + system) / 1000 / rounds, unit: 'ms', atMost: 100 };
}
