import { describe, expect, it } from 'vitest';
import { schedulerThatAsks, schedulerOn, closedGate, settled } from '../../../tests/altered-schedulers.ts';
import { never, startBench } from '../../../tests/pipeline-bench.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';

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
    [new StoreError('not-found', 'There is no run 1.'), ['StoreError: There is no run 1.']],
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
