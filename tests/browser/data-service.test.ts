import { Code, ConnectError } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { afterEach, expect, it } from 'vitest';
import { createDataClient, type DataClient } from '../../workers/data-service/client.ts';
import { localHome } from '../../src/data-service/access/local-home.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';

const open: DataClient[] = [];
function newTab(onStart?: (worker: Worker) => void, script?: () => string | undefined): DataClient {
  const start = () => {
    const instead = script?.();
    const worker = instead
      ? new Worker(instead, { type: 'module' })
      : new Worker(new URL('../../workers/data-service/entry.ts', import.meta.url), { type: 'module' });
    onStart?.(worker);
    return worker;
  };
  const client = createDataClient(start);
  open.push(client);
  return client;
}
afterEach(() => open.splice(0).forEach((client) => client.close()));

async function* fileOf(bytes: Uint8Array, fileName: string) {
  const { partId } = localHome;
  yield { uploadPacket: { case: 'metadata' as const, value: { partId, type: DataType.FILE, fileName } } };
  for (let at = 0; at < bytes.length; at += 65_536) {
    yield { uploadPacket: { case: 'fileContents' as const, value: { data: bytes.slice(at, at + 65_536) } } };
  }
}

it('keeps a streamed file, for this worker and for the next, without any key', async () => {
  const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251);
  const first = newTab();
  const { binaryDataId } = await first.sync.fileUpload(fileOf(bytes, 'clip.mp4'));
  expect(binaryDataId).toMatch(/^local\/local\//);
  first.close();
  const found = await newTab().data.binaryDataByIDs({ binaryDataIds: [binaryDataId], includeBinary: true });
  expect(found.data[0]!.metadata!.fileName).toBe('clip.mp4');
  expect(found.data[0]!.binary.length).toBe(bytes.length);
  expect(found.data[0]!.binary.every((byte, index) => byte === bytes[index])).toBe(true);
});

it('lets two tabs begin at once and see each other’s data', async () => {
  const [one, other] = [newTab(), newTab()];
  const { organizationId } = localHome;
  const name = crypto.randomUUID();
  const [{ id }] = await Promise.all([
    one.datasets.createDataset({ organizationId, name }),
    other.datasets.listDatasetsByOrganizationID({ organizationId }),
  ]);
  expect((await other.datasets.listDatasetsByIDs({ ids: [id] })).datasets.map((dataset) => dataset.name)).toEqual([
    name,
  ]);
});

it('streams readings out and answers queries in a worker of their own', async () => {
  const { sync, data } = newTab();
  const componentName = `scale-${crypto.randomUUID()}`;
  const resource = { componentType: 'rdk:component:sensor', componentName, methodName: 'Readings' };
  await sync.dataCaptureUpload({
    metadata: { partId: localHome.partId, type: DataType.TABULAR_SENSOR, ...resource },
    sensorContents: [3, 4, 5].map((grams) => ({ data: { case: 'struct' as const, value: { readings: { grams } } } })),
  });
  const rows = [];
  const asked = { partId: localHome.partId, resourceName: componentName, resourceSubtype: resource.componentType };
  for await (const row of data.exportTabularData({ ...asked, methodName: 'Readings' })) rows.push(row.payload);
  expect(rows).toHaveLength(3);
  const { rawData } = await data.tabularDataBySQL({
    organizationId: localHome.organizationId,
    sqlQuery: `SELECT SUM(data.readings.grams) AS total FROM readings WHERE component_name = '${componentName}'`,
  });
  expect(rawData.map((document) => deserialize(document))).toMatchObject([{ total: 12 }]);
});

it('ends the calls of a worker that is killed with Unavailable, and is there again for the next', async () => {
  const workers: Worker[] = [];
  const { sync, data } = newTab((worker) => workers.push(worker));
  await data.tagsByFilter({});
  async function* endless() {
    yield* fileOf(new Uint8Array(10), 'never.bin');
    workers[0]!.terminate();
    await new Promise(() => undefined);
  }
  const lost = await sync.fileUpload(endless()).then(() => null, ConnectError.from);
  expect([lost?.code, lost?.rawMessage]).toEqual([Code.Unavailable, expect.stringContaining('starts it again')]);
  const filter = { dataRequest: { filter: { organizationIds: [localHome.organizationId] } }, includeBinary: false };
  const names = (await data.binaryDataByFilter(filter)).data.map(({ metadata }) => metadata?.fileName);
  expect(names).not.toContain('never.bin');
  expect(workers).toHaveLength(2);
});

it('starts a worker that could not be started again with the next call', async () => {
  const scripts = [URL.createObjectURL(new Blob(['throw new Error("half a script")'])), '/there-is-no-such-script.js'];
  const started: Worker[] = [];
  const { data } = newTab(
    (worker) => started.push(worker),
    () => scripts.shift(),
  );
  for (let start = 0; start < 2; start++) {
    const error = await data.tagsByFilter({}).then(() => null, ConnectError.from);
    expect(error?.code).toBe(Code.Unavailable);
  }
  await data.tagsByFilter({});
  expect(started).toHaveLength(3);
});

it('says why it has no database endpoint', async () => {
  const call = newTab().data.getDatabaseConnection({ organizationId: localHome.organizationId });
  const error = await call.then(() => null, ConnectError.from);
  expect([error?.code, error?.rawMessage]).toEqual([
    Code.FailedPrecondition,
    expect.stringContaining('sightglass serve'),
  ]);
});
