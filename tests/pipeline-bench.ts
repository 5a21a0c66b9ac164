import { deserialize, serialize } from 'bson';
import { TabularDataSourceType } from '../src/gen/app/data/v1/data_pb.ts';
import { DataPipelineRunStatus, type DataPipelineRun } from '../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { memoryDataStore } from './memory-store/memory-data-store.ts';
import type { DataStore } from '../src/data-service/ports/data-store.ts';
import type { TabularRow } from '../src/data-service/ports/stored-captures.ts';
import type { PipelineRun } from '../src/data-service/ports/pipeline-store.ts';
import { inlineQueryWorker } from './inline-query-worker.ts';
import { undivided } from '../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../src/data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../src/data-service/query/query-rows.ts';
import { PipelineScheduler } from '../src/data-service/pipelines/pipeline-scheduler.ts';
import { micros, startDataService, startTime, type TestService } from './data-service-fixture.ts';

/** A signal that is never aborted. */
export const never = new AbortController().signal;
/** The stages of a query that counts the readings of each component. */
export const count = [
  serialize({ $group: { _id: '$component_name', n: { $sum: 1 } } }),
  serialize({ $sort: { _id: 1 } }),
];

/** A data service whose clock and schedulers are advanced by the test. */
export interface Bench extends TestService {
  readonly store: DataStore;
  readonly scheduler: () => PipelineScheduler;
  /** Sets the clock to a time of 11 March 2026 and lets the schedulers poll. */
  readonly at: (time: string, ...schedulers: PipelineScheduler[]) => Promise<void>;
  /** Stores a reading captured at a time of that day, received at the clock's time unless `synced` is given. */
  readonly capture: (time: string, name?: string, synced?: string) => Promise<void>;
  readonly create: (changes?: object) => Promise<string>;
  /** Stores a finished run of another host for the minute from `start`, with the given changes. */
  readonly ran: (id: string, start: number, changes?: Partial<PipelineRun>) => Promise<void>;
  /** The runs of a pipeline as `hh:mm-hh:mm STATUS`, newest first. */
  readonly runs: (id: string) => Promise<string[]>;
  readonly sink: (id: string) => Promise<Record<string, unknown>[]>;
}

/** Microseconds of a time of 11 March 2026, given as `05:10`, or of a complete ISO time. */
export const ofDay = (time: string): number =>
  micros(time.includes('T') ? time : `2026-03-11T${time}${time.length === 5 ? ':00' : ''}Z`);

export async function startBench(): Promise<Bench> {
  let time = { now: startTime };
  const clock = { now: (): number => time.now };
  const store = memoryDataStore(clock);
  const rows = readQueryRows(store);
  const queryRunner = new IsolatedQueryRunner({ rows, startWorker: inlineQueryWorker, clock, turns: undivided(4) });
  const service: TestService = await startDataService({ store, queryRunner });
  ({ time } = service);
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
        id,
        organizationId: 'a',
        locationId: 'lab',
        robotId: 'r',
        robotName: 'r',
        partId: 'lab-part',
        partName: '',
        componentType: 'rdk:component:sensor',
        componentName: name,
        methodName: 'Readings',
        methodParameters: {},
        internal: false,
        tags: [],
        additionalParameters: '',
        payload: { readings: { temp: captures } },
        sizeBytes: 9,
        timeRequested: ofDay(time),
        timeReceived: ofDay(time),
        timeSynced: synced === undefined ? service.time.now : ofDay(synced),
      };
      await store.tabular.insert([row], { organizationId: 'a', uploadId: id, ids: [id], timeSynced: 0 } as never);
    },
    async create(changes = {}) {
      const request = { organizationId: 'a', name: 'hourly', mqlBinary: count, schedule: '0 * * * *', ...changes };
      return (await service.owner.pipelines.createDataPipeline(request)).id;
    },
    async ran(pipelineId, start, changes = {}) {
      const run: PipelineRun = {
        id: `ran-${String(++captures).padStart(6, '0')}`,
        pipelineId,
        organizationId: 'a',
        window: { start, end: start + 60e6 },
        timeStarted: start,
        timeEnded: start,
        errorMessage: '',
        status: 'completed',
        leaseOwner: 'another host',
        leaseUntil: start,
        dataSeenUntil: start,
        ...changes,
      };
      await store.pipelines.claim(run, { longestLease: 0, lostMessage: '', rerunOf: null, notAfter: null });
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

/** `hh:mm-hh:mm STATUS` */
export function describeRun({ dataStartTime, dataEndTime, status }: DataPipelineRun): string {
  const clockTime = (time: DataPipelineRun['dataEndTime']) =>
    new Date(Number(time!.seconds) * 1000).toISOString().slice(11, 16);
  return `${clockTime(dataStartTime)}-${clockTime(dataEndTime)} ${statusNames[status]}`;
}
