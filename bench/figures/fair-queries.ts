import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient, ConnectError, Code } from '@connectrpc/connect';
import { serialize } from 'bson';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import type { Figure } from '../figure.ts';
import { quantile } from '../quantile.ts';
import { startRealServer, transportOf, type RealServer } from '../real-server.ts';
import { uploadReadings } from '../upload-readings.ts';

const burningOrganizations = 3;
const queriesOfEach = 4;
const readingsOfEach = 20_000;
const honestQueries = 60;
const betweenMs = 500;

/** A pattern that backtracks for the length of a query's deadline. */
const burning = [{ $limit: 1 }, { $match: { $expr: { $regexMatch: { input: 'a'.repeat(40), regex: '^(a+)+b$' } } } }];
const honest = [
  { $group: { _id: '$data.readings.state', temperature: { $avg: '$data.readings.temperature' } } },
  { $sort: { _id: 1 } },
];

export const figure: Figure = {
  title: `a query of one organization, while ${burningOrganizations} others ask ${queriesOfEach} endless ones each, all the time`,
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-fair-'));
    const server = await startRealServer(root, folder);
    const askers: Asker[] = [];
    for (let n = 0; n <= burningOrganizations; n++) askers.push(await newOrganization(root, folder, server, n));
    const [quiet, ...others] = askers as [Asker, ...Asker[]];
    const isOver = new AbortController();
    try {
      for (const asker of askers) await uploadReadings(asker, readingsOfEach);
      const ask = async (): Promise<number> => {
        const startMs = performance.now();
        await quiet.ask(honest, AbortSignal.timeout(60_000));
        return performance.now() - startMs;
      };
      await ask();
      const aloneMs = await ask();
      const burn = others.flatMap((other) =>
        Array.from({ length: queriesOfEach }, () => burnUntil(other, isOver.signal)),
      );
      const [times, health]: [number[], number[]] = [[], []];
      let refused = 0;
      for (let n = 0; n < honestQueries; n++) {
        await setTimeout(betweenMs);
        const startMs = performance.now();
        await (await fetch(new URL('/healthz', server.url))).text();
        health.push(performance.now() - startMs);
        const askedMs = performance.now();
        await ask().catch((error: unknown) => {
          refused++;
          note(`refused after ${((performance.now() - askedMs) / 1000).toFixed(1)} s: ${String(error)}`);
        });
        times.push(performance.now() - askedMs);
      }
      isOver.abort();
      await Promise.all(burn);
      note(`alone ${aloneMs.toFixed(0)} ms; beside ${times.map((ms) => (ms / 1000).toFixed(1)).join(' ')} s`);
      note(
        `p50 ${quantile(times, 0.5).toFixed(0)} ms, p90 ${quantile(times, 0.9).toFixed(0)} ms; /healthz p99 ${quantile(health, 0.99).toFixed(0)} ms`,
      );
      return [
        { name: 'the slowest answer of the honest organization', value: Math.max(...times), unit: 'ms', atMost: 3000 },
        { name: 'its queries that were refused', value: refused, unit: '', atMost: 0 },
        { name: '/healthz meanwhile, at most', value: Math.max(...health), unit: 'ms' },
      ];
    } finally {
      isOver.abort();
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

type Asker = Pick<RealServer, 'transport' | 'partId'> & {
  readonly ask: (stages: readonly object[], signal: AbortSignal) => Promise<void>;
};

async function newOrganization(root: string, folder: string, { url }: RealServer, n: number): Promise<Asker> {
  const tell = async (...args: readonly string[]): Promise<Record<string, string>> => {
    const argv = [`${root}bin/sightglass.js`, ...args, '--data', folder];
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const { organization } = await tell('orgs', 'create', `Organization ${n}`);
  const of = ['--org', organization!];
  const { part } = await tell('parts', 'create', 'part', ...of);
  const { key, secret } = await tell('keys', 'create', 'key', ...of);
  const transport = await transportOf(url, key!, secret!);
  const client = createClient(DataService, transport);
  return {
    partId: part!,
    transport,
    async ask(stages, signal) {
      const mqlBinary = stages.map((stage) => serialize(stage));
      await client.tabularDataByMQL({ organizationId: organization!, mqlBinary }, { signal });
    },
  };
}

async function burnUntil({ ask }: Asker, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await ask(burning, signal).catch(async (error: unknown) => {
      const { code } = ConnectError.from(error);
      if (code === Code.ResourceExhausted || code === Code.DeadlineExceeded || code === Code.Canceled) return;
      throw error;
    });
  }
}
