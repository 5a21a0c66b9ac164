import { serialize, deserialize } from 'bson';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it, onTestFinished } from 'vitest';
import { TabularDataSourceType } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { describeRun } from '../pipeline-bench.ts';
import { authenticatedClients, clientsWithToken, type ServerClients } from './server-clients.ts';
import { describeShared } from './shared-places.ts';

const hourMs = 3_600_000;
const patience = { timeout: 60_000, interval: 50 };

/** Takes about a second for each reading. */
const slowly = { $reduce: { input: { $range: [0, 400] }, initialValue: 0, in: { $size: { $range: [0, 50_000] } } } };
const stages = [{ $project: { slowly } }, { $group: { _id: null, n: { $sum: 1 } } }];

describeShared('hosts of which one is frozen', (places) => {
  it('run the window that it was at elsewhere, and keep nothing of what it says when it goes on', async () => {
    const store = await places().newStore();
    const database = new PostgresDatabase(store.environment['SIGHTGLASS_DATABASE']!, { connections: 1 });
    onTestFinished(() => database.close());
    const minutesLater = (minutes: number) =>
      database.write((statements) =>
        statements.run(
          `CREATE OR REPLACE FUNCTION store_time() RETURNS double precision LANGUAGE sql VOLATILE
           AS 'SELECT floor(extract(epoch FROM clock_timestamp() + interval ''${minutes} minutes'') * 1e6)::double precision'`,
        ),
      );
    const start = new Date(Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs);
    const read = ({ sync }: ServerClients, minute: number) =>
      sync.dataCaptureUpload({
        metadata: { partId, componentName: 'thermometer', type: DataType.TABULAR_SENSOR },
        sensorContents: [
          {
            metadata: {
              timeRequested: timestampFromDate(new Date(start.getTime() + minute * 60_000)),
              timeReceived: timestampFromDate(start),
            },
            data: { case: 'struct', value: { minute } },
          },
        ],
      });
    const frozen = await store.startHost();
    const { partId, organizationId } = frozen.firstStart!;
    const { accessToken, ...clients } = await authenticatedClients(frozen.origin, frozen.firstStart!, 'grpc');
    await read(clients, 1);
    const mqlBinary = stages.map((stage) => serialize(stage));
    const pipeline = { organizationId, name: 'slow', mqlBinary, schedule: '0 * * * *', enableBackfill: true };
    const { id } = await clients.pipelines.createDataPipeline(pipeline);
    const window = `${start.toISOString().slice(11, 16)}-`;
    const runs = async ({ pipelines }: ServerClients) =>
      (await pipelines.listDataPipelineRuns({ id, pageSize: 100 })).runs
        .map(describeRun)
        .filter((run) => run.startsWith(window))
        .map((run) => run.split(' ')[1])
        .sort();
    const counts = async ({ data }: ServerClients) => {
      const dataSource = { type: TabularDataSourceType.PIPELINE_SINK, pipelineId: id };
      const { rawData } = await data.tabularDataByMQL({ organizationId, mqlBinary: [], dataSource });
      return rawData.map((bytes) => deserialize(bytes)['n'] as unknown);
    };

    await expect.poll(() => runs(clients), patience).toEqual(['STARTED']);
    frozen.process.kill('SIGSTOP');
    const other = await store.startHost();
    const others = clientsWithToken(other.origin, accessToken, 'grpc');
    expect(await runs(others)).toEqual(['STARTED']);
    await minutesLater(11); // the lease is over
    await expect.poll(() => runs(others), patience).toEqual(['COMPLETED', 'FAILED']);
    expect(await counts(others)).toEqual([1]);
    await other.end('SIGKILL');

    frozen.process.kill('SIGCONT');
    await read(clients, 2);
    await minutesLater(12); // what came late is looked for
    // the host looks once the run is ended that it was frozen at
    await expect.poll(() => runs(clients), patience).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
    expect(await counts(clients)).toEqual([2]);
    expect(frozen.stderr()).not.toContain('a defect');
  });
});
