import { describe, expect, it } from 'vitest';
import { schedulerOn, counts } from '../../../tests/altered-schedulers.ts';
import { never, ofDay, startBench } from '../../../tests/pipeline-bench.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';

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
