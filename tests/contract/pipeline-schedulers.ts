import { deserialize, serialize } from 'bson';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PipelineScheduler } from '../../src/data-service/pipelines/pipeline-scheduler.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import type { PipelineRun } from '../../src/data-service/ports/pipeline-store.ts';
import type { Query } from '../../src/data-service/ports/query-runner.ts';
import { tabularRow, anonymousReceipt } from './data-store/captures.ts';
import type { StoreUnderTest } from './data-store/store-under-test.ts';

const minute = 60 * 1e6;
const hour = 60 * minute;
const startTime = Date.parse('2026-03-11T12:10:00Z') * 1000;
const never = new AbortController().signal;

interface Host {
  readonly store: DataStore;
  readonly scheduler: PipelineScheduler;
}

/** Starts schedulers of several hosts, each with its own connection to one store, and records their queries. */
async function startHosts(
  open: () => Promise<StoreUnderTest>,
  count: number,
  runQuery: (query: Query, host: number) => Promise<readonly Uint8Array[]> = async () => [serialize({ n: 1 })],
) {
  const { store, openAgain, close } = await open();
  onTestFinished(close);
  const time = { now: startTime };
  const asked: string[] = [];
  const defects: unknown[] = [];
  let nextId = 0;
  const hosts: Host[] = [];
  for (let host = 0; host < count; host++) {
    const own = host === 0 ? store : await openAgain!();
    const queryRunner = {
      run(query: Query) {
        const { interval } = query.source as { interval: { start: number } };
        asked.push(new Date(interval.start / 1000).toISOString().slice(11, 16));
        return runQuery(query, host);
      },
    };
    const scheduler = new PipelineScheduler({
      store: own,
      queryRunner: queryRunner as never,
      clock: { now: () => time.now },
      ids: { next: () => `id-${String(++nextId).padStart(6, '0')}` },
      defects: { report: (error) => defects.push(error) },
    });
    hosts.push({ store: own, scheduler });
  }
  const pipeline = { id: 'p', organizationId: 'org', name: 'hourly', stages: [], schedule: '0 * * * *' };
  const times = { timeCreated: startTime, timeUpdated: startTime, timeEnabled: startTime };
  await store.pipelines.create({ ...pipeline, ...times, enabled: true, backfill: true, source: 'standard' });
  const row = tabularRow('a', { timeRequested: startTime - 5 * hour, timeSynced: startTime - 5 * hour });
  await store.tabular.insert([row], anonymousReceipt());
  const tickAll = () => Promise.all(hosts.map(({ scheduler }) => scheduler.tick(never)));
  const runs = async (): Promise<readonly PipelineRun[]> => store.pipelines.runs('p', null, 100);
  const sinkOf = async () =>
    (await store.pipelines.sink('p', null, 100)).map(({ document }) => {
      const { start } = (deserialize(document)['_viam_pipeline_run'] as { interval: { start: Date } }).interval;
      return start.toISOString().slice(11, 16);
    });
  return { hosts, time, asked, defects, tickAll, runs, sinkOf };
}

/** The contract tests for schedulers of several hosts that share a store. */
export function describeSchedulers(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`schedulers that share a store ${name}`, () => {
    it('run each window once, whoever claims it', async () => {
      const { time, asked, defects, tickAll, runs, sinkOf } = await startHosts(open, 3);
      for (let step = 0; step < 12; step++) {
        await tickAll();
        time.now += 20 * minute;
      }
      const windows = ['07', '08', '09', '10', '11', '12', '13', '14'].map((text) => `${text}:00`);
      expect(asked.toSorted()).toEqual(windows);
      expect(await sinkOf()).toEqual(windows);
      expect((await runs()).filter(({ status }) => status === 'completed')).toHaveLength(windows.length);
      expect(defects).toEqual([]);
    });

    it('take a window over whose host died, and drop the answer of one that only seemed to', async () => {
      let finish!: (rows: readonly Uint8Array[]) => void;
      const hanging = new Promise<readonly Uint8Array[]>((resolve) => (finish = resolve));
      const { hosts, time, asked, runs, sinkOf, defects } = await startHosts(open, 2, async (_, host) =>
        host === 0 ? hanging : [serialize({ n: 2 })],
      );
      const lost = hosts[0]!.scheduler.tick(never);
      await expect.poll(() => asked).toEqual(['11:00']);
      await hosts[1]!.scheduler.tick(never);
      expect(asked).toEqual(['11:00', '10:00', '09:00', '08:00', '07:00']);
      time.now += 9 * minute;
      await hosts[1]!.scheduler.tick(never);
      expect(asked).toHaveLength(5); // the lease is still valid
      time.now += 2 * minute;
      await hosts[1]!.scheduler.tick(never);
      expect(asked.slice(5)).toEqual(['11:00']);
      const ofEleven = (await runs()).filter(({ window }) => window.start === startTime - hour - 10 * minute);
      expect(ofEleven.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed']);
      finish([serialize({ n: 1 }), serialize({ n: 1 })]); // the first host is alive, but its lease has expired
      await lost;
      expect(await sinkOf()).toEqual(['07:00', '08:00', '09:00', '10:00', '11:00']);
      expect(defects).toEqual([]);
    });
  });
}
