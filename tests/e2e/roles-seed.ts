import { readFileSync } from 'node:fs';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { serialize } from 'bson';
import { IndexableCollection } from '../../src/gen/app/data/v1/data_pb.ts';
import { DatasetType } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import type { ServiceClients } from '../clients/operation-scenarios.ts';
import type { SightglassServer } from '../clients/sightglass-server.ts';

/** One of each thing that roles are about, on a server. */
export interface SeededServer {
  readonly clients: ServiceClients;
  readonly imageId: string;
  readonly datasetId: string;
  readonly sequenceId: string;
  readonly pipelineId: string;
  readonly indexName: string;
}

const startMs = Date.UTC(2026, 4, 28, 12);

/** Stores an image in a dataset, a reading, a sequence in a dataset of sequences, a pipeline, a saved query, an index and a label scheme. */
export async function seedServer(server: SightglassServer): Promise<SeededServer> {
  const { organizationId, partId, origin: baseUrl } = server;
  const transport = (authorization: string | null) =>
    createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors: [authorizing(authorization)] });
  const clients = await login(server, transport, new OperationRecord());
  const { data, sync, datasets, pipelines, labels } = clients;
  const timeRequested = timestampFromMs(startMs);
  const camera = { componentType: 'rdk:component:camera', componentName: 'front', methodName: 'GetImages' };
  const { binaryDataId: imageId } = await sync.dataCaptureUpload({
    metadata: { partId, ...camera, type: DataType.BINARY_SENSOR, fileExtension: '.jpg', fileName: 'faces.jpg' },
    sensorContents: [
      {
        metadata: { timeRequested },
        data: { case: 'binary', value: readFileSync('public/builtin/frames/sample1.jpg') },
      },
    ],
  });
  const scale = { componentType: 'rdk:component:sensor', componentName: 'scale', methodName: 'Readings' };
  await sync.dataCaptureUpload({
    metadata: { partId, ...scale, type: DataType.TABULAR_SENSOR },
    sensorContents: [{ metadata: { timeRequested }, data: { case: 'struct', value: { readings: { kg: 1 } } } }],
  });
  const { id: datasetId } = await datasets.createDataset({ organizationId, name: 'faces' });
  await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [imageId], datasetId });
  await labels.putScheme({ datasetId, scheme: { labels: [{ name: 'face' }] } });
  const clips = await datasets.createDataset({ organizationId, name: 'clips', type: DatasetType.SEQUENCE_DATA });
  const { id: sequenceId } = await data.createSequence({
    partId,
    resources: [{ resourceName: 'front', methodName: 'GetImages' }],
    startTime: timestampFromMs(startMs - 1000),
    endTime: timestampFromMs(startMs + 1000),
  });
  await data.addSequencesToDataset({ datasetId: clips.id, sequenceIds: [sequenceId] });
  const count = [serialize({ $count: 'n' }) as Uint8Array<ArrayBuffer>];
  const { id: pipelineId } = await pipelines.createDataPipeline({
    organizationId,
    name: 'hourly',
    schedule: '0 * * * *',
    mqlBinary: count,
  });
  await data.createSavedQuery({ organizationId, name: 'counted', mqlBinary: count });
  const indexSpec = [new TextEncoder().encode(JSON.stringify({ 'data.readings.kg': 1 }))];
  await data.createIndex({ organizationId, collectionType: IndexableCollection.HOT_STORE, indexSpec });
  return { clients, imageId, datasetId, sequenceId, pipelineId, indexName: 'data.readings.kg_1' };
}
