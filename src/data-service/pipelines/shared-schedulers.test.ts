import { describe, expect, it } from 'vitest';
import { never, startBench } from '../../../tests/pipeline-bench.ts';
import { PipelineScheduler } from './pipeline-scheduler.ts';

describe('two schedulers on one store', () => {
  it('run each window once', async () => {
    const bench = await startBench();
    const one = bench.scheduler();
    const two = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('02:30');
    const id = await bench.create({ enableBackfill: true });
    for (const time of ['05:20', '06:00', '06:02', '06:05', '07:00', '07:02']) {
      await bench.at(time);
      await Promise.all([one.tick(never), two.tick(never), one.tick(never)]);
    }
    expect(await bench.runs(id)).toEqual([
      '06:00-07:00 COMPLETED',
      '05:00-06:00 COMPLETED',
      '04:00-05:00 COMPLETED',
      '03:00-04:00 COMPLETED',
      '02:00-03:00 COMPLETED',
    ]);
  });

  it('take over what one scheduled and never started', async () => {
    const bench = await startBench();
    const lost = bench.scheduler();
    const other = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create();
    await bench.capture('05:30');
    await bench.at('06:00', lost);
    await bench.at('06:02', other);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 SCHEDULED']);
    await bench.at('06:04', other);
    expect((await bench.runs(id)).sort()).toEqual(['05:00-06:00 COMPLETED', '05:00-06:00 FAILED']);
    expect(await bench.sink(id)).toHaveLength(1);
  });

  it.each([false, true])('take over what one started and never ended (backfill %s)', async (enableBackfill) => {
    const bench = await startBench();
    const hanging = {
      ...bench.dependencies,
      queryRunner: { ...bench.dependencies.queryRunner, run: () => new Promise<never>(() => {}) },
    };
    const lost = new PipelineScheduler(hanging);
    const other = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill });
    await bench.capture('05:30');
    await bench.at('06:00', lost);
    await bench.at('06:02');
    void lost.tick(never);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await bench.runs(id)).toEqual(['05:00-06:00 STARTED']);
    await bench.at('06:11', other);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 STARTED']);
    await bench.at('06:12:01', other);
    expect((await bench.runs(id)).sort()).toEqual(['05:00-06:00 COMPLETED', '05:00-06:00 FAILED']);
    expect(await bench.sink(id)).toHaveLength(1);
  });
});
