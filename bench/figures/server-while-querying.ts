import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { serialize } from 'bson';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { processCpuMs } from '../cpu-time.ts';
import type { Figure, Measurement } from '../figure.ts';
import { startRealServer, type RealServer } from '../real-server.ts';
import { uploadReadings } from '../upload-readings.ts';

const rowCount = 1_000_000;
const probesAQuery = 100;
const betweenProbesMs = 20;

/** Slow queries: each reads all readings, and some keep most of them in memory or evaluate expressions on each. */
const slowQueries = {
  groups: [
    { $addFields: { text: { $toString: '$data.readings.humidity' } } },
    { $group: { _id: '$data.readings.temperature', texts: { $push: '$text' } } },
    { $count: 'n' },
  ],
  patterns: [{ $match: { 'data.readings.state': { $regex: '(r|u|n)+$' } } }, { $count: 'n' }],
  sorting: [{ $sort: { 'data.readings.state': 1, 'data.readings.humidity': -1 } }, { $limit: 20_000 }, { $count: 'n' }],
};
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

async function upload(server: RealServer): Promise<Measurement> {
  const beforeMs = await processCpuMs(server.pid);
  await uploadReadings(server, rowCount);
  const perSecond = (1000 * rowCount) / ((await processCpuMs(server.pid)) - beforeMs);
  return { name: 'readings uploaded a CPU-second of the server', value: perSecond, unit: '/s', atLeast: 20_000 };
}

async function whileQuerying(
  { transport, organizationId, url }: RealServer,
  note: (text: string) => void,
): Promise<Measurement[]> {
  const client = createClient(DataService, transport);
  const ask = async (mqlBinary: Uint8Array[]) => void (await client.tabularDataByMQL({ organizationId, mqlBinary }));
  const health = async () => void (await (await fetch(new URL('/healthz', url))).text());
  await Promise.all([ask(oneReading), ask(oneReading), health()]); // starts the workers
  const all: Times = { health: [], one: [] };
  for (const [name, stages] of Object.entries(slowQueries)) {
    const slow = stages.map((stage) => serialize(stage));
    const { answered, times } = await probeWhile(() => ask(slow), { health, one: () => ask(oneReading) });
    all.health.push(...times.health);
    all.one.push(...times.one);
    const told = (['health', 'one'] as const).map(
      (probe) => `${[50, 99].map((percent) => percentile(times[probe], percent).toFixed(1)).join(' and ')} ms`,
    );
    note(`${answered} × ${name} meanwhile; p50 and p99 ${told[0]} of /healthz, ${told[1]} of $limit: 1`);
  }
  return [
    { name: '/healthz meanwhile, p99', value: percentile(all.health, 99), unit: 'ms', atMost: 100 },
    { name: '$limit: 1 meanwhile, p99', value: percentile(all.one, 99), unit: 'ms', atMost: 100 },
  ];
}

type Probe = 'health' | 'one';
/** milliseconds */
type Times = Record<Probe, number[]>;

/** Measures small requests while the slow query runs repeatedly. Also returns how often the slow query was answered. */
async function probeWhile(
  askSlow: () => Promise<void>,
  probes: Record<Probe, () => Promise<void>>,
): Promise<{ readonly answered: number; readonly times: Times }> {
  let isOver = false;
  let answered = 0;
  const keepAsking = async (): Promise<void> => {
    for (; !isOver; answered++) await askSlow();
  };
  const asking = keepAsking();
  const times: Times = { health: [], one: [] };
  for (let probe = 0; probe < probesAQuery; probe++) {
    times.health.push(await timeOf(probes.health));
    times.one.push(await timeOf(probes.one));
    await setTimeout(betweenProbesMs);
  }
  isOver = true;
  await asking;
  return { answered, times };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const percentile = (times: readonly number[], percent: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil((times.length * percent) / 100) - 1]!;
