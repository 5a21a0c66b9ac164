import { deserialize, serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../tests/data-service-fixture.ts';
import { count, describeRun, ofDay, startBench } from '../../../tests/pipeline-bench.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';

describe('the operations', () => {
  it('disable keeps results and stops runs; enable goes on from then', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create();
    await bench.capture('05:30');
    await bench.at('06:02', scheduler);
    await bench.owner.pipelines.disableDataPipeline({ id });
    await bench.at('07:02', scheduler);
    await bench.at('08:30');
    await bench.owner.pipelines.enableDataPipeline({ id });
    await bench.at('08:31', scheduler);
    expect(await bench.runs(id)).toEqual(['05:00-06:00 COMPLETED']);
    expect(await bench.sink(id)).toHaveLength(1);
    await bench.at('09:02', scheduler);
    expect(await bench.runs(id)).toEqual(['08:00-09:00 COMPLETED', '05:00-06:00 COMPLETED']);
    await bench.owner.pipelines.deleteDataPipeline({ id });
    expect(await codeOf(bench.owner.pipelines.listDataPipelineRuns({ id }))).toBe('NotFound');
    expect(await codeOf(bench.sink(id))).toBe('NotFound');
  });

  it('tell everything about a pipeline', async () => {
    const bench = await startBench();
    const id = await bench.create({ name: 'counts', dataSourceType: TabularDataSourceType.UNSPECIFIED });
    await bench.owner.pipelines.renameDataPipeline({ id, name: 'sums' });
    const { dataPipeline } = await bench.operator.pipelines.getDataPipeline({ id });
    expect(dataPipeline).toMatchObject({
      id,
      organizationId: 'a',
      name: 'sums',
      schedule: '0 * * * *',
      enabled: true,
      dataSourceType: TabularDataSourceType.STANDARD,
    });
    expect(dataPipeline!.mqlBinary.map((stage) => deserialize(stage))).toEqual(
      count.map((stage) => deserialize(stage)),
    );
    const { dataPipelines } = await bench.operator.pipelines.listDataPipelines({ organizationId: 'a' });
    expect(dataPipelines.map(({ name }) => name)).toEqual(['sums']);
  });

  it.each([
    [TabularDataSourceType.UNSPECIFIED, TabularDataSourceType.STANDARD],
    [TabularDataSourceType.STANDARD, TabularDataSourceType.STANDARD],
    [TabularDataSourceType.HOT_STORAGE, TabularDataSourceType.HOT_STORAGE],
  ])('asked to read source %i, reads %i', async (dataSourceType, source) => {
    const bench = await startBench();
    const id = await bench.create({ dataSourceType });
    expect((await bench.owner.pipelines.getDataPipeline({ id })).dataPipeline).toMatchObject({
      dataSourceType: source,
    });
  });

  it('note when a pipeline was changed, and change nothing that is so already', async () => {
    const bench = await startBench();
    const { pipelines } = bench.owner;
    await bench.at('05:10');
    const id = await bench.create();
    const changed = async (time: string, change: () => Promise<unknown>) => {
      await bench.at(time);
      await change();
      const { enabled, createdOn, updatedAt } = (await pipelines.getDataPipeline({ id })).dataPipeline!;
      expect(createdOn!.seconds).toBe(BigInt(ofDay('05:10') / 1e6));
      const minutes = new Date(Number(updatedAt!.seconds) * 1000).toISOString().slice(11, 16);
      return `${enabled ? 'enabled' : 'disabled'}, ${minutes}`;
    };
    const enable = () => pipelines.enableDataPipeline({ id });
    const disable = () => pipelines.disableDataPipeline({ id });
    expect(await changed('05:20', enable)).toBe('enabled, 05:10');
    expect(await changed('05:30', () => pipelines.renameDataPipeline({ id, name: 'sums' }))).toBe('enabled, 05:30');
    expect(await changed('05:40', disable)).toBe('disabled, 05:40');
    expect(await changed('05:50', disable)).toBe('disabled, 05:40');
    expect(await changed('06:00', enable)).toBe('enabled, 06:00');
  });

  it('tell when a run began and ended once it did', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create({ dataSourceType: TabularDataSourceType.HOT_STORAGE });
    const only = async () => (await bench.owner.pipelines.listDataPipelineRuns({ id })).runs[0]!;
    await bench.at('06:00', scheduler);
    expect(await only()).toMatchObject({ errorMessage: '', dataSourceType: TabularDataSourceType.HOT_STORAGE });
    expect([(await only()).startTime, (await only()).endTime]).toEqual([undefined, undefined]);
    await bench.at('06:02', scheduler);
    const time = expect.objectContaining({ seconds: BigInt(ofDay('06:02') / 1e6) }) as unknown;
    expect([(await only()).startTime, (await only()).endTime]).toEqual([time, time]);
  });

  it.each([
    [100, [100]],
    [101, [100, 1]],
  ])('list %i runs in pages of %j where more are asked for at once', async (count, sizes) => {
    const bench = await startBench();
    const id = await bench.create();
    for (let i = 0; i < count; i++) await bench.ran(id, ofDay('00:00') + i * 60e6);
    const listed: number[] = [];
    let pageToken = '';
    do {
      const page = await bench.owner.pipelines.listDataPipelineRuns({ id, pageSize: 1000, pageToken });
      listed.push(page.runs.length);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(listed).toEqual(sizes);
  });

  it('refuse a page token that is none', async () => {
    const bench = await startBench();
    const id = await bench.create();
    await expect(bench.owner.pipelines.listDataPipelineRuns({ id, pageToken: 'x' })).rejects.toThrow(
      '[invalid_argument] page_token is none that a page ended with',
    );
  });

  it('page through runs, newest first', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    await bench.capture('01:30');
    await bench.capture('01:31');
    const id = await bench.create({ schedule: '*/10 * * * *', enableBackfill: true });
    await bench.at('05:13', bench.scheduler());
    const seen: string[] = [];
    const sizes: number[] = [];
    let pageToken = '';
    do {
      const page = await bench.owner.pipelines.listDataPipelineRuns({ id, pageToken });
      sizes.push(page.runs.length);
      seen.push(...page.runs.map(describeRun));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(sizes).toEqual([10, 10, 2]);
    expect(seen).toEqual(await bench.runs(id));
    expect(seen.toSorted().toReversed()).toEqual(seen);
  });

  const refusals: readonly [string, object, string][] = [
    ['a schedule of six fields', { schedule: '0 * * * * *' }, 'InvalidArgument'],
    ['a schedule that never fires', { schedule: '0 0 30 2 *' }, 'InvalidArgument'],
    ['no schedule', { schedule: '' }, 'InvalidArgument'],
    ['no name', { name: ' ' }, 'InvalidArgument'],
    ['no stages', { mqlBinary: [] }, 'InvalidArgument'],
    ['a stage that is not allowed', { mqlBinary: [serialize({ $out: 'x' })] }, 'InvalidArgument'],
    ['a stage that could never run', { mqlBinary: [serialize({ $limit: 0 })] }, 'InvalidArgument'],
    ['a script', { mqlBinary: [serialize({ $match: { $where: 'true' } })] }, 'InvalidArgument'],
    ['an unknown source', { dataSourceType: 99 }, 'InvalidArgument'],
    ['a sink as its source', { dataSourceType: TabularDataSourceType.PIPELINE_SINK }, 'InvalidArgument'],
    ['a name that is taken', { name: 'taken' }, 'AlreadyExists'],
    ['another organization', { organizationId: 'b' }, 'PermissionDenied'],
    ['no organization', { organizationId: '' }, 'InvalidArgument'],
  ];
  it.each(refusals)('refuse to create one with %s', async (_, changes, code) => {
    const bench = await startBench();
    await bench.create({ name: 'taken' });
    expect(await codeOf(bench.create({ name: 'new', ...changes }))).toBe(code);
  });

  it('want an id', async () => {
    const { owner } = await startBench();
    await expect(owner.pipelines.getDataPipeline({})).rejects.toThrow('[invalid_argument] id is empty');
    expect(await codeOf(owner.pipelines.getDataPipeline({ id: 'none' }))).toBe('NotFound');
  });

  it('answer the TypeScript SDK without a pipeline where there is none, which it makes null of', async () => {
    const bench = await startBench();
    const id = await bench.create();
    const typescript = { headers: { viam_client: 'typescript;v0.61.1;v0.1.577' } };
    const { owner, stranger } = bench;
    expect((await owner.pipelines.getDataPipeline({ id }, typescript)).dataPipeline).toMatchObject({ id });
    expect((await owner.pipelines.getDataPipeline({ id: 'none' }, typescript)).dataPipeline).toBeUndefined();
    expect((await stranger.pipelines.getDataPipeline({ id }, typescript)).dataPipeline).toBeUndefined();
    expect(await codeOf(owner.pipelines.getDataPipeline({}, typescript))).toBe('InvalidArgument');
    const python = { headers: { viam_client: 'python;v0.85.1;v0.1.577' } };
    expect(await codeOf(owner.pipelines.getDataPipeline({ id: 'none' }, python))).toBe('NotFound');
  });

  it('show nothing of another organization', async () => {
    const bench = await startBench();
    const id = await bench.create();
    const { pipelines, data } = bench.stranger;
    const dataSource = { type: TabularDataSourceType.PIPELINE_SINK, pipelineId: id };
    for (const call of [
      () => pipelines.getDataPipeline({ id }),
      () => pipelines.renameDataPipeline({ id, name: 'mine' }),
      () => pipelines.deleteDataPipeline({ id }),
      () => pipelines.enableDataPipeline({ id }),
      () => pipelines.disableDataPipeline({ id }),
      () => pipelines.listDataPipelineRuns({ id }),
      () => data.tabularDataByMQL({ organizationId: 'b', dataSource }),
    ])
      expect(await codeOf(call())).toBe('NotFound');
    expect((await pipelines.listDataPipelines({ organizationId: 'b' })).dataPipelines).toEqual([]);
  });
});
