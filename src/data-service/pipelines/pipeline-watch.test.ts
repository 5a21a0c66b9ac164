import { describe, expect, it } from 'vitest';
import { never, ofDay, startBench, type Bench } from '../../../tests/pipeline-bench.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { PipelineScheduler } from './pipeline-scheduler.ts';

type Run = DataServiceDependencies['queryRunner']['run'];

/** A scheduler of the bench whose queries go through `run`. */
function schedulerThatAsks(bench: Bench, run: (ask: Run) => Run): PipelineScheduler {
  const { queryRunner } = bench.dependencies;
  const ask: Run = (...query) => queryRunner.run(...query);
  return new PipelineScheduler({ ...bench.dependencies, queryRunner: { ...queryRunner, run: run(ask) } });
}

/** A scheduler of the bench whose store differs in some methods. */
function schedulerOn(
  bench: Bench,
  changes: Partial<DataStore['pipelines']>,
  tabular: Partial<DataStore['tabular']> = {},
) {
  const { store } = bench;
  const changed = {
    ...store,
    pipelines: { ...store.pipelines, ...changes },
    tabular: { ...store.tabular, ...tabular },
  };
  return new PipelineScheduler({ ...bench.dependencies, store: changed });
}

const counts = async (bench: Bench, id: string) => (await bench.sink(id)).map(({ n }) => n);
function closedGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('scheduling', () => {
  it('takes the window that closes at the moment the pipeline is made', async () => {
    const bench = await startBench();
    await bench.at('06:00');
    const id = await bench.create();
    await bench.at('06:00', bench.scheduler());
    expect(await bench.runs(id)).toEqual(['05:00-06:00 SCHEDULED']);
  });

  it('takes of the minutes that nobody was there for those that are yet to start', async () => {
    const bench = await startBench();
    await bench.at('05:00');
    const id = await bench.create({ schedule: '* * * * *' });
    await bench.at('05:03', bench.scheduler());
    expect(await bench.runs(id)).toEqual(['05:02-05:03 SCHEDULED', '05:01-05:02 SCHEDULED']);
  });

  it('claims a window once, however often it polls', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.create();
    let claims = 0;
    const claim: DataStore['pipelines']['claim'] = (...of) => (claims++, bench.store.pipelines.claim(...of));
    const scheduler = schedulerOn(bench, { claim });
    for (const time of ['06:00', '06:00:05', '06:00:10']) await bench.at(time, scheduler);
    expect(claims).toBe(1);
  });

  it('goes on with the other pipelines where one cannot be looked after', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create();
    const { pipelines } = bench.store;
    await pipelines.create({ ...(await pipelines.get(id))!, id: 'bad', name: 'a bad one', schedule: 'never' });
    await bench.at('06:00');
    expect(await scheduler.tick(never)).toBe(false);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 SCHEDULED']);
    expect(bench.defects.map(String)).toEqual([expect.stringContaining('schedule is "never"')]);
  });
});

describe('ticks that overlap', () => {
  it('start a run once', async () => {
    const bench = await startBench();
    let queries = 0;
    const scheduler = schedulerThatAsks(
      bench,
      (ask) =>
        (...query) => (queries++, ask(...query)),
    );
    await bench.at('05:10');
    const id = await bench.create();
    await bench.at('06:00', scheduler);
    await bench.at('06:02');
    await Promise.all([scheduler.tick(never), scheduler.tick(never), scheduler.tick(never)]);
    expect(queries).toBe(1);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 COMPLETED']);
  });

  it('leave the past to the one that is at it', async () => {
    const bench = await startBench();
    let queries = 0;
    const gate = closedGate();
    const scheduler = schedulerThatAsks(bench, (ask) => async (...query) => {
      queries++;
      await gate.opened;
      return ask(...query);
    });
    await bench.at('05:10');
    await bench.capture('02:30');
    const id = await bench.create({ enableBackfill: true });
    const filling = scheduler.tick(never);
    await settled();
    expect(await scheduler.tick(never)).toBe(false);
    expect(queries).toBe(1);
    gate.open();
    await filling;
    expect(await bench.runs(id)).toEqual(['04:00-05:00 COMPLETED', '03:00-04:00 COMPLETED', '02:00-03:00 COMPLETED']);
  });
});

describe('a run', () => {
  it.each([
    [new Error('The disk is busy.'), ['Error: The disk is busy.']],
    [new StoreError('conflict', 'Run 1 is no longer held.'), []],
  ])('that could not be noted as started (%s) is started by the next poll', async (error, defects) => {
    const bench = await startBench();
    let failures = 1;
    const scheduler = schedulerOn(bench, {
      updateRun: (...of) => (failures-- > 0 ? Promise.reject(error) : bench.store.pipelines.updateRun(...of)),
    });
    await bench.at('05:10');
    const id = await bench.create();
    await bench.at('06:00', scheduler);
    await bench.at('06:02', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 SCHEDULED']);
    expect(bench.defects.map(String)).toEqual(defects);
    await bench.at('06:02:10', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 COMPLETED']);
  });

  it.each([
    [new TypeError('x is undefined'), 'The run failed in the service itself; its log has the cause.', 1],
    [new StoreError('not-found', 'There is no such sink.'), 'There is no such sink.', 0],
  ])('that ends with %s says so', async (error, errorMessage, defects) => {
    const bench = await startBench();
    const scheduler = schedulerThatAsks(bench, () => () => Promise.reject(error));
    await bench.at('05:10');
    const id = await bench.create();
    await bench.at('06:02', scheduler);
    const { runs } = await bench.owner.pipelines.listDataPipelineRuns({ id });
    expect(runs).toMatchObject([{ errorMessage }]);
    expect(bench.defects).toHaveLength(defects);
  });

  it('that cannot be ended is reported with why', async () => {
    const bench = await startBench();
    const scheduler = schedulerOn(bench, {
      complete: () => Promise.reject(new Error('The disk is full.')),
      updateRun: (run, changes) =>
        changes.status === 'failed'
          ? Promise.reject(new Error('The disk is still full.'))
          : bench.store.pipelines.updateRun(run, changes),
    });
    await bench.at('05:10');
    await bench.create();
    await bench.at('06:02', scheduler);
    expect(bench.defects.map(String)).toEqual(['Error: The disk is full.', 'Error: The disk is still full.']);
  });

  it.each([
    ['05:10', false],
    ['06:01', true], // too late to be scheduled: it is filled in
  ])('of a pipeline made at %s that was taken over changes nothing when it ends after all', async (made, backfill) => {
    const bench = await startBench();
    const gate = closedGate();
    const slow = schedulerThatAsks(bench, (ask) => async (...query) => {
      await gate.opened;
      return ask(...query);
    });
    await bench.at(made);
    const id = await bench.create({ enableBackfill: backfill });
    await bench.capture('05:20');
    await bench.at('06:02');
    const tick = slow.tick(never);
    await settled();
    await bench.at('06:12:01', bench.scheduler());
    const [runs, sink] = [await bench.runs(id), await bench.sink(id)];
    expect(runs.toSorted()).toEqual(['05:00-06:00 COMPLETED', '05:00-06:00 FAILED']);
    gate.open();
    await tick;
    expect([await bench.runs(id), await bench.sink(id)]).toEqual([runs, sink]);
    expect(bench.defects).toEqual([]);
  });
});

describe('the past', () => {
  it('holds nothing to fill in where there is no data', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true });
    expect(await bench.scheduler().tick(never)).toBe(false);
    expect(await bench.runs(id)).toEqual([]);
  });

  it('is left to whoever claims it first', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', schedulerOn(bench, { claim: () => Promise.resolve(false) }));
    expect(await bench.runs(id)).toEqual([]);
    expect(bench.defects).toEqual([]);
  });

  it('begins two minutes after a window has closed', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('06:01');
    await bench.capture('05:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('06:01:59', scheduler);
    expect(await bench.runs(id)).toEqual([]);
    await bench.at('06:02', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 COMPLETED']);
  });

  it.each([
    ['2000-01-01T00:00:00Z', 26],
    ['1999-12-31T23:59:59Z', 0],
    ['9999-12-31T23:59:59Z', 0],
  ])('of data dated %s has %i years', async (dated, years) => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture(dated);
    const id = await bench.create({ enableBackfill: true, schedule: '0 0 1 1 *' });
    await bench.at('05:20', bench.scheduler());
    expect(await bench.runs(id)).toHaveLength(years);
    expect(bench.defects).toEqual([]);
  });

  it('is given up by a scheduler that is stopped, and done by whoever goes on', async () => {
    const bench = await startBench();
    const stop = new AbortController();
    const scheduler = schedulerThatAsks(bench, (ask) => (...query) => {
      stop.abort();
      return ask(...query);
    });
    await bench.at('05:10');
    await bench.capture('02:30');
    const id = await bench.create({ enableBackfill: true });
    expect(await scheduler.tick(stop.signal)).toBe(false);
    expect(await bench.runs(id)).toEqual(['04:00-05:00 STARTED']);
    await scheduler.tick(never);
    expect((await bench.runs(id)).toSorted()).toEqual([
      '02:00-03:00 COMPLETED',
      '03:00-04:00 COMPLETED',
      '04:00-05:00 COMPLETED',
      '04:00-05:00 FAILED',
    ]);
  });

  it('is looked at again where another host was at it and was lost, however long ago the window was', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('03:58:30');
    const id = await bench.create({ enableBackfill: true, schedule: '* * * * *' });
    const open = { status: 'started', timeEnded: null, leaseUntil: ofDay('05:15') } as const;
    await bench.ran(id, ofDay('03:58'), open);
    const oldest = async () => (await bench.runs(id)).filter((run) => run.startsWith('03:58')).toSorted();
    for (const time of ['05:10', '05:10:10', '05:15']) await bench.at(time, scheduler);
    expect(await oldest()).toEqual(['03:58-03:59 STARTED']);
    await bench.at('05:15:01', scheduler);
    expect(await oldest()).toEqual(['03:58-03:59 COMPLETED', '03:58-03:59 FAILED']);
  });

  it('of hot storage is read from a day ago on', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('03:10');
    await bench.capture('03:30');
    const id = await bench.create({ enableBackfill: true, dataSourceType: TabularDataSourceType.HOT_STORAGE });
    await bench.at('2026-03-12T03:20:00Z', bench.scheduler());
    expect(await counts(bench, id)).toEqual([1]);
  });
});

describe('late data', () => {
  const filled = async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', scheduler);
    return { bench, scheduler, id };
  };

  it('is waited for until it must be visible', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.at('05:21');
    await bench.capture('04:40');
    await bench.at('05:21:30', scheduler);
    expect(await counts(bench, id)).toEqual([1]);
    await bench.at('05:21:31', scheduler);
    expect(await counts(bench, id)).toEqual([2]);
  });

  it('is none that a run must have seen', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.capture('04:40', 'probe', '05:19:30');
    await bench.at('05:20:31', scheduler);
    expect(await bench.runs(id)).toHaveLength(1);
  });

  it('is left where a scheduler was told to stop', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.at('05:21');
    await bench.capture('04:40');
    await bench.at('05:22');
    expect(await scheduler.tick(AbortSignal.abort())).toBe(false);
    expect(await bench.runs(id)).toEqual(['04:00-05:00 COMPLETED']);
    await scheduler.tick(never);
    expect(await counts(bench, id)).toEqual([2]);
  });

  it('of more than a thousand readings is all seen to at once', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.capture('03:30');
    await bench.at('05:21', scheduler);
    expect(await counts(bench, id)).toEqual([1, 1]);
    await bench.at('05:22');
    for (let i = 0; i < 1000; i++) await bench.capture('04:40');
    await bench.capture('03:40');
    await bench.at('05:23', scheduler);
    expect(await counts(bench, id)).toEqual([2, 1001]);
  });

  it('is read from the store once', async () => {
    const bench = await startBench();
    const read: number[] = [];
    const scheduler = schedulerOn(
      bench,
      {},
      {
        arrivals: async (...of) => {
          const page = await bench.store.tabular.arrivals(...of);
          read.push(page.length);
          return page;
        },
      },
    );
    await bench.at('05:10');
    await bench.capture('04:30');
    await bench.create({ enableBackfill: true });
    for (const time of ['05:20', '05:21', '05:22']) await bench.at(time, scheduler);
    expect(read).toEqual([1, 0, 0]);
  });

  const theirs = (start: string, end: string) => ({ window: { start: ofDay(start), end: ofDay(end) } });

  it.each([
    ['05:01:30', 2],
    ['05:01:29', 1],
  ])(
    'that came in at %s, an hour before the newest run or later, is looked for by who begins',
    async (synced, runs) => {
      const bench = await startBench();
      await bench.at('05:10');
      const id = await bench.create({ enableBackfill: true });
      await bench.ran(id, ofDay('04:00'), { ...theirs('04:00', '05:00'), dataSeenUntil: ofDay('05:00') });
      await bench.ran(id, ofDay('05:00'), { ...theirs('05:00', '06:00'), dataSeenUntil: ofDay('06:01:30') });
      await bench.capture('04:30', 'probe', synced);
      await bench.at('06:03', bench.scheduler());
      expect((await bench.runs(id)).filter((run) => run.startsWith('04:00'))).toHaveLength(runs);
    },
  );

  it('waits for the run that another host is at', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true });
    const open = { id: 'theirs', status: 'started', timeEnded: null, leaseUntil: ofDay('05:20') } as const;
    await bench.ran(id, ofDay('04:00'), { ...theirs('04:00', '05:00'), ...open });
    await bench.capture('04:30');
    await bench.at('05:12', scheduler);
    expect(await bench.runs(id)).toEqual(['04:00-05:00 STARTED']);
    const seen = { timeEnded: ofDay('05:13'), dataSeenUntil: ofDay('05:05'), documents: [] };
    await bench.store.pipelines.complete({ id: 'theirs', leaseOwner: 'another host' }, seen);
    await bench.at('05:14', scheduler);
    expect(await counts(bench, id)).toEqual([1]);
  });

  it('does not try again what failed', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true });
    await bench.ran(id, ofDay('04:00'), { ...theirs('04:00', '05:00'), status: 'failed' });
    await bench.capture('04:30');
    await bench.at('05:12', bench.scheduler());
    expect(await bench.runs(id)).toEqual(['04:00-05:00 FAILED']);
  });
});

describe('runs that a clock ahead made too early', () => {
  it('are made again, all of them, but for those within what clocks may be apart', async () => {
    const bench = await startBench();
    const read: number[] = [];
    const scheduler = schedulerOn(bench, {
      latestRuns: async (...of) => {
        const runs = await bench.store.pipelines.latestRuns(...of);
        read.push(runs.length);
        return runs;
      },
    });
    await bench.at('06:00');
    const id = await bench.create({ schedule: '* * * * *' });
    for (let minute = 5; minute < 70; minute++) await bench.ran(id, ofDay('06:00') + minute * 60e6);
    await bench.at('06:10', scheduler);
    expect(read).toEqual([50, 10]);
    const runs = () => bench.store.pipelines.runs(id, null, 1000);
    const again = (await runs()).filter(({ status }) => status === 'scheduled').map(({ window }) => window.end);
    expect(again).toHaveLength(55);
    expect([again.at(-1), again[0]]).toEqual([ofDay('06:16'), ofDay('07:10')]);
    await bench.at('06:18', scheduler);
    expect((await runs()).filter(({ status }) => status === 'failed')).toEqual([]);
    expect((await runs()).filter(({ window }) => window.end === again.at(-1)).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ]);
  });

  it('are made again in the window that is open now', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create();
    for (const time of ['07:02', '06:10']) await bench.at(time, scheduler);
    await bench.at('06:30');
    await bench.capture('06:20');
    for (const time of ['07:00', '07:02']) await bench.at(time, scheduler);
    expect(await counts(bench, id)).toEqual([1]);
  });

  it('leave no wrong beginning of hot storage behind', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('03:50');
    await bench.capture('03:30');
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true, dataSourceType: TabularDataSourceType.HOT_STORAGE });
    // a run since the data came in: it is not met again among what comes late
    await bench.ran(id, ofDay('05:00'), { dataSeenUntil: ofDay('05:10') });
    await bench.at('2026-03-12T06:10:00Z');
    await bench.capture('2026-03-12T05:30:00Z');
    await scheduler.tick(never);
    await bench.at('05:20', scheduler);
    expect((await bench.runs(id)).filter((run) => run.startsWith('03:00'))).toEqual(['03:00-04:00 COMPLETED']);
  });
});
