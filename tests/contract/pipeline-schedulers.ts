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

interface HostOptions {
  /** what a host asks of its store, which may be delayed */
  readonly storeOf?: (store: DataStore, host: number) => DataStore;
  /** how many hours before the start the earliest data is from */
  readonly hoursBack?: number;
  readonly runQuery?: (query: Query, host: number) => Promise<readonly Uint8Array[]>;
}

/** Starts schedulers of several hosts, each with its own connection to one store, and records their queries. */
async function startHosts(open: () => Promise<StoreUnderTest>, count: number, options: HostOptions = {}) {
  const { storeOf = (store) => store, hoursBack = 5, runQuery = async () => [serialize({ n: 1 })] } = options;
  const { store, openAgain, setTime, close } = await open();
  onTestFinished(close);
  let now = startTime;
  const pass = (time: number) => setTime((now += time));
  await pass(0);
  const asked: string[] = [];
  const defects: unknown[] = [];
  let nextId = 0;
  const hosts: Host[] = [];
  for (let host = 0; host < count; host++) {
    const own = storeOf(host === 0 ? store : ((await openAgain?.()) ?? store), host);
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
      ids: { next: () => `id-${String(++nextId).padStart(6, '0')}` },
      defects: { report: (error) => defects.push(error) },
    });
    hosts.push({ store: own, scheduler });
  }
  const pipeline = { id: 'p', organizationId: 'org', name: 'hourly', stages: [], schedule: '0 * * * *' };
  const times = { timeCreated: startTime, timeUpdated: startTime, timeEnabled: startTime };
  await store.pipelines.create({ ...pipeline, ...times, enabled: true, backfill: true, source: 'standard' });
  const row = tabularRow('a', {
    timeRequested: startTime - hoursBack * hour,
    timeSynced: startTime - hoursBack * hour,
  });
  await store.tabular.insert([row], anonymousReceipt());
  const tickAll = () => Promise.all(hosts.map(({ scheduler }) => scheduler.tick(never)));
  const runs = async (): Promise<readonly PipelineRun[]> => store.pipelines.runs('p', null, 100);
  const sinkOf = async () =>
    (await store.pipelines.sink('p', null, 100)).map(({ document }) => {
      const { start } = (deserialize(document)['_viam_pipeline_run'] as { interval: { start: Date } }).interval;
      return start.toISOString().slice(11, 16);
    });
  return { hosts, pass, asked, defects, tickAll, runs, sinkOf };
}

/** The contract tests for schedulers of several hosts that share a store; of the steps at which one can stand still, each `stride`th. */
export function describeSchedulers(name: string, open: () => Promise<StoreUnderTest>, stride = 7): void {
  describe(`schedulers that share a store ${name}`, () => {
    it('run each window once, whoever claims it', async () => {
      const { pass, asked, defects, tickAll, runs, sinkOf } = await startHosts(open, 3);
      for (let step = 0; step < 12; step++) {
        await tickAll();
        await pass(20 * minute);
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
      const refusals: unknown[] = [];
      const { hosts, pass, asked, runs, sinkOf, defects } = await startHosts(open, 2, {
        runQuery: async (_, host) => (host === 0 ? hanging : [serialize({ n: 2 })]),
        storeOf: (store) => ({
          ...store,
          pipelines: {
            ...store.pipelines,
            complete: (...of) =>
              store.pipelines.complete(...of).catch((error: unknown) => {
                refusals.push(error);
                throw error;
              }),
          },
        }),
      });
      const lost = hosts[0]!.scheduler.tick(never);
      await expect.poll(() => asked).toEqual(['11:00']);
      await hosts[1]!.scheduler.tick(never);
      expect(asked).toEqual(['11:00', '10:00', '09:00', '08:00', '07:00']);
      await pass(9 * minute);
      await hosts[1]!.scheduler.tick(never);
      expect(asked).toHaveLength(5); // the lease is still valid
      await pass(2 * minute);
      await hosts[1]!.scheduler.tick(never);
      expect(asked.slice(5)).toEqual(['11:00']);
      const ofEleven = (await runs()).filter(({ window }) => window.start === startTime - hour - 10 * minute);
      expect(ofEleven.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed']);
      expect(refusals).toEqual([]);
      finish([serialize({ n: 1 }), serialize({ n: 1 })]); // the first host is alive, but its lease has expired
      await lost;
      expect(refusals).toMatchObject([{ code: 'conflict' }]);
      expect(await sinkOf()).toEqual(['07:00', '08:00', '09:00', '10:00', '11:00']);
      expect(defects).toEqual([]);
    });

    it('run each window once where one of them stands still at any of its steps, and goes on when another took over', async () => {
      const windows = ['10:00', '11:00', '12:00'];
      let steps = 1;
      for (let stopAt = 0; stopAt < steps; stopAt += stride) {
        const gate = gateAt(stopAt);
        const { hosts, pass, runs, sinkOf, defects } = await startHosts(open, 2, {
          hoursBack: 2,
          storeOf: (store, host) => (host === 0 ? gate.before(store) : store),
        });
        const still = hosts[0]!.scheduler;
        const ticks = [still.tick(never)];
        // every few minutes up to the end of one window, and then until the longest lease is over
        for (const step of [48, 2, 2, 1, 9, 2, 11].map((minutes) => minutes * minute)) {
          await Promise.race([Promise.all(ticks), gate.reached]);
          await hosts[1]!.scheduler.tick(never);
          await pass(step);
          ticks.push(still.tick(never));
        }
        await Promise.race([Promise.all(ticks), gate.reached]);
        await hosts[1]!.scheduler.tick(never);
        expect(await sinkOf(), `stopped at step ${stopAt}`).toEqual(windows);
        gate.open();
        await Promise.all(ticks);
        await hosts[1]!.scheduler.tick(never);
        expect(await sinkOf(), `went on at step ${stopAt}`).toEqual(windows);
        const completed = (await runs()).filter(({ status }) => status === 'completed');
        expect(completed, `runs, stopped at step ${stopAt}`).toHaveLength(windows.length);
        expect(defects).toEqual([]);
        steps = Math.max(steps, gate.steps);
      }
      expect(steps).toBeGreaterThan(20);
    });
  });
}

/** Lets no step of a host pass from the one of this number on until it is opened: the calls of its store. */
function gateAt(stopAt: number) {
  let open!: () => void;
  let reach!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const gate = { steps: 0, reached, open, before };
  const pass = async (): Promise<void> => {
    if (gate.steps++ < stopAt) return;
    reach();
    await opened;
  };
  function before(store: DataStore): DataStore {
    const stepping = <Methods extends object>(methods: Methods): Methods =>
      Object.fromEntries(
        Object.entries(methods).map(([name, method]) => [
          name,
          async (...of: readonly unknown[]) => {
            await pass();
            return (method as (...of: readonly unknown[]) => Promise<unknown>).apply(methods, [...of]);
          },
        ]),
      ) as Methods;
    const { now } = stepping({ now: () => store.now() });
    return { ...store, pipelines: stepping(store.pipelines), tabular: stepping(store.tabular), now };
  }
  return gate;
}
