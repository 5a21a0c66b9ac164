import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { serialize } from 'bson';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import type { Figure, Measurement } from '../figure.ts';
import { startRealServer, type RealServer } from '../real-server.ts';
import { sensorValues } from '../sensor-rows.ts';

const rowCount = 1_000_000;
const rowsAnUpload = 1000;
const probes = 200;
const betweenProbesMs = 20;
/** Hundredths of a second, https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const ticksPerSecond = 100;

/** Each reads all readings and holds most of them. */
const slowQuery = [
  { $addFields: { text: { $toString: '$data.readings.humidity' } } },
  { $group: { _id: '$data.readings.temperature', texts: { $push: '$text' } } },
  { $count: 'n' },
].map((stage) => serialize(stage));
const oneReading = [serialize({ $limit: 1 })];

export const figure: Figure = {
  title: `a server that keeps ${rowCount.toLocaleString('en')} readings, asked for small things while queries read all of them`,
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-querying-'));
    const server = await startRealServer(root, folder);
    try {
      const ingest = await upload(server);
      return [ingest, ...(await whileQuerying(server, note))];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

async function upload({ transport, partId, pid }: RealServer): Promise<Measurement> {
  const client = createClient(DataSyncService, transport);
  const startMs = Date.now() - rowCount * 100;
  const before = await cpuSeconds(pid);
  for (let first = 0; first < rowCount; first += rowsAnUpload) {
    await client.dataCaptureUpload({
      metadata: { partId, type: DataType.TABULAR_SENSOR, componentName: 'probe', methodName: 'Readings' },
      sensorContents: Array.from({ length: rowsAnUpload }, (_, index) => ({
        metadata: { timeRequested: timestampFromMs(startMs + (first + index) * 100) },
        data: { case: 'struct', value: { readings: sensorValues(first + index) } },
      })),
    });
  }
  const perSecond = rowCount / ((await cpuSeconds(pid)) - before);
  return { name: 'readings uploaded a CPU-second of the server', value: perSecond, unit: '/s', atLeast: 20_000 };
}

/** What a process has taken so far, with all of its threads. */
async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function whileQuerying(
  { transport, organizationId, url }: RealServer,
  note: (text: string) => void,
): Promise<Measurement[]> {
  const client = createClient(DataService, transport);
  const ask = (mqlBinary: Uint8Array[]) => client.tabularDataByMQL({ organizationId, mqlBinary });
  const health = async () => void (await (await fetch(new URL('/healthz', url))).text());
  await Promise.all([ask(slowQuery), ask(oneReading), health()]); // starts the workers
  let isOver = false;
  let answered = 0;
  const keepAsking = async (): Promise<void> => {
    for (; !isOver; answered++) await ask(slowQuery);
  };
  const asking = keepAsking();
  const times: Record<'health' | 'one', number[]> = { health: [], one: [] };
  for (let probe = 0; probe < probes; probe++) {
    times.health.push(await timeOf(health));
    times.one.push(await timeOf(() => ask(oneReading)));
    await setTimeout(betweenProbesMs);
  }
  isOver = true;
  await asking;
  const middle = (name: keyof typeof times): string => `${percentile(times[name], 50).toFixed(1)} ms`;
  note(`${answered} queries over all meanwhile; p50 ${middle('health')} of /healthz, ${middle('one')} of $limit: 1`);
  return [
    { name: '/healthz meanwhile, p99', value: percentile(times.health, 99), unit: 'ms', atMost: 100 },
    { name: '$limit: 1 meanwhile, p99', value: percentile(times.one, 99), unit: 'ms', atMost: 100 },
  ];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const percentile = (times: readonly number[], percent: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil((times.length * percent) / 100) - 1]!;
