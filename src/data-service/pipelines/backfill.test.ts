import { describe, expect, it } from 'vitest';
import { never, ofDay, startBench } from '../../../tests/pipeline-bench.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';

describe('with backfill', () => {
  it('runs every window from the earliest data on', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('01:30');
    await bench.capture('03:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', bench.scheduler());
    expect(await bench.runs(id)).toEqual([
      '04:00-05:00 COMPLETED',
      '03:00-04:00 COMPLETED',
      '02:00-03:00 COMPLETED',
      '01:00-02:00 COMPLETED',
    ]);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([1, 1]);
  });

  it('begins with the newest windows, and wants to go on while older ones are left', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('01:30');
    const id = await bench.create({ enableBackfill: true, schedule: '*/2 * * * *' });
    const scheduler = bench.scheduler();
    const signal = new AbortController().signal;
    expect(await scheduler.tick(signal)).toBe(true);
    expect((await bench.runs(id)).at(-1)).toBe('03:26-03:28 COMPLETED');
    expect(await bench.sink(id)).toEqual([]);
    expect(await scheduler.tick(signal)).toBe(true);
    expect(await scheduler.tick(signal)).toBe(false);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([1]);
  });

  it('leaves alone what a clock that was never set dated 1970', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('03:30');
    await bench.capture('1970-01-01T00:00:01Z');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', bench.scheduler());
    expect((await bench.runs(id)).map((run) => run.slice(0, 5))).toEqual(['04:00', '03:00']);
  });

  it('misses no window of a time that it slept through', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('03:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', scheduler);
    await bench.at('09:20', scheduler);
    expect((await bench.runs(id)).map((run) => run.slice(0, 5))).toEqual([
      '08:00',
      '07:00',
      '06:00',
      '05:00',
      '04:00',
      '03:00',
    ]);
  });

  it('runs a window again for late data, replacing its results', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', scheduler);
    await bench.capture('04:40');
    await bench.capture('04:41');
    await bench.at('05:21', scheduler);
    await bench.at('05:22', scheduler);
    expect(await bench.runs(id)).toEqual(['04:00-05:00 COMPLETED', '04:00-05:00 COMPLETED']);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([3]);
    // data from before anything known opens the windows back to it
    await bench.capture('02:15');
    await bench.at('05:23', scheduler);
    expect((await bench.runs(id)).slice(2)).toEqual(['03:00-04:00 COMPLETED', '02:00-03:00 COMPLETED']);
  });

  it('finds late data that came in while no scheduler was there', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', bench.scheduler());
    await bench.at('07:00');
    await bench.capture('04:45');
    await bench.at('09:30', bench.scheduler());
    expect((await bench.runs(id)).filter((run) => run.startsWith('04:00'))).toHaveLength(2);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([2]);
  });

  it('finds a row that shows only after a run and a scan that came later than the time it notes', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', scheduler);
    await bench.at('05:20:12');
    await bench.capture('04:40', 'probe', '05:19:55'); // the upload waited for a lock
    await bench.at('05:20:15', scheduler);
    await bench.at('05:20:40', scheduler);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([2]);
  });

  it('of hot storage reaches back a day', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('03:30');
    const id = await bench.create({ enableBackfill: true, dataSourceType: TabularDataSourceType.HOT_STORAGE });
    bench.time.now = ofDay('03:00') + 24 * 3600 * 1_000_000;
    await bench.capture('02:30');
    await bench.scheduler().tick(never);
    expect((await bench.runs(id)).at(-1)).toBe('03:00-04:00 COMPLETED');
  });
});
