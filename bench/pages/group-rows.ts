import { deserialize, serialize } from 'bson';
import { Aggregator } from 'mingo';
import type { AnyObject } from 'mingo/types';
import type { TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import type { QueryRunner } from '../../src/data-service/ports/query-runner.ts';
import { defaultQueryLimits } from '../../src/data-service/query/query-limits.ts';
import { readingDocuments } from '../../src/data-service/query/reading-document.ts';

export interface GroupTimes {
  readonly windowRows: number;
  /** ms of the service's query; `mingo`: ms of mingo on an array of the window's documents */
  readonly queries: readonly number[];
  readonly peers: readonly number[];
}

const day = 24 * 60 * 60 * 1_000_000;
const start = Date.UTC(2026, 0, 1) * 1000;
const rowCount = 100_000;
const rowsAnUpload = 500;

/** Readings of two sensors over `days` days. The second one has one reading for every ten of the first. */
function rowAt(index: number, days: number): TabularRow {
  const time = start + Math.floor((index * days * day) / rowCount);
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    organizationId: 'org',
    locationId: 'loc',
    robotId: 'robot',
    robotName: 'rover',
    partId: 'part',
    partName: 'rover-main',
    componentType: 'rdk:component:sensor',
    methodName: 'Readings',
    componentName: index % 11 === 10 ? 'other' : 'oven',
    methodParameters: {},
    internal: false,
    additionalParameters: '',
    sizeBytes: 80,
    tags: [],
    timeRequested: time,
    timeReceived: time,
    timeSynced: time,
    payload: {
      readings: {
        temp: 20 + ((index * 7919) % 1000) / 37,
        humidity: (index * 31) % 90,
        n: index,
        state: ['on', 'off', 'idle'][index % 3]!,
        ok: index % 5 > 0,
      },
    },
  };
}

export async function fillReadings({ tabular }: DataStore, days: number): Promise<void> {
  for (let first = 0; first < rowCount; first += rowsAnUpload) {
    const rows = Array.from({ length: rowsAnUpload }, (_, index) => rowAt(first + index, days));
    const uploadId = `upload-${first}`;
    const receipt = { organizationId: 'org', uploadId, fromClient: false, fileId: uploadId, binaryDataId: '' };
    await tabular.insert(rows, { ...receipt, timeSynced: first });
  }
}

const group = {
  $group: {
    _id: '$data.readings.state',
    n: { $sum: 1 },
    mean: { $avg: '$data.readings.temp' },
    top: { $max: '$data.readings.temp' },
    least: { $min: '$data.readings.humidity' },
  },
};

/** Groups the oven's readings of three days in the middle of the data, and does the same with mingo on exactly those rows. */
export async function groupTimes(runner: QueryRunner, days: number, rounds: number): Promise<GroupTimes> {
  const from = start + Math.floor((days - 3) / 2) * day;
  const window = { $gte: new Date(from / 1000), $lt: new Date((from + 3 * day) / 1000) };
  const stages = [{ $match: { component_name: 'oven', time_requested: window } }, group].map((one) => serialize(one));
  const source = { kind: 'readings', interval: { start: null, end: null } } as const;
  const query = { organizationId: 'org', source, stages };
  const documents = Array.from({ length: rowCount }, (_, index) => rowAt(index, days))
    .filter(
      ({ componentName, timeRequested }) =>
        componentName === 'oven' && timeRequested >= from && timeRequested < from + 3 * day,
    )
    .map(readingDocuments(null)) as AnyObject[];

  const queries: number[] = [];
  const peers: number[] = [];
  for (let round = -2; round < rounds; round++) {
    let startMs = performance.now();
    const asker = { organizationId: query.organizationId, keyId: null, isPipeline: false };
    const answer = await runner.run(query, asker, defaultQueryLimits, new AbortController().signal);
    const queryMs = performance.now() - startMs;
    startMs = performance.now();
    const expected = new Aggregator([group]).run(documents);
    const peerMs = performance.now() - startMs;
    const found = JSON.stringify(answer.map((row) => deserialize(row)));
    if (found !== JSON.stringify(expected)) throw new Error(`The answers differ: ${found}`);
    if (round < 0) continue; // warm-up
    queries.push(queryMs);
    peers.push(peerMs);
  }
  return { windowRows: documents.length, queries, peers };
}
