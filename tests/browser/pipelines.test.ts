import { createClient, createRouterTransport } from '@connectrpc/connect';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { deserialize, serialize } from 'bson';
import { afterEach, expect, it } from 'vitest';
import { localHome, setUpLocalHome } from '../../src/data-service/access/local-home.ts';
import { dataServiceRoutes } from '../../src/data-service/data-service-routes.ts';
import { PipelineScheduler } from '../../src/data-service/pipelines/pipeline-scheduler.ts';
import { DataService, TabularDataSourceType } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelineRunStatus, DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { browserDataService } from '../../src/platform/browser/data-service/browser-data-service.ts';
import { hasRecords } from '../../src/platform/browser/indexed-db/has-records.ts';
import { browserQueryWorkers } from '../../workers/query/client.ts';
import { tickInOneTab } from '../../src/platform/browser/locks/tick-in-one-tab.ts';

const { organizationId, partId } = localHome;
const closing: AbortController[] = [];
afterEach(() => closing.splice(0).forEach((tab) => tab.abort()));

const startQueryWorker = browserQueryWorkers(
  () => new Worker(new URL('../../workers/query/entry.ts', import.meta.url), { type: 'module' }),
);

/** The data service, composed as in its worker, with a clock that the test sets, and browser tabs. */
async function browserAt(iso: string) {
  const time = { now: Date.parse(iso) * 1000 };
  const clock = { now: () => time.now };
  const databaseName = `pipelines-${crypto.randomUUID()}`;
  const service = () => browserDataService({ clock, startQueryWorker, databaseName });
  const dependencies = service();
  await setUpLocalHome(dependencies.store, clock);
  const transport = createRouterTransport(dataServiceRoutes(dependencies));
  const sync = createClient(DataSyncService, transport);
  const pipelines = createClient(DataPipelinesService, transport);
  const data = createClient(DataService, transport);
  return {
    databaseName,
    pipelines,
    goTo: (later: string) => void (time.now = Date.parse(later) * 1000),
    /** Opens a tab with its own store and scheduler; counts the scheduler's ticks. */
    openTab() {
      const closed = new AbortController();
      closing.push(closed);
      const scheduler = new PipelineScheduler(service());
      let running = Promise.resolve();
      const close = (): Promise<void> => {
        closed.abort();
        return running; // what a closed tab leaves half done, the next does again: that is another test's matter
      };
      const tab = { ticks: 0, close };
      const tick = (signal: AbortSignal) => (running = scheduler.tick(signal).then(() => void tab.ticks++));
      tickInOneTab(databaseName, tick, 5, closed.signal);
      return tab;
    },
    async read(atIso: string) {
      const at = timestampFromMs(Date.parse(atIso));
      await sync.dataCaptureUpload({
        metadata: {
          partId,
          type: DataType.TABULAR_SENSOR,
          componentType: 'rdk:component:sensor',
          componentName: 'scale',
          methodName: 'Readings',
        },
        sensorContents: [
          {
            metadata: { timeRequested: at, timeReceived: at },
            data: { case: 'struct', value: { readings: { grams: 5 } } },
          },
        ],
      });
    },
    /** All runs as `hh:mm status count`, oldest first. */
    async runs(id: string) {
      const { runs } = await pipelines.listDataPipelineRuns({ id, pageSize: 100 });
      return runs.reverse().map(({ dataStartTime, status }) => {
        const from = new Date(Number(dataStartTime!.seconds) * 1000).toISOString().slice(11, 16);
        return `${from} ${Object.entries(DataPipelineRunStatus).find(([, value]) => value === status)![0]}`;
      });
    },
    async sinkCounts(pipelineId: string) {
      const dataSource = { type: TabularDataSourceType.PIPELINE_SINK, pipelineId };
      const mqlBinary = [serialize({ $sort: { '_viam_pipeline_run.interval.start': 1 } })];
      const { rawData } = await data.tabularDataByMQL({ organizationId, mqlBinary, dataSource });
      return rawData.map((document) => deserialize(document)['n'] as number);
    },
  };
}

const hourly = {
  organizationId,
  name: 'hourly',
  schedule: '0 * * * *',
  enableBackfill: true,
  mqlBinary: [serialize({ $group: { _id: '$component_name', n: { $sum: 1 } } })],
};

it('runs in one tab of several, in the next when that closes, and catches up on the hours without any', async () => {
  const browser = await browserAt('2026-03-11T05:10:00Z');
  expect(await hasRecords(browser.databaseName, 'pipelines')).toBe(false);
  const { id } = await browser.pipelines.createDataPipeline(hourly);
  expect(await hasRecords(browser.databaseName, 'pipelines')).toBe(true);
  await browser.read('2026-03-11T05:20:00Z');
  await browser.read('2026-03-11T05:59:59Z');

  const first = browser.openTab();
  await expect.poll(() => first.ticks).toBeGreaterThan(2);
  const second = browser.openTab();
  browser.goTo('2026-03-11T06:02:00Z');
  await expect.poll(() => browser.runs(id)).toEqual(['05:00 COMPLETED']);
  expect(second.ticks).toBe(0);

  await first.close();
  await expect.poll(() => second.ticks).toBeGreaterThan(0);
  await browser.read('2026-03-11T06:30:00Z');
  browser.goTo('2026-03-11T07:02:00Z');
  await expect.poll(() => browser.runs(id)).toEqual(['05:00 COMPLETED', '06:00 COMPLETED']);

  // No tab is open for three hours. Meanwhile the outbox stores data of two of these hours.
  await second.close();
  const ended = second.ticks;
  browser.goTo('2026-03-11T10:02:00Z');
  await browser.read('2026-03-11T08:10:00Z');
  await browser.read('2026-03-11T09:10:00Z');
  await browser.read('2026-03-11T09:40:00Z');
  expect(second.ticks - ended).toBeLessThanOrEqual(1);
  browser.openTab();
  await expect
    .poll(() => browser.runs(id))
    .toEqual(['05:00', '06:00', '07:00', '08:00', '09:00'].map((from) => `${from} COMPLETED`));
  expect(await browser.sinkCounts(id)).toEqual([2, 1, 1, 2]);
}, 30_000);
