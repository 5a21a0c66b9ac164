import { describe, expect, it } from 'vitest';
import { never, startBench } from '../../../tests/pipeline-bench.ts';
import { PipelineScheduler } from './pipeline-scheduler.ts';

describe('a clock that was ahead by hours and is set right', () => {
  it.each([false, true])('gets every window its run with its data (backfill %s)', async (enableBackfill) => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill });
    await bench.capture('05:20');
    await bench.at('06:02', scheduler);
    for (const time of ['12:00', '12:02', '13:02']) await bench.at(time, scheduler);
    await bench.at('06:10', scheduler);
    for (const hour of ['06', '07', '08', '09', '10', '11', '12', '13']) {
      const next = String(Number(hour) + 1).padStart(2, '0');
      await bench.at(`${hour}:30`);
      await bench.capture(`${hour}:20`);
      for (const minute of ['00', '02', '03']) await bench.at(`${next}:${minute}`, scheduler);
    }
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(bench.defects).toEqual([]);
  });

  it('gets a window whose host was lost then run again', async () => {
    const bench = await startBench();
    const hanging = {
      ...bench.dependencies,
      queryRunner: { ...bench.dependencies.queryRunner, run: () => new Promise<never>(() => {}) },
    };
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true });
    await bench.capture('04:30');
    await bench.at('23:00');
    void new PipelineScheduler(hanging).tick(never);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await bench.runs(id)).filter((run) => run.endsWith('STARTED'))).not.toEqual([]);
    await bench.at('05:20', bench.scheduler());
    await bench.at('05:21', bench.scheduler());
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([1]);
  });

  it('lets late data in again', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('22:00', scheduler);
    await bench.at('05:20', scheduler);
    await bench.capture('04:40');
    await bench.at('05:21', scheduler);
    await bench.at('05:22', scheduler);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([2]);
    await bench.at('05:23', bench.scheduler());
    await bench.capture('04:41');
    await bench.at('05:24', bench.scheduler());
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([3]);
  });
});
