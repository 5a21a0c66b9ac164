import { describe, expect, it } from 'vitest';
import { schedulerThatAsks, schedulerOn, counts } from '../../../tests/altered-schedulers.ts';
import { never, ofDay, startBench } from '../../../tests/pipeline-bench.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';
import type { DataStore } from '../ports/data-store.ts';

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

  it.each([
    ['just now', '05:10'],
    ['long before what others have seen', '03:59'],
  ])('that another host was lost at is looked at again, with data that came in %s', async (_, synced) => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('03:58:30', 'probe', synced);
    const id = await bench.create({ enableBackfill: true, schedule: '* * * * *' });
    const open = { status: 'started', timeEnded: null, leaseUntil: ofDay('05:15') } as const;
    await bench.ran(id, ofDay('03:58'), open);
    await bench.ran(id, ofDay('05:08'), { dataSeenUntil: ofDay('05:09') });
    const oldest = async () => (await bench.runs(id)).filter((run) => run.startsWith('03:58')).toSorted();
    for (const time of ['05:10', '05:10:10', '05:15']) await bench.at(time, scheduler);
    expect(await oldest()).toEqual(['03:58-03:59 STARTED']);
    await bench.at('05:15:01', scheduler);
    expect(await oldest()).toEqual(['03:58-03:59 COMPLETED', '03:58-03:59 FAILED']);
  });

  it('is not asked for again once it is seen to, here or elsewhere', async () => {
    const bench = await startBench();
    let asked = 0;
    const latestRuns: DataStore['pipelines']['latestRuns'] = (...of) => (
      asked++,
      bench.store.pipelines.latestRuns(...of)
    );
    const scheduler = schedulerOn(bench, { latestRuns });
    await bench.at('05:10');
    await bench.capture('02:30');
    await bench.create({ enableBackfill: true });
    await bench.at('05:20', bench.scheduler(), scheduler);
    await bench.capture('03:40');
    await bench.at('05:22', scheduler);
    const before = asked;
    expect(before).toBeGreaterThan(0);
    for (const time of ['05:23', '05:24']) await bench.at(time, scheduler);
    expect(asked).toBe(before);
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
