import { setTimeout } from 'node:timers/promises';
import type { Transport } from '@connectrpc/connect';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { memoryDataStore } from '../../tests/memory-store/memory-data-store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../../tests/postgres/postgres-server.ts';
import { startVersitygw, versitygw, type TestS3 } from '../../tests/s3/versitygw.ts';
import { timedCalls } from '../at-a-time.ts';
import { familyCpuMs, processCpuMs } from '../cpu-time.ts';
import { median, type BenchTools, type Figure, type Measurement } from '../figure.ts';
import { fillTabular } from '../pages/page-cost-rows.ts';
import { quantile } from '../quantile.ts';
import { startRealServer, type RealServer, type SharedPlace } from '../real-server.ts';
import { callsOf, clients, load, seconds, type Kinds } from './mixed-load.ts';

const rowCount = 100_000;
const atATime = 16;
const callsEach = 480;
/** the measured calls of mixed-load.ts: uploads of 20 readings and of a picture of 50 KB, and a page of 50 readings */
const measuredCalls = ['uploads readings', 'uploads a picture', 'reads readings'];
const cores = 2;
const [killedAfterMs, restartedAfterMs] = [seconds * 300, seconds * 500];

export const figure: Figure = {
  title: `one and two hosts over one PostgreSQL and one bucket; ${clients} clients of both, while one is killed and started again`,
  limitMinutes: 15,
  async measure(tools) {
    if (!hasPostgres || versitygw === null) {
      tools.note('left out: there is no PostgreSQL or no versitygw here');
      return [];
    }
    // as it is installed: commits wait for the disk
    const postgres = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' });
    const s3 = await startVersitygw();
    const hosts: RealServer[] = [];
    try {
      const { url } = await postgres.createDatabase();
      const place = placeOf(url, s3);
      hosts.push(await startRealServer(tools.root, place));
      await fill(url, hosts[0]!);
      hosts.push(await startRealServer(tools.root, place, hosts[0]!));
      const growth = await callsOfHosts(hosts, { postgres, s3, tools });
      return [...growth, ...(await mixedWhileOneIsKilled(hosts, place, tools))];
    } finally {
      await Promise.all(hosts.map((host) => host.close()));
      await s3.close();
      await postgres.stop();
    }
  },
};

function placeOf(databaseUrl: string, { place, credentials }: TestS3): SharedPlace {
  return {
    args: ['--blobs', `s3://${place.bucket}?endpoint=${place.endpoint}`],
    environment: {
      SIGHTGLASS_DATABASE: databaseUrl,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  };
}

async function fill(url: string, { organizationId, partId }: RealServer): Promise<void> {
  const store = await openPostgresDataStore(url, memoryDataStore({ now: () => 0 }).blobs);
  await fillTabular(store, rowCount, { organizationId, partId });
  await store.close();
  const database = new PostgresDatabase(url, { connections: 1 });
  await database.rows('VACUUM ANALYZE'); // as the server does by itself within a minute
  await database.close();
}

interface Machines {
  readonly postgres: PostgresServer;
  readonly s3: TestS3;
  readonly tools: BenchTools;
}

/** What one host and two take a second, and the processor time of a call on each machine, by which a fleet can be reckoned. */
async function callsOfHosts(hosts: readonly RealServer[], { postgres, s3, tools }: Machines): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const kinds = await Promise.all(hosts.map(callsOf));
  for (const name of measuredCalls) {
    tools.at(name);
    const speeds: number[] = [];
    for (const used of [hosts.slice(0, 1), hosts]) {
      // the hosts in turn
      const call = (number: number) => kinds[number % used.length]![name]!();
      await timedCalls(atATime * 4, atATime, call); // warm-up
      const cpuMs = () =>
        Promise.all([
          Promise.all(used.map(({ pid }) => processCpuMs(pid))).then((all) => all.reduce((sum, ms) => sum + ms, 0)),
          familyCpuMs(postgres.pid()),
          familyCpuMs(s3.pid),
          processCpuMs(process.pid),
        ]);
      const before = await cpuMs();
      const perSecond = (1000 * callsEach) / (await timedCalls(callsEach, atATime, call));
      const after = await cpuMs();
      const [host, database, bucket, caller] = after.map((ms, at) => (ms - before[at]!) / callsEach);
      speeds.push(perSecond);
      const each = [host, database, bucket, caller].map((ms) => ms!.toFixed(2)).join(', ');
      tools.note(
        `${name}, ${used.length === 1 ? 'one host' : 'two hosts'}: ${perSecond.toFixed(0)} a second; ms of processor a call on host, database, bucket, caller: ${each}`,
      );
      if (used.length > 1) continue;
      // One thread of a host makes the answers; all that is on this computer shares its cores.
      const foretold = Math.min(1000 / host!, (1000 * cores) / (host! + database! + bucket! + caller!));
      measurements.push({
        name: `${name}: one host over what its processor times foretell`,
        value: perSecond / foretold,
        unit: '×',
      });
    }
    measurements.push({
      name: `${name}: two hosts over one, on ${cores} cores`,
      value: speeds[1]! / speeds[0]!,
      unit: '×',
    });
  }
  return measurements;
}

async function mixedWhileOneIsKilled(
  hosts: RealServer[],
  place: SharedPlace,
  { root, note, at }: BenchTools,
): Promise<Measurement[]> {
  at('mixed clients');
  const [first] = hosts as [RealServer];
  // As a balancer does: to each host in turn, and no more to one that does not answer.
  let turn = 0;
  const next = (): RealServer => hosts[turn++ % hosts.length]!;
  const transport: Transport = {
    unary: (...call) => next().transport.unary(...call),
    stream: (...call) => next().transport.stream(...call),
  };
  const { organizationId, partId, keyId, key } = first;
  const calls = await callsOf({
    transport,
    organizationId,
    partId,
    keyId,
    key,
    get url() {
      return next().url;
    },
  });
  let repeated = 0;
  const repeatedly = Object.entries(calls).map(([name, call]) => [
    name,
    () =>
      call().catch((error: unknown) => {
        if (hosts.length > 1) throw error;
        repeated++; // the call went to the host that ended: a client sends it again
        return call();
      }),
  ]);
  for (const call of Object.values(calls)) await call(); // warm-up
  const change = async (): Promise<void> => {
    await setTimeout(killedAfterMs);
    const lost = hosts.pop()!;
    await lost.kill();
    await setTimeout(restartedAfterMs - killedAfterMs);
    hosts.push(await startRealServer(root, place, first));
  };
  let isOver = false;
  const healthTimes = watchHealth(first, () => isOver);
  const [{ times, errors }] = await Promise.all([load(Object.fromEntries(repeatedly) as Kinds), change()]);
  isOver = true;
  const all = Object.values(times).flat();
  const [p50, p99] = [median(all), quantile(all, 0.99)];
  note(
    `${all.length} calls, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, ${repeated} sent again, ${errors.length} errors`,
  );
  for (const [kind, ofKind] of Object.entries(times)) {
    note(`${kind}: p50 ${median(ofKind).toFixed(1)} ms, p99 ${quantile(ofKind, 0.99).toFixed(0)} ms`);
  }
  for (const error of new Set(errors.map((text) => text.replace(/\d+/g, '…')))) note(error);
  return [
    { name: 'p99 of the calls over their p50', value: p99 / p50, unit: '×', atMost: 10 },
    { name: 'calls that failed', value: errors.length, unit: '', atMost: 0 },
    { name: 'longest answer of /healthz meanwhile', value: Math.max(...(await healthTimes)), unit: 'ms', atMost: 100 },
  ];
}

/** How long answers of /healthz take, twenty times a second. */
async function watchHealth({ url }: RealServer, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const startMs = performance.now();
    const answer = await fetch(`${url}healthz`);
    await answer.text();
    times.push(performance.now() - startMs);
    await setTimeout(50);
  }
  return times;
}
