import { createGrpcTransport } from '@connectrpc/connect-node';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { sensor } from '../clients/home.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';

const record = new OperationRecord();
const password = 'slash / and ä';
let server: SightglassServer;
let mongo: MongoClient;

// The steps of a user: start a server, upload, set a password, and connect with the service's URI.
beforeAll(async () => {
  server = await serveSightglass(['--mongo-port', '0']);
  const { organizationId, partId } = server;
  const transport = (authorization: string | null) =>
    createGrpcTransport({ baseUrl: server.origin, interceptors: [authorizing(authorization)] });
  const { sync, data } = await login(server, transport, new OperationRecord());
  const resource = { componentType: sensor, componentName: 'probe', methodName: 'Readings' };
  await sync.dataCaptureUpload({
    metadata: { partId, type: DataType.TABULAR_SENSOR, ...resource },
    sensorContents: [10, 20, 60].map((celsius) => ({ data: { case: 'struct', value: { readings: { celsius } } } })),
  });
  await data.configureDatabaseUser({ organizationId, password });
  const { mongodbUri } = await data.getDatabaseConnection({ organizationId });
  mongo = new MongoClient(mongodbUri, { auth: { username: `db-user-${organizationId}`, password } });
});
afterAll(async () => {
  await mongo.close();
  await server.close();
});

const readings = () => mongo.db('sensorData').collection('readings');
const scenario = (operation: string, run: () => Promise<unknown>) =>
  it(`answers ${operation}`, () =>
    record.during(async () => {
      await run();
      record.note(operation);
    }));

scenario('MongoDB find', async () => {
  const found = await readings()
    .find({ 'data.readings.celsius': { $gt: 15 } }, { projection: { _id: 0, 'data.readings.celsius': 1 } })
    .sort({ 'data.readings.celsius': 1 })
    .toArray();
  expect(found).toEqual([20, 60].map((celsius) => ({ data: { readings: { celsius } } })));
});

scenario('MongoDB aggregate', async () => {
  const mean = { $group: { _id: '$component_name', mean: { $avg: '$data.readings.celsius' } } };
  expect(await readings().aggregate([mean]).toArray()).toEqual([{ _id: 'probe', mean: 30 }]);
});

scenario('MongoDB count', async () => {
  expect(await readings().countDocuments({ component_name: 'probe' })).toBe(3);
  expect(await readings().estimatedDocumentCount()).toBe(3);
});

it('is what the README says', () => {
  expect(readmeColumn('Server: mongodb', record.marks)).toEqual(record.marks);
});
