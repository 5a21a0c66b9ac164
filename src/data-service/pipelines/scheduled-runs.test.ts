import { serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { ofDay, startBench } from '../../../tests/pipeline-bench.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';

describe('a run', () => {
  it('is scheduled at its tick, starts two minutes later and fills the sink', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create();
    await bench.capture('05:20');
    await bench.capture('05:59:59');
    await bench.capture('06:00');
    await bench.at('05:59', scheduler);
    expect(await bench.runs(id)).toEqual([]);
    await bench.at('06:00', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 SCHEDULED']);
    await bench.at('06:01:30', scheduler);
    await bench.capture('05:30', 'slow uplink');
    expect(await bench.runs(id)).toEqual(['05:00-06:00 SCHEDULED']);
    await bench.at('06:02', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 COMPLETED']);
    const { runs } = await bench.owner.pipelines.listDataPipelineRuns({ id });
    const mark = {
      id: runs[0]!.id,
      interval: { start: new Date('2026-03-11T05:00:00Z'), end: new Date('2026-03-11T06:00:00Z') },
      organization_id: 'a',
    };
    expect(await bench.sink(id)).toEqual([
      { _id: 'probe', n: 2, _viam_pipeline_run: mark },
      { _id: 'slow uplink', n: 1, _viam_pipeline_run: mark },
    ]);
    expect(runs[0]).toMatchObject({ dataSourceType: TabularDataSourceType.STANDARD, errorMessage: '' });
    expect(runs[0]!.startTime).toEqual(expect.objectContaining({ seconds: BigInt(ofDay('06:02') / 1e6) }));
    expect(bench.defects).toEqual([]);
  });

  it.each([
    ['of a query that cannot be run', [serialize({ $project: { x: { $divide: [1, 0] } } })], 'divide'],
    [
      'over 10,000 documents',
      [serialize({ $project: { x: { $range: [0, 10_001] } } }), serialize({ $unwind: '$x' })],
      '10000',
    ],
  ])('%s fails, and is not tried again', async (_, mqlBinary, message) => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create({ mqlBinary, enableBackfill: true });
    await bench.capture('05:20');
    await bench.at('06:02', scheduler);
    await bench.at('06:30', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 FAILED']);
    const { runs } = await bench.owner.pipelines.listDataPipelineRuns({ id });
    expect(runs[0]!.errorMessage).toContain(message);
    expect(await bench.sink(id)).toEqual([]);
  });
});

describe('without backfill', () => {
  it('each window runs once, and one that nobody was there for never', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create();
    for (const hour of ['05', '06', '07', '08', '09']) await bench.capture(`${hour}:30`);
    await bench.at('06:02', scheduler);
    await bench.at('09:30', scheduler);
    await bench.at('09:40', scheduler);
    await bench.capture('05:31');
    await bench.at('10:05', scheduler);
    expect(await bench.runs(id)).toEqual(['09:00-10:00 COMPLETED', '08:00-09:00 COMPLETED', '05:00-06:00 COMPLETED']);
    expect((await bench.sink(id)).map(({ n }) => n)).toEqual([1, 1, 1]);
  });

  it('keeps up with a schedule shorter than the delay', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:00:10');
    const id = await bench.create({ schedule: '* * * * *' });
    for (const time of ['05:01:20', '05:02:30', '05:03:20', '05:04:20', '05:05:20']) await bench.at(time, scheduler);
    expect(await bench.runs(id)).toEqual([
      '05:04-05:05 SCHEDULED',
      '05:03-05:04 SCHEDULED',
      '05:02-05:03 COMPLETED',
      '05:01-05:02 COMPLETED',
      '05:00-05:01 COMPLETED',
    ]);
  });
});
