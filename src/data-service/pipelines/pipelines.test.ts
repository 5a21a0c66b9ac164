import { deserialize, serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { codeOf, micros, startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';
import { DataPipelineRunStatus, type DataPipelineRun } from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { TabularRow } from '../ports/capture.ts';
import { inlineQueryWorker } from '../query/inline-query-worker.ts';
import { IsolatedQueryRunner } from '../query/isolated-query-runner.ts';
import { readQueryRows } from '../query/query-rows.ts';
import { PipelineScheduler } from './pipeline-scheduler.ts';

const never = new AbortController().signal;
const count = [serialize({ $group: { _id: '$component_name', n: { $sum: 1 } } }), serialize({ $sort: { _id: 1 } })];

interface Bench extends TestService {
  readonly store: DataStore;
  readonly scheduler: () => PipelineScheduler;
  /** Sets the clock to a time of 11 March 2026 and lets the schedulers look. */
  readonly at: (time: string, ...schedulers: PipelineScheduler[]) => Promise<void>;
  /** Captures a reading at a time of that day, synced at the clock's unless said otherwise. */
  readonly capture: (time: string, name?: string, synced?: string) => Promise<void>;
  readonly create: (changes?: object) => Promise<string>;
  /** `hh:mm-hh:mm STATUS`, newest first */
  readonly runs: (id: string) => Promise<string[]>;
  readonly sink: (id: string) => Promise<Record<string, unknown>[]>;
}

const ofDay = (time: string): number =>
  micros(time.includes('T') ? time : `2026-03-11T${time}${time.length === 5 ? ':00' : ''}Z`);

async function startBench(): Promise<Bench> {
  const clock = { now: (): number => service.time.now };
  const store = memoryDataStore(clock);
  const rows = readQueryRows(store);
  const queryRunner = new IsolatedQueryRunner({ rows, startWorker: inlineQueryWorker, clock, maxWorkers: 4 });
  const service: TestService = await startDataService({ store, queryRunner });
  let captures = 0;
  return {
    ...service,
    store,
    scheduler: () => new PipelineScheduler(service.dependencies),
    async at(time, ...schedulers) {
      service.time.now = ofDay(time);
      for (const scheduler of schedulers) await scheduler.tick(never);
    },
    async capture(time, name = 'probe', synced) {
      const id = `row-${String(++captures).padStart(6, '0')}`;
      const row: TabularRow = {
        ...{
          id,
          organizationId: 'a',
          locationId: 'lab',
          robotId: 'r',
          robotName: 'r',
          partId: 'lab-part',
          partName: '',
        },
        ...{ componentType: 'rdk:component:sensor', componentName: name, methodName: 'Readings', methodParameters: {} },
        ...{
          internal: false,
          tags: [],
          additionalParameters: '',
          payload: { readings: { temp: captures } },
          sizeBytes: 9,
        },
        ...{
          timeRequested: ofDay(time),
          timeReceived: ofDay(time),
          timeSynced: synced === undefined ? service.time.now : ofDay(synced),
        },
      };
      await store.tabular.insert([row], { organizationId: 'a', uploadId: id, ids: [id], timeSynced: 0 } as never);
    },
    async create(changes = {}) {
      const request = { organizationId: 'a', name: 'hourly', mqlBinary: count, schedule: '0 * * * *', ...changes };
      return (await service.owner.pipelines.createDataPipeline(request)).id;
    },
    async runs(id) {
      const { runs } = await service.owner.pipelines.listDataPipelineRuns({ id, pageSize: 100 });
      return runs.map(describeRun);
    },
    async sink(id) {
      const dataSource = { type: TabularDataSourceType.PIPELINE_SINK, pipelineId: id };
      const { rawData } = await service.owner.data.tabularDataByMQL({ organizationId: 'a', mqlBinary: [], dataSource });
      return rawData.map((bytes) => deserialize(bytes));
    },
  };
}

const statusNames = Object.fromEntries(Object.entries(DataPipelineRunStatus).map(([name, status]) => [status, name]));

function describeRun({ dataStartTime, dataEndTime, status }: DataPipelineRun): string {
  const clockTime = (time: DataPipelineRun['dataEndTime']) =>
    new Date(Number(time!.seconds) * 1000).toISOString().slice(11, 16);
  return `${clockTime(dataStartTime)}-${clockTime(dataEndTime)} ${statusNames[status]}`;
}

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
    await bench.capture('04:40', 'probe', '05:19:55'); // its upload waited for a lock
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
      ...{ id, organizationId: 'a', name: 'sums', schedule: '0 * * * *', enabled: true },
      dataSourceType: TabularDataSourceType.STANDARD,
    });
    expect(dataPipeline!.mqlBinary.map((stage) => deserialize(stage))).toEqual(
      count.map((stage) => deserialize(stage)),
    );
    const { dataPipelines } = await bench.operator.pipelines.listDataPipelines({ organizationId: 'a' });
    expect(dataPipelines.map(({ name }) => name)).toEqual(['sums']);
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
    ['a script', { mqlBinary: [serialize({ $match: { $where: 'true' } })] }, 'InvalidArgument'],
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
