import type { DescMethod, JsonObject } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code, type Client } from '@connectrpc/connect';
import { deserialize, serialize } from 'bson';
import { expect, it } from 'vitest';
import { FleetService } from '../../src/data-service/wire/fleet-service.ts';
import { DataService, IndexableCollection, Order, TabularDataSourceType } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelineRunStatus, DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService, DatasetType, SequenceDatasetExportStatus } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { RobotService } from '../../src/gen/app/v1/robot_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { AuditService } from '../../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService, type Task } from '../../src/gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../../src/gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { ReplayService, ResultKind } from '../../src/gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../src/gen/sightglass/storage/v1/storage_pb.ts';
import { splitDocuments } from '../../src/base/row-files/bson-rows.ts';
import { dataServices } from '../data-services.ts';
import { fewHoursAgo, minutesAfter, minutesAgo, sameBytes, sensor, someBytes, uniqueName, type Home } from './home.ts';
import { observedClient } from './observed-client.ts';
import type { OperationRecord } from './operation-record.ts';

/** A client for each service, over any transport. */
export interface ServiceClients {
  readonly data: Client<typeof DataService>;
  readonly sync: Client<typeof DataSyncService>;
  readonly datasets: Client<typeof DatasetService>;
  readonly pipelines: Client<typeof DataPipelinesService>;
  readonly storage: Client<typeof StorageService>;
  readonly query: Client<typeof QueryService>;
  readonly replay: Client<typeof ReplayService>;
  readonly audit: Client<typeof AuditService>;
  readonly labels: Client<typeof LabelService>;
  readonly fleet: Client<typeof FleetService>;
  readonly machine: Client<typeof RobotService>;
  readonly session: Client<typeof SessionService>;
  readonly people: Client<typeof PeopleService>;
}

/** The environment that the scenarios run in. */
export interface OperationsPlace {
  readonly home: () => Home;
  readonly clients: () => ServiceClients;
  readonly record: OperationRecord;
  /** false: the client cannot send a stream */
  readonly sendsStreams?: boolean;
  /** false: these tests run without the part of the host that serves URLs */
  readonly answersUrls?: boolean;
  /** false: the host says that it has no database endpoint */
  readonly hasDatabase?: boolean;
  /** false: the client has no calls of Sightglass's own services */
  readonly knowsSightglass?: boolean;
  /** Makes someone an annotator of the home's organization and resolves to the membership's id; absent: the host has no people. */
  readonly addMember?: () => Promise<string>;
}

const chunkBytes = 65_536;
/** Pipeline runs start only at the next poll of the scheduler. */
const patienceMs = 60_000;

/** Calls every operation of the data service and checks the answers. Every host and every client must pass the same tests. */
export function describeOperations(place: OperationsPlace): void {
  const { home, record, sendsStreams = true, answersUrls = true, hasDatabase = true, addMember } = place;
  const { knowsSightglass = true } = place;
  let [data, sync, datasets, pipelines, storage, query, replay, audit, labels, fleet, machine, session, people] =
    [] as unknown as [
      ServiceClients['data'],
      ServiceClients['sync'],
      ServiceClients['datasets'],
      ServiceClients['pipelines'],
      ServiceClients['storage'],
      ServiceClients['query'],
      ServiceClients['replay'],
      ServiceClients['audit'],
      ServiceClients['labels'],
      ServiceClients['fleet'],
      ServiceClients['machine'],
      ServiceClients['session'],
      ServiceClients['people'],
    ];
  const scenario = (name: string, run: () => Promise<unknown>) =>
    it(
      name,
      async () => {
        const clients = place.clients();
        data = observedClient(DataService, clients.data, record);
        sync = observedClient(DataSyncService, clients.sync, record);
        datasets = observedClient(DatasetService, clients.datasets, record);
        pipelines = observedClient(DataPipelinesService, clients.pipelines, record);
        storage = observedClient(StorageService, clients.storage, record);
        query = observedClient(QueryService, clients.query, record);
        replay = observedClient(ReplayService, clients.replay, record);
        audit = observedClient(AuditService, clients.audit, record);
        labels = observedClient(LabelService, clients.labels, record);
        fleet = observedClient(FleetService, clients.fleet, record);
        machine = observedClient(RobotService, clients.machine, record);
        session = observedClient(SessionService, clients.session, record);
        people = observedClient(PeopleService, clients.people, record);
        await record.during(run);
      },
      patienceMs,
    );
  const ownScenario: typeof scenario = (name, run) => {
    if (knowsSightglass) scenario(name, run);
  };

  const pictures = async (componentName: string, count = 1, more: { tags?: string[]; datasetIds?: string[] } = {}) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const resource = { componentName, methodName: 'ReadImage', fileExtension: 'png' };
      const { binaryDataId } = await sync.dataCaptureUpload({
        metadata: { partId: home().partId, type: DataType.BINARY_SENSOR, ...resource, ...more },
        sensorContents: [
          {
            metadata: { timeRequested: timestampFromDate(minutesAgo(20 - index)) },
            data: { case: 'binary', value: someBytes(100 + index) },
          },
        ],
      });
      ids.push(binaryDataId);
    }
    return ids;
  };
  const probe = (componentName: string) => ({ componentName, componentType: sensor, methodName: 'Readings' });
  const readings = async (componentName: string, values: readonly number[], from = minutesAgo(20)) =>
    sync.dataCaptureUpload({
      metadata: { partId: home().partId, type: DataType.TABULAR_SENSOR, ...probe(componentName) },
      sensorContents: values.map((celsius, index) => ({
        metadata: { timeRequested: timestampFromDate(minutesAfter(from, index)) },
        data: { case: 'struct', value: { readings: { celsius } } satisfies JsonObject },
      })),
    });
  const exported = async (componentName: string) => {
    const asked = { partId: home().partId, resourceName: componentName, resourceSubtype: sensor };
    const payloads: unknown[] = [];
    for await (const row of data.exportTabularData({ ...asked, methodName: 'Readings' })) payloads.push(row.payload);
    return payloads;
  };
  const metadataOf = async (id: string) => (await data.binaryDataByIDs({ binaryDataIds: [id] })).data[0]!.metadata!;
  const bytesOf = async (id: string) =>
    (await data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true })).data[0]!.binary;
  const stages = (...documents: object[]) => documents.map((document) => serialize(document));
  const rowsOf = ({ rawData }: { readonly rawData: readonly Uint8Array[] }) => rawData.map((row) => deserialize(row));
  const refusal = (code: Code) => ({ code });

  if (sendsStreams) {
    scenario('takes a file in chunks', async () => {
      const content = someBytes(3 * chunkBytes + 17);
      const { partId } = home();
      const { binaryDataId } = await sync.fileUpload(
        (async function* () {
          const metadata = { partId, type: DataType.FILE, fileName: 'walk.mp4' };
          yield { uploadPacket: { case: 'metadata' as const, value: metadata } };
          for (let at = 0; at < content.length; at += chunkBytes) {
            yield {
              uploadPacket: { case: 'fileContents' as const, value: { data: content.slice(at, at + chunkBytes) } },
            };
          }
        })(),
      );
      expect(await metadataOf(binaryDataId)).toMatchObject({
        fileName: 'walk.mp4',
        fileSizeBytes: BigInt(content.length),
        captureMetadata: { mimeType: 'video/mp4' },
      });
      expect(sameBytes(await bytesOf(binaryDataId), content)).toBe(true);
    });

    scenario('takes a capture in chunks', async () => {
      const content = someBytes(chunkBytes + 1);
      const uploadMetadata = { partId: home().partId, componentName: uniqueName('cam'), fileExtension: '.jpg' };
      const { binaryDataId } = await sync.streamingDataCaptureUpload(
        (async function* () {
          const sensorMetadata = { timeRequested: timestampFromDate(minutesAgo(5)) };
          yield { uploadPacket: { case: 'metadata' as const, value: { uploadMetadata, sensorMetadata } } };
          for (const part of [content.slice(0, chunkBytes), content.slice(chunkBytes)])
            yield { uploadPacket: { case: 'data' as const, value: part } };
        })(),
      );
      const { timeRequested, captureMetadata } = await metadataOf(binaryDataId);
      expect(timestampDate(timeRequested!)).toEqual(minutesAgo(5));
      expect(captureMetadata!.mimeType).toBe('image/jpeg');
      expect(sameBytes(await bytesOf(binaryDataId), content)).toBe(true);
    });
  }

  scenario('takes readings, and gives them back in order', async () => {
    const name = uniqueName('probe');
    await readings(name, [20, 21.5, 23]);
    expect(await exported(name)).toEqual([20, 21.5, 23].map((celsius) => ({ readings: { celsius } })));
    const asked = { partId: home().partId, resourceName: name, resourceSubtype: sensor, methodName: 'Readings' };
    const latest = await data.getLatestTabularData(asked);
    expect([timestampDate(latest.timeCaptured!), latest.payload]).toEqual([
      minutesAgo(18),
      { readings: { celsius: 23 } },
    ]);
    expect((await data.getLatestTabularData({ ...asked, resourceName: 'none' })).payload).toBeUndefined();
    const filter = { componentName: name };
    const page = { filter, limit: 2n, sortOrder: Order.ASCENDING };
    const first = await data.tabularDataByFilter({ dataRequest: page });
    expect(first.data.map((row) => row.data)).toEqual([20, 21.5].map((celsius) => ({ readings: { celsius } })));
    expect(first.metadata[first.data[1]!.metadataIndex]!.componentName).toBe(name);
    const second = await data.tabularDataByFilter({ dataRequest: { ...page, last: first.last } });
    expect(second.data.map((row) => row.data)).toEqual([{ readings: { celsius: 23 } }]);
    expect((await data.tabularDataByFilter({ dataRequest: { filter }, countOnly: true })).count).toBe(3n);
    const unknown = sync.dataCaptureUpload({ metadata: { partId: 'none' }, sensorContents: [{}] });
    await expect(unknown).rejects.toMatchObject(refusal(Code.InvalidArgument));
  });

  scenario('answers SQL, MQL and saved queries', async () => {
    const [name, { organizationId }] = [uniqueName('probe'), home()];
    await readings(name, [10, 20, 60]);
    await readings(name, [500], minutesAgo(60 * 26));
    const sqlQuery = `SELECT SUM(data.readings.celsius) AS total FROM readings WHERE component_name = '${name}'`;
    expect(rowsOf(await data.tabularDataBySQL({ organizationId, sqlQuery }))).toMatchObject([{ total: 590 }]);
    const ofName = stages({ $match: { component_name: name } });
    const saved = { organizationId, name: uniqueName('query') };
    const { id } = await data.createSavedQuery({ ...saved, mqlBinary: stages({ $match: { component_name: 'x' } }) });
    await data.updateSavedQuery({ id, name: saved.name, mqlBinary: ofName });
    const { savedQuery } = await data.getSavedQuery({ id });
    expect([savedQuery!.name, savedQuery!.mqlBinary.map((stage) => deserialize(stage))]).toEqual([
      saved.name,
      [{ $match: { component_name: name } }],
    ]);
    expect((await data.listSavedQueries({ organizationId })).queries.map((query) => query.id)).toContain(id);
    const count = { organizationId, mqlBinary: stages({ $count: 'n' }), queryPrefixName: saved.name };
    expect(rowsOf(await data.tabularDataByMQL(count))).toEqual([{ n: 4 }]);
    const dataSource = { type: TabularDataSourceType.HOT_STORAGE };
    expect(rowsOf(await data.tabularDataByMQL({ ...count, dataSource }))).toEqual([{ n: 3 }]);
    await data.deleteSavedQuery({ id });
    await expect(data.getSavedQuery({ id })).rejects.toMatchObject(refusal(Code.NotFound));
    const write = data.tabularDataByMQL({ organizationId, mqlBinary: stages({ $out: 'elsewhere' }) });
    await expect(write).rejects.toMatchObject(refusal(Code.InvalidArgument));
  });

  ownScenario('streams the rows of a query', async () => {
    const [name, { organizationId }] = [uniqueName('probe'), home()];
    await readings(name, [10, 20, 60]);
    await readings(name, [500], minutesAgo(60 * 26));
    const sqlQuery = `SELECT data.readings.celsius FROM readings WHERE component_name = '${name}'`;
    const streamed: unknown[] = [];
    for await (const { rows } of query.streamRows({ query: { case: 'sql', value: { organizationId, sqlQuery } } }))
      streamed.push(...rowsOf({ rawData: splitDocuments(rows).documents }));
    expect(streamed).toEqual([500, 10, 20, 60].map((celsius) => ({ celsius })));
  });

  scenario('pages through files, and gives one by its id', async () => {
    const componentName = uniqueName('cam');
    const ids = await pictures(componentName, 3);
    const dataRequest = { filter: { componentName }, limit: 2n, sortOrder: Order.ASCENDING };
    const first = await data.binaryDataByFilter({ dataRequest, includeBinary: true });
    expect(first.data.map(({ binary }) => binary.length)).toEqual([100, 101]);
    const second = await data.binaryDataByFilter({ dataRequest: { ...dataRequest, last: first.last } });
    expect(second.data.map(({ metadata }) => metadata!.binaryDataId)).toEqual(ids.slice(2));
    expect(sameBytes(await bytesOf(ids[0]!), someBytes(100))).toBe(true);
    const unknown = data.binaryDataByIDs({ binaryDataIds: [`${ids[0]}x`] });
    await expect(unknown).rejects.toMatchObject(refusal(Code.NotFound));
  });

  scenario('signs URLs', async () => {
    const [binaryDataId] = await pictures(uniqueName('cam'));
    const { signedUrl, expiresAt } = await data.createBinaryDataSignedURL({ binaryDataId: binaryDataId! });
    const minutes = (timestampDate(expiresAt!).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThan(16);
    expect(new URL(signedUrl).pathname).toContain('/data/signed/');
    if (!answersUrls) return;
    expect(sameBytes(new Uint8Array(await (await fetch(signedUrl)).arrayBuffer()), someBytes(100))).toBe(true);
  });

  scenario('tags by ids and by filter', async () => {
    const componentName = uniqueName('cam');
    const [one, two] = (await pictures(componentName, 2)) as [string, string];
    const filter = { componentName };
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [one], tags: ['good', 'indoors'] });
    await data.addTagsToBinaryDataByFilter({ filter, tags: ['seen'] });
    expect((await metadataOf(two)).captureMetadata!.tags).toEqual(['seen']);
    expect((await data.tagsByFilter({ filter })).tags.toSorted()).toEqual(['good', 'indoors', 'seen']);
    const removed = await data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [one], tags: ['good', 'never'] });
    expect(removed.deletedCount).toBe(1n);
    expect((await data.removeTagsFromBinaryDataByFilter({ filter, tags: ['seen'] })).deletedCount).toBe(2n);
    expect((await metadataOf(one)).captureMetadata!.tags).toEqual(['indoors']);
  });

  scenario('draws, changes and removes boxes', async () => {
    const componentName = uniqueName('cam');
    const [binaryDataId] = (await pictures(componentName)) as [string];
    const corners = { xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.3, yMaxNormalized: 0.4 };
    const { bboxId } = await data.addBoundingBoxToImageByID({ binaryDataId, label: 'cup', ...corners });
    expect((await data.boundingBoxLabelsByFilter({ filter: { componentName } })).labels).toEqual(['cup']);
    await data.updateBoundingBox({ binaryDataId, bboxId, label: 'mug', confidence: 0.5 });
    expect((await metadataOf(binaryDataId)).annotations!.bboxes).toMatchObject([
      { id: bboxId, label: 'mug', ...corners, confidence: 0.5 },
    ]);
    await data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId });
    expect((await metadataOf(binaryDataId)).annotations?.bboxes ?? []).toEqual([]);
  });

  scenario('keeps datasets', async () => {
    const { organizationId } = home();
    const name = uniqueName('cups');
    const { id } = await datasets.createDataset({ organizationId, name });
    const [inOne] = await pictures(uniqueName('cam'), 1, { datasetIds: [id] });
    const other = (await datasets.createDataset({ organizationId, name: `${name}-other` })).id;
    const [inOther] = await pictures(uniqueName('cam'));
    await data.addBinaryDataToDatasetByIDs({ datasetId: other, binaryDataIds: [inOther!] });
    const merge = { organizationId, name: `${name}-both`, datasetIds: [id, other] };
    const { datasetId } = await datasets.mergeDatasets(merge);
    const members = async () => {
      const found = await data.binaryDataByFilter({ dataRequest: { filter: { datasetId } } });
      return found.data.map(({ metadata }) => metadata!.binaryDataId).toSorted();
    };
    expect(await members()).toEqual([inOne, inOther].toSorted());
    await data.removeBinaryDataFromDatasetByIDs({ datasetId, binaryDataIds: [inOne!] });
    expect(await members()).toEqual([inOther]);
    await datasets.renameDataset({ id, name: `${name}-renamed` });
    const listed = await datasets.listDatasetsByOrganizationID({ organizationId });
    expect(listed.datasets.find((dataset) => dataset.id === id)!.name).toBe(`${name}-renamed`);
    await datasets.deleteDataset({ id });
    expect((await datasets.listDatasetsByIDs({ ids: [id, other] })).datasets.map((dataset) => dataset.id)).toEqual([
      other,
    ]);
    expect((await metadataOf(inOne!)).datasetIds).toEqual([]);
  });

  scenario('runs pipelines over the windows that passed', async () => {
    const { organizationId } = home();
    const [name, pipelineName] = [uniqueName('probe'), uniqueName('means')];
    await readings(name, [10, 20], fewHoursAgo());
    const mean = { $group: { _id: null, mean: { $avg: '$data.readings.celsius' } } };
    const { id } = await pipelines.createDataPipeline({
      organizationId,
      name: `${pipelineName}-first`,
      schedule: '0 * * * *',
      enableBackfill: true,
      mqlBinary: stages({ $match: { component_name: name } }, mean),
    });
    await pipelines.renameDataPipeline({ id, name: pipelineName });
    const { dataPipelines } = await pipelines.listDataPipelines({ organizationId });
    expect(dataPipelines.find((pipeline) => pipeline.id === id)).toMatchObject({ name: pipelineName, enabled: true });
    const completed = async () => {
      const { runs } = await pipelines.listDataPipelineRuns({ id, pageSize: 100 });
      return runs.some(
        ({ status, dataStartTime, dataEndTime }) =>
          status === DataPipelineRunStatus.COMPLETED &&
          timestampDate(dataStartTime!) < fewHoursAgo() &&
          fewHoursAgo() < timestampDate(dataEndTime!),
      );
    };
    await expect.poll(completed, { timeout: patienceMs, interval: 200 }).toBe(true);
    const dataSource = { type: TabularDataSourceType.PIPELINE_SINK, pipelineId: id };
    const means = rowsOf(
      await data.tabularDataByMQL({ organizationId, mqlBinary: stages({ $match: {} }), dataSource }),
    );
    expect(means).toMatchObject([{ mean: 15, _viam_pipeline_run: { organization_id: organizationId } }]);
    await pipelines.disableDataPipeline({ id });
    expect((await pipelines.getDataPipeline({ id })).dataPipeline!.enabled).toBe(false);
    await pipelines.enableDataPipeline({ id });
    expect((await pipelines.getDataPipeline({ id })).dataPipeline!.enabled).toBe(true);
    await pipelines.deleteDataPipeline({ id });
    await expect(pipelines.getDataPipeline({ id })).rejects.toMatchObject(refusal(Code.NotFound));
  });

  scenario('keeps indexes that speed queries up', async () => {
    const field = `data.readings.${uniqueName('celsius').replace('-', '_')}`;
    const collection = { organizationId: home().organizationId, collectionType: IndexableCollection.HOT_STORE };
    const indexName = `${field}_-1`;
    const indexSpec = [new TextEncoder().encode(JSON.stringify({ [field]: -1 }))];
    await data.createIndex({ ...collection, indexSpec });
    const names = async () => (await data.listIndexes(collection)).indexes.map((index) => index.indexName);
    expect(await names()).toContain(indexName);
    await data.deleteIndex({ ...collection, indexName });
    expect(await names()).not.toContain(indexName);
  });

  scenario('deletes by ids, by filter and by age', async () => {
    const { organizationId } = home();
    const componentName = uniqueName('cam');
    const [one] = await pictures(componentName, 3);
    expect((await data.deleteBinaryDataByIDs({ binaryDataIds: [one!] })).deletedCount).toBe(1n);
    const filter = { componentName, organizationIds: [organizationId] };
    expect((await data.deleteBinaryDataByFilter({ filter })).deletedCount).toBe(2n);
    expect((await data.binaryDataByFilter({ dataRequest: { filter }, countOnly: true })).count).toBe(0n);
    const name = uniqueName('probe');
    await readings(name, [1], minutesAgo(60 * 24 * 5));
    await readings(name, [2]);
    const aged = { organizationId, deleteOlderThanDays: 3, filter: { componentName: name } };
    expect((await data.deleteTabularData(aged)).deletedCount).toBe(1n);
    expect(await exported(name)).toEqual([{ readings: { celsius: 2 } }]);
  });

  scenario('gives the way into its database, or says why there is none', async () => {
    const { organizationId } = home();
    const configured = data.configureDatabaseUser({ organizationId, password: 'long enough' });
    if (hasDatabase) {
      await configured;
      const connection = await data.getDatabaseConnection({ organizationId });
      expect(connection.mongodbUri).toContain(`db-user-${organizationId}`);
      expect(connection.hasDatabaseUser).toBe(true);
    } else {
      await expect(configured).rejects.toMatchObject(refusal(Code.FailedPrecondition));
      const connection = data.getDatabaseConnection({ organizationId });
      await expect(connection).rejects.toMatchObject(refusal(Code.FailedPrecondition));
    }
  });

  ownScenario('tells what the organization stores', async () => {
    const { organizationId } = home();
    const stored = async () => (await storage.getUsage({ organizationId })).files!;
    const before = await stored();
    const ids = await pictures(uniqueName('usage'), 2);
    const after = await stored();
    expect([after.count - before.count, after.bytes - before.bytes]).toEqual([2n, 201n]);
    await data.deleteBinaryDataByIDs({ binaryDataIds: ids });
    expect(await stored()).toEqual(before);
  });

  ownScenario('tells who changed what', async () => {
    const { organizationId } = home();
    const [image] = await pictures(uniqueName('changed'));
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [image!], tags: ['mug'] });
    await data.deleteBinaryDataByIDs({ binaryDataIds: [image!] });
    const { changes } = await audit.listChanges({ organizationId, objectId: image! });
    expect(changes).toMatchObject([
      { what: 'file', before: { tags: ['mug'] } },
      { what: 'tags', before: { tags: [] }, after: { tags: ['mug'] } },
    ]);
    const { actors } = await audit.listActors({ organizationId });
    expect(actors).toContainEqual(changes[0]!.actor);
  });

  ownScenario('gives images to people, who label them and have them checked', async () => {
    const { organizationId } = home();
    const { id: datasetId } = await datasets.createDataset({ organizationId, name: uniqueName('shared') });
    const [image] = await pictures(uniqueName('shared'), 1, { datasetIds: [datasetId] });
    const binaryDataId = image!;
    const { comment } = await labels.addComment({
      binaryDataId,
      text: 'Where?',
      place: { xNormalized: 0.5, yNormalized: 0 },
    });
    expect((await labels.listComments({ binaryDataId })).comments).toEqual([comment]);
    expect((await labels.resolveComment({ binaryDataId, id: comment!.id, resolved: true })).comment!.resolved).toBe(
      true,
    );

    const scheme = {
      labels: [{ name: 'cup', color: '#1f77b4', attributes: [{ name: 'full', values: ['yes', 'no'] }] }],
      pairs: [{ label: 'cup', modelLabel: 'mug' }],
    };
    const { version: schemeVersion } = await labels.putScheme({ datasetId, scheme });
    expect(await labels.getScheme({ datasetId })).toMatchObject({ scheme, version: schemeVersion });
    await labels.deleteScheme({ datasetId });

    const [me, nobody] = [comment!.author!, { kind: 'person', id: uniqueName('ada'), name: 'Ada' }];
    const assigned = { organizationId, datasetId, assignees: [{ ...me, name: 'Somebody else' }], mode: 'every' };
    const unknown = labels.assignImages({ ...assigned, assignees: [nobody] });
    await expect(unknown).rejects.toMatchObject({ code: Code.NotFound });
    expect(await labels.assignImages(assigned)).toMatchObject({ made: 1, skipped: 0, images: 1, nextPageToken: '' });
    const { tasks } = await labels.listTasks({ organizationId, datasetId });
    const own = tasks[0]!;
    expect(own.assignee).toEqual(me);
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    const seen = ({ id, version }: Task) => ({ id, version });
    const drawn = await labels.setTaskBoxes({ ...seen(own), boxes: [{ label: 'cup', ...corners }] });
    const done = await labels.setTaskState({ ...seen(drawn.task!), state: 'done' });
    const accepted = await labels.setTaskState({ ...seen(done.task!), state: 'accepted', takeBoxes: true });
    const [box] = drawn.task!.boxes;
    expect((await metadataOf(binaryDataId)).annotations!.bboxes).toMatchObject([{ label: 'cup', ...corners }]);
    const edits = [{ id: box!.id, expected: box!, box: { ...box!, label: 'mug' } }];
    await expect(labels.editBoxes({ binaryDataId, edits })).rejects.toMatchObject({ code: Code.FailedPrecondition });
    expect(await labels.announce({ binaryDataId })).toMatchObject({ others: [], accepted: { by: me.name } });
    await labels.announce({ binaryDataId, leaving: true });
    await labels.setTaskState({ ...seen(accepted.task!), state: 'open' });
    expect(await labels.editBoxes({ binaryDataId, edits })).toMatchObject({ results: [{ conflict: false }] });
    expect(await labels.editBoxes({ binaryDataId, edits: [{ id: box!.id, expected: box! }] })).toMatchObject({
      results: [{ conflict: true, box: { label: 'mug' } }],
    });

    await labels.reassignTasks({ ids: [own.id], assignee: me });
    const { counts } = await labels.getWork({ organizationId, datasetId });
    expect(counts.map(({ open }) => open)).toEqual([1]);
    expect((await labels.getAgreement({ organizationId, datasetId, workers: [me] })).labels).toEqual([]);
    await labels.deleteTasks({ ids: tasks.map(({ id }) => id) });
    expect((await labels.listTasks({ organizationId, datasetId })).tasks).toEqual([]);
  });

  scenario('names the organization, its locations, machines and parts', async () => {
    const { organizationId, locationId, partId } = home();
    await pictures(uniqueName('cam'));
    const { organizations } = await fleet.listOrganizations({});
    const { organization } = await fleet.getOrganization({ organizationId });
    expect(organizations).toEqual([organization]);
    const { locations } = await fleet.listLocations({ organizationId });
    const { location } = await fleet.getLocation({ locationId });
    expect(locations).toContainEqual(location);
    const { organizationIdentities } = await fleet.getOrganizationsWithAccessToLocation({ locationId });
    expect(organizationIdentities).toMatchObject([{ id: organizationId, name: organization!.name }]);
    const { part } = await fleet.getRobotPart({ id: partId });
    expect(part).toMatchObject({ id: partId, locationId, mainPart: true });
    const { robot } = await fleet.getRobot({ id: part!.robot });
    expect((await fleet.getRobotParts({ robotId: robot!.id })).parts.map(({ id }) => id)).toContain(partId);
    const { robots } = await fleet.listRobots({ locationId });
    expect(robots).toHaveLength(location!.robotCount);
    expect(robots.find(({ id }) => id === part!.robot)).toMatchObject({ name: robot!.name, location: locationId });
    expect(timestampDate(robot!.lastAccess!).getTime()).toBeGreaterThan(Date.now() - 3_600_000);
    await expect(fleet.getRobotPart({ id: 'none' })).rejects.toMatchObject(refusal(Code.NotFound));
  });

  scenario('answers the logs of a machine', async () => {
    await machine.log({ id: home().partId });
    await expect(machine.log({ id: 'none' })).rejects.toMatchObject(refusal(Code.InvalidArgument));
  });

  ownScenario('lets people in by invitations, and says who they are', async () => {
    const { organizationId } = home();
    const offer = { organizationId, role: 'annotator', name: uniqueName('guest') };
    expect((await session.getSession({})).person).toBeUndefined();
    await session.logOut({});
    const failed = refusal(Code.FailedPrecondition);
    await expect(session.switchMembership({ membershipId: 'x' })).rejects.toMatchObject(failed);
    await expect(session.answerInvitation({ id: 'x', join: true })).rejects.toMatchObject(failed);
    // awaited together, so that none is an unhandled rejection
    const refused = (calls: readonly Promise<unknown>[]) =>
      Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(failed)));
    await refused([
      session.beginPasskeyLogIn({}),
      session.finishPasskeyLogIn({}),
      session.beginPasskeyRegistration({}),
      session.finishPasskeyRegistration({}),
    ]);
    if (addMember === undefined) {
      const id = 'x';
      await refused([
        session.getInvitation({ token: 'x' }),
        people.listMembers({ organizationId }),
        people.inviteMember(offer),
        people.listInvitations({ organizationId }),
        people.deleteInvitation({ organizationId, id }),
        people.changeMember({ organizationId, id, role: 'owner' }),
        people.removeMember({ organizationId, id }),
        people.endSessions({ organizationId, id }),
      ]);
      return;
    }
    const { token, invitation } = await people.inviteMember(offer);
    expect(await session.getInvitation({ token })).toMatchObject({ name: offer.name, role: 'annotator' });
    const { invitations } = await people.listInvitations({ organizationId });
    expect(invitations).toContainEqual(invitation);
    await people.deleteInvitation({ organizationId, id: invitation!.id });
    await expect(session.getInvitation({ token })).rejects.toMatchObject(refusal(Code.NotFound));
    const id = await addMember();
    await people.changeMember({ organizationId, id, role: 'reviewer' });
    const member = (await people.listMembers({ organizationId })).members.find((one) => one.id === id);
    expect(member).toMatchObject({ role: 'reviewer', organizationId });
    await people.endSessions({ organizationId, id });
    await people.removeMember({ organizationId, id });
    expect((await people.listMembers({ organizationId })).members.map((one) => one.id)).not.toContain(id);
  });

  ownScenario('gives what a recorded vision service said, to be filtered again', async () => {
    const { organizationId, partId } = home();
    const serviceName = uniqueName('watch');
    const ids: string[] = [];
    for (const [index, confidence] of [0.25, 0.75].entries()) {
      const resource = { componentName: serviceName, methodName: 'CaptureAllFromCamera', fileExtension: 'jpg' };
      const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
      const annotations = { bboxes: [{ label: 'person', confidence, ...corners }] };
      const upload = await sync.dataCaptureUpload({
        metadata: { partId, type: DataType.BINARY_SENSOR, componentType: 'rdk:service:vision', ...resource },
        sensorContents: [
          {
            metadata: { timeRequested: timestampFromDate(minutesAgo(5 - index)), annotations },
            data: { case: 'binary', value: someBytes(100 + index) },
          },
        ],
      });
      ids.push(upload.binaryDataId);
    }
    const { recordings } = await replay.listRecordings({ organizationId });
    const recording = recordings.find((one) => one.serviceName === serviceName);
    expect(recording).toMatchObject({ partId, frameCount: 2n, kinds: [ResultKind.DETECTIONS] });
    const said = async () => {
      const names: string[] = [];
      const scores: number[] = [];
      for await (const chunk of replay.streamResults({
        organizationId,
        partId,
        serviceName,
        start: recording!.first!,
      })) {
        names.push(...chunk.newNames);
        scores.push(...new Float64Array(new Uint8Array(chunk.scores).buffer));
      }
      return { names, scores };
    };
    expect(await said()).toEqual({ names: ['person'], scores: [0.25, 0.75] });
    await data.deleteBinaryDataByIDs({ binaryDataIds: ids });
    expect(await said()).toEqual({ names: [], scores: [] });
  });

  scenario('keeps sequences, whose images are listed', async () => {
    const { organizationId, partId } = home();
    const componentName = uniqueName('cam');
    const [, second, third] = await pictures(componentName, 3);
    const window = { startTime: timestampFromDate(minutesAgo(19)), endTime: timestampFromDate(minutesAgo(18)) };
    const resources = [{ resourceName: componentName, methodName: 'ReadImage' }];
    const { id } = await data.createSequence({ partId, resources, sequenceTags: ['good'], ...window });
    const kept = async () => (await data.getSequence({ id })).sequence!;
    expect(await kept()).toMatchObject({ id, partId, resources, sequenceTags: ['good'], ...window });
    const listed = await data.listSequences({ organizationId, pageSize: 1 });
    expect(listed.sequences.map((one) => one.id)).toEqual([id]);
    const imagesOf = async () => {
      const { data: images } = await data.getSequenceBinaryData({ sequenceId: id });
      return images.map(({ metadata }) => metadata!.binaryDataId);
    };
    expect(await imagesOf()).toEqual([second, third]);
    const paths = ['sequence_tags', 'end_time'];
    await data.updateSequence({ id, endTime: window.startTime, fieldMask: { paths } });
    expect(await kept()).toMatchObject({ sequenceTags: [], endTime: window.startTime, resources });
    expect(await imagesOf()).toEqual([second]);
    await data.deleteSequence({ id });
    await expect(kept()).rejects.toMatchObject(refusal(Code.NotFound));
  });

  scenario('exports a dataset of sequences', async () => {
    const { organizationId, partId } = home();
    const name = uniqueName('clips');
    const { id: datasetId } = await datasets.createDataset({ organizationId, name, type: DatasetType.SEQUENCE_DATA });
    const window = { startTime: timestampFromDate(minutesAgo(19)), endTime: timestampFromDate(minutesAgo(18)) };
    const resources = [{ resourceName: 'cam', methodName: 'ReadImage' }];
    const { id } = await data.createSequence({ partId, resources, ...window });
    await data.addSequencesToDataset({ datasetId, sequenceIds: [id] });
    const members = await data.sequencesByDatasetID({ datasetId });
    expect([members.sequences.map((one) => one.id), members.count]).toEqual([[id], 1n]);
    const { jobId } = await datasets.startSequenceDatasetExport({ datasetId });
    const { status, downloadUrl } = await datasets.getSequenceDatasetExport({ jobId });
    expect(status).toBe(SequenceDatasetExportStatus.COMPLETED);
    if (answersUrls) {
      const zip = new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer());
      expect(new TextDecoder('latin1').decode(zip)).toMatch(/^PK.*binary_data\.parquet.*PAR1.*sequences\.parquet/s);
    }
    await data.removeSequencesFromDataset({ datasetId, sequenceIds: [id] });
    expect((await data.sequencesByDatasetID({ datasetId, countOnly: true })).count).toBe(0n);
    await datasets.deleteDataset({ id: datasetId });
    await data.deleteSequence({ id });
  });

  it('has called every operation', () => {
    const operations = dataServices
      .filter((service) => service !== AuthService)
      .flatMap((service): readonly DescMethod[] => service.methods);
    const sent = operations
      .filter(({ methodKind }) => sendsStreams || methodKind !== 'client_streaming')
      .filter(({ parent }) => knowsSightglass || !parent.typeName.startsWith('sightglass.'));
    expect(sent.map(({ name }) => name).filter((name) => !(name in record.marks))).toEqual([]);
  });
}
