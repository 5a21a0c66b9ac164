import { createViamClient, dataApi, type AppClient, type DataClient } from '@viamrobotics/sdk';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  camera,
  fewHoursAgo,
  minutesAfter,
  minutesAgo,
  sameBytes,
  sensor,
  someBytes,
  uniqueName,
  type ServedHome,
} from './home.ts';
import type { OperationRecord } from './operation-record.ts';

type SdkClass = typeof DataClient;
const chunkBytes = 65_536;
/** Pipeline runs start only at the next poll of the scheduler. */
const patienceMs = 60_000;

/** The environment that the scenarios run in. */
export interface SdkPlace {
  readonly home: () => ServedHome;
  /** false: `fetch` cannot stream a request here, so the SDK cannot send a file */
  readonly sendsStreams: boolean;
  /** records the SDK's calls that do not use `fetch` */
  readonly record: OperationRecord;
}

/** Calls every method of the SDK's DataClient and checks the answers; the same tests run in Node and in a page. */
export function describeViamSdk({ home, sendsStreams, record }: SdkPlace): void {
  const called = new Set<string>();
  const plainFetch = globalThis.fetch;
  let sdk: DataClient;
  let app: AppClient;

  const createFilter: SdkClass['createFilter'] = (options) => {
    called.add('createFilter');
    return (sdk.constructor as SdkClass).createFilter(options);
  };
  const scenario = (name: string, run: () => Promise<unknown>) => it(name, () => record.during(run), patienceMs);

  beforeAll(() => {
    globalThis.fetch = (input, init) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      if (/^\/(viam|proto)\./.test(path)) record.note(path.slice(path.lastIndexOf('/') + 1));
      return plainFetch(input, init);
    };
  });
  afterAll(() => {
    globalThis.fetch = plainFetch;
  });

  const images = async (componentName: string, count = 1, tags: string[] = [], datasetIds: string[] = []) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const times: [Date, Date] = [minutesAgo(20 - index), minutesAgo(19 - index)];
      const [content, { partId }] = [someBytes(100 + index), home()];
      ids.push(
        await sdk.binaryDataCaptureUpload(
          content,
          partId,
          camera,
          componentName,
          'ReadImage',
          '.png',
          times,
          tags,
          datasetIds,
        ),
      );
    }
    return ids;
  };
  const readings = async (
    componentName: string,
    values: readonly number[],
    from = minutesAgo(20),
    tags: string[] = [],
  ) =>
    sdk.tabularDataCaptureUpload(
      values.map((celsius) => ({ readings: { celsius } })),
      home().partId,
      sensor,
      componentName,
      'Readings',
      values.map((_, index) => [minutesAfter(from, index), minutesAfter(from, index)]),
      tags,
    );
  const boxesOf = async (id: string) => (await sdk.binaryDataByIds([id], false))[0]!.metadata!.annotations!.bboxes;
  const tagsOf = async (id: string) => (await sdk.binaryDataByIds([id], false))[0]!.metadata!.captureMetadata!.tags;

  scenario('logs in with a key', async () => {
    const { origin: serviceHost, keyId, key: payload } = home();
    const credentials = { type: 'api-key', authEntity: keyId, payload } as const;
    const { dataClient, appClient } = await createViamClient({ serviceHost, credentials });
    app = appClient;
    sdk = new Proxy(dataClient, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'function') called.add(String(name));
        return member;
      },
    });
    const wrong = createViamClient({ serviceHost, credentials: { ...credentials, payload: 'wrong' } });
    await expect(wrong).rejects.toThrow(/invalid credentials/);
  });

  scenario('uploads what a camera captured, and reads it back', async () => {
    const name = uniqueName('cam');
    const { organizationId, locationId, partId, origin } = home();
    const [id] = await images(name, 1, ['first']);
    expect(id).toMatch(new RegExp(`^${organizationId}/${locationId}/.+`));
    const [found] = await sdk.binaryDataByIds([id!]);
    expect([...found!.binary]).toEqual([...someBytes(100)]);
    expect(found!.metadata).toMatchObject({
      binaryDataId: id,
      fileExt: '.png',
      uri: `${origin}/data/files/${id}`,
      captureMetadata: {
        organizationId,
        locationId,
        partId,
        componentType: camera,
        componentName: name,
        methodName: 'ReadImage',
        mimeType: 'image/png',
        tags: ['first'],
      },
    });
    expect(found!.metadata!.timeRequested!.toDate()).toEqual(minutesAgo(20));
    expect(found!.metadata!.timeReceived!.toDate()).toEqual(minutesAgo(19));
    await expect(sdk.binaryDataByIds([`${id}x`])).rejects.toMatchObject({ code: 5 });
    const fileId = id!.split('/')[2]!;
    const warning = vi.spyOn(console, 'warn').mockReturnValue();
    const legacy = await sdk.binaryDataByIds([new dataApi.BinaryID({ fileId, organizationId, locationId })], false);
    expect(warning).toHaveBeenCalledWith(expect.stringContaining('BinaryID'));
    warning.mockRestore();
    expect(legacy.map(({ binary, metadata }) => [binary.length, metadata!.binaryDataId])).toEqual([[0, id]]);
  });

  scenario('uploads a file in chunks', async () => {
    const content = someBytes(2 * chunkBytes + 17);
    const upload = sdk.fileUpload(content, home().partId, { fileName: 'walk.mp4', tags: ['clip'] });
    if (!sendsStreams) {
      // This error is the SDK's own: it throws before it sends anything.
      await expect(upload).rejects.toThrow(/stream/);
      return;
    }
    const [found] = await sdk.binaryDataByIds([await upload]);
    expect(found!.metadata).toMatchObject({ fileName: 'walk.mp4', captureMetadata: { mimeType: 'video/mp4' } });
    expect(found!.metadata!.captureMetadata!.tags).toEqual(['clip']);
    expect(sameBytes(found!.binary, content)).toBe(true);
    const empty = await sdk.fileUpload(new Uint8Array(), home().partId);
    expect((await sdk.binaryDataByIds([empty]))[0]!.binary).toHaveLength(0);
  });

  scenario('pages through files by a filter', async () => {
    const componentName = uniqueName('cam');
    const ids = await images(componentName, 5);
    const filter = createFilter({ componentName });
    const { ASCENDING } = dataApi.Order;
    const seen: string[] = [];
    let last = '';
    do {
      const page = await sdk.binaryDataByFilter(filter, 2, ASCENDING, last, false);
      seen.push(...page.data.map(({ metadata }) => metadata!.binaryDataId));
      expect(page.data.every(({ binary }) => binary.length === 0)).toBe(true);
      last = page.last;
    } while (last !== '');
    expect(seen).toEqual(ids);
    const newest = await sdk.binaryDataByFilter(filter, 1);
    expect(newest.data.map(({ binary }) => binary.length)).toEqual([104]);
    const counted = await sdk.binaryDataByFilter(filter, 1, undefined, '', false, true);
    expect([counted.count, counted.data]).toEqual([5n, []]);
    const between = createFilter({ componentName, startTime: minutesAgo(19), endTime: minutesAgo(17) });
    const two = await sdk.binaryDataByFilter(between, 50, ASCENDING, '', false);
    expect(two.data.map(({ metadata }) => metadata!.binaryDataId)).toEqual(ids.slice(1, 3));
  });

  scenario('uploads readings, and exports them in order', async () => {
    const [name, { organizationId, locationId, partId }] = [uniqueName('probe'), home()];
    const resource = [partId, name, sensor, 'Readings'] as const;
    expect(await sdk.getLatestTabularData(...resource)).toBeNull();
    expect(await readings(name, [20, 21.5, 23], minutesAgo(20), ['kitchen'])).not.toBe('');
    const rows = await sdk.exportTabularData(...resource);
    expect(rows.map(({ payload }) => payload)).toEqual([20, 21.5, 23].map((celsius) => ({ readings: { celsius } })));
    expect(rows[0]).toMatchObject({
      partId,
      organizationId,
      locationId,
      resourceName: name,
      resourceSubtype: sensor,
      methodName: 'Readings',
      timeCaptured: minutesAgo(20),
      tags: ['kitchen'],
      methodParameters: {},
    });
    const between = await sdk.exportTabularData(...resource, minutesAgo(19), minutesAgo(18));
    expect(between.map(({ timeCaptured }) => timeCaptured)).toEqual([minutesAgo(19)]);
    expect(await sdk.exportTabularData(...resource, undefined, undefined, { other: 1 })).toEqual([]);
    const [captured, synced, payload] = (await sdk.getLatestTabularData(...resource))!;
    expect([captured, payload]).toEqual([minutesAgo(18), { readings: { celsius: 23 } }]);
    expect(synced.getTime()).toBeGreaterThan(captured.getTime());
    await expect(sdk.tabularDataCaptureUpload([{}], 'no-part', sensor, name, 'Readings', [])).rejects.toThrow();
  });

  scenario('pages through readings by a filter', async () => {
    const componentName = uniqueName('probe');
    await readings(componentName, [1, 2, 3]);
    const filter = createFilter({ componentName });
    const first = await sdk.tabularDataByFilter(filter, 2, dataApi.Order.ASCENDING);
    expect(first.data.map(({ data }) => data)).toEqual([1, 2].map((celsius) => ({ readings: { celsius } })));
    expect(first.data.map(({ metadata }) => metadata!.componentName)).toEqual([componentName, componentName]);
    expect(first.data[0]!.timeRequested).toEqual(minutesAgo(20));
    const second = await sdk.tabularDataByFilter(filter, 2, dataApi.Order.ASCENDING, first.last);
    expect(second.data.map(({ data }) => data)).toEqual([{ readings: { celsius: 3 } }]);
    expect((await sdk.tabularDataByFilter(filter, 1, undefined, '', true)).count).toBe(3n);
  });

  scenario('asks by SQL and by MQL', async () => {
    const [name, { organizationId }] = [uniqueName('probe'), home()];
    await readings(name, [10, 20, 60]);
    await readings(name, [500], minutesAgo(60 * 26));
    const mean = `SELECT AVG(data.readings.celsius) AS mean, COUNT(*) AS n FROM readings WHERE component_name = '${name}'`;
    expect(await sdk.tabularDataBySQL(organizationId, `${mean} AND data.readings.celsius < 100`)).toEqual([
      { mean: 30, n: 3 },
    ]);
    const ofName = { $match: { component_name: name } };
    const values = { $project: { _id: 0, celsius: '$data.readings.celsius', at: '$time_requested' } };
    const recent = { $match: { time_requested: { $gte: { $date: minutesAgo(19).toISOString() } } } };
    expect(
      await sdk.tabularDataByMQL(organizationId, [ofName, recent, { $sort: { time_requested: 1 } }, values]),
    ).toEqual([
      { celsius: 20, at: minutesAgo(19) },
      { celsius: 60, at: minutesAgo(18) },
    ]);
    const count = [ofName, { $count: 'n' }];
    expect(await sdk.tabularDataByMQL(organizationId, count)).toEqual([{ n: 4 }]);
    expect(await sdk.tabularDataByMQL(organizationId, count, true)).toEqual([{ n: 3 }]);
    const write = sdk.tabularDataByMQL(organizationId, [{ $out: 'elsewhere' }]);
    await expect(write).rejects.toThrow(/\$out/);
    await expect(sdk.tabularDataBySQL(organizationId, 'DROP TABLE readings')).rejects.toMatchObject({ code: 3 });
  });

  scenario('tags by ids and by filter', async () => {
    const componentName = uniqueName('cam');
    const [one, two] = await images(componentName, 2);
    const filter = createFilter({ componentName });
    await sdk.addTagsToBinaryDataByIds(['good', 'indoors'], [one!]);
    await sdk.addTagsToBinaryDataByFilter(['seen'], filter);
    expect(new Set(await tagsOf(one!))).toEqual(new Set(['good', 'indoors', 'seen']));
    expect(await tagsOf(two!)).toEqual(['seen']);
    expect(new Set(await sdk.tagsByFilter(filter))).toEqual(new Set(['good', 'indoors', 'seen']));
    const tagged = await sdk.binaryDataByFilter(createFilter({ componentName, tags: ['good', 'other'] }), 10);
    expect(tagged.data.map(({ metadata }) => metadata!.binaryDataId)).toEqual([one]);
    expect(await sdk.removeTagsFromBinaryDataByIds(['good', 'never'], [one!])).toBe(1n);
    await sdk.addTagsToBinaryDataByIds(['both'], [one!, two!]);
    expect(await sdk.tagsByFilter()).toEqual(expect.arrayContaining(['both', 'indoors', 'seen']));
    expect(await sdk.removeTagsFromBinaryDataByIds(['both'], [one!, two!])).toBe(2n);
    expect(await sdk.removeTagsFromBinaryDataByFilter(['seen'], filter)).toBe(2n);
    expect(await sdk.tagsByFilter(filter)).toEqual(['indoors']);
    await expect(sdk.addTagsToBinaryDataByIds([], [one!])).rejects.toMatchObject({ code: 3 });
  });

  scenario('draws, changes and removes boxes', async () => {
    const componentName = uniqueName('cam');
    const [id] = await images(componentName);
    const box = await sdk.addBoundingBoxToImageById(id!, 'cup', 0.1, 0.2, 0.3, 0.4, 0.9);
    const other = await sdk.addBoundingBoxToImageById(id!, 'hand', 0, 0, 1, 1);
    const corners = { xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.3, yMaxNormalized: 0.4 };
    expect(await boxesOf(id!)).toMatchObject([
      { id: box, label: 'cup', ...corners, confidence: 0.9 },
      { id: other, label: 'hand' },
    ]);
    expect(new Set(await sdk.boundingBoxLabelsByFilter(createFilter({ componentName })))).toEqual(
      new Set(['cup', 'hand']),
    );
    await sdk.updateBoundingBox(id!, box, 'mug', 0.1, 0.2, 0.5, 0.4, 0.8);
    expect((await boxesOf(id!))[0]).toMatchObject({ id: box, label: 'mug', xMaxNormalized: 0.5, confidence: 0.8 });
    await sdk.removeBoundingBoxFromImageById(id!, other);
    expect((await boxesOf(id!)).map(({ label }) => label)).toEqual(['mug']);
    await expect(sdk.addBoundingBoxToImageById(id!, 'cup', 0.5, 0, 0.4, 1)).rejects.toMatchObject({ code: 3 });
  });

  scenario('keeps datasets', async () => {
    const { organizationId } = home();
    const [componentName, name] = [uniqueName('cam'), uniqueName('cups')];
    const dataset = await sdk.createDataset(name, organizationId);
    const [uploaded] = await images(componentName, 1, [], [dataset]);
    const [added] = await images(componentName);
    await sdk.addBinaryDataToDatasetByIds([added!], dataset);
    const members = async () => {
      const { data } = await sdk.binaryDataByFilter(createFilter({ datasetId: dataset }), 10);
      return new Set(data.map(({ metadata }) => metadata!.binaryDataId));
    };
    expect(await members()).toEqual(new Set([uploaded, added]));
    await sdk.removeBinaryDataFromDatasetByIds([uploaded!], dataset);
    expect(await members()).toEqual(new Set([added]));
    await sdk.renameDataset(dataset, `${name}-2`);
    const listed = await sdk.listDatasetsByOrganizationID(organizationId);
    expect(listed.find(({ id }) => id === dataset)).toMatchObject({ name: `${name}-2`, organizationId });
    const [byId] = await sdk.listDatasetsByIds([dataset]);
    expect(Math.abs(byId!.created!.getTime() - Date.now())).toBeLessThan(600_000);
    await expect(sdk.createDataset(`${name}-2`, organizationId)).rejects.toMatchObject({ code: 6 });
    await sdk.deleteDataset(dataset);
    expect(await sdk.listDatasetsByIds([dataset])).toEqual([]);
    expect((await sdk.binaryDataByIds([added!], false))[0]!.metadata!.datasetIds).toEqual([]);
  });

  scenario('runs a pipeline over the windows that passed, and reads its sink', async () => {
    const { organizationId } = home();
    const [name, pipelineName] = [uniqueName('probe'), uniqueName('means')];
    await readings(name, [10, 20], fewHoursAgo());
    const stages = [
      { $match: { component_name: name } },
      { $group: { _id: '$component_name', mean: { $avg: '$data.readings.celsius' } } },
    ];
    const id = await sdk.createDataPipeline(organizationId, pipelineName, stages, '0 * * * *', true);
    expect(await sdk.getDataPipeline(id)).toMatchObject({ id, name: pipelineName, enabled: true });
    expect((await sdk.listDataPipelines(organizationId)).map((one) => one.id)).toContain(id);
    const sink = new dataApi.TabularDataSource({ type: dataApi.TabularDataSourceType.PIPELINE_SINK, pipelineId: id });
    const means = () => sdk.tabularDataByMQL(organizationId, [{ $sort: { mean: 1 } }], false, sink);
    await expect.poll(means, { timeout: patienceMs, interval: 200 }).not.toEqual([]);
    expect(await means()).toMatchObject([
      { _id: name, mean: 15, _viam_pipeline_run: { organization_id: organizationId } },
    ]);
    const { PIPELINE_SINK } = dataApi.IndexableCollection;
    await sdk.createIndex(organizationId, PIPELINE_SINK, { keys: { mean: 1 } }, pipelineName);
    const [index] = await sdk.listIndexes(organizationId, PIPELINE_SINK, pipelineName);
    expect(index).toMatchObject({ indexName: 'mean_1', collectionType: PIPELINE_SINK, pipelineName });
    const above = (mean: number) =>
      sdk.tabularDataByMQL(organizationId, [{ $match: { mean: { $gt: mean } } }], false, sink);
    expect(await above(14)).toMatchObject([{ _id: name, mean: 15 }]);
    expect(await above(15)).toEqual([]);
    await sdk.deleteIndex(organizationId, PIPELINE_SINK, 'mean_1', pipelineName);
    const secondPage = async () => (await sdk.listDataPipelineRuns(id, 1)).nextPage();
    await expect.poll(async () => (await secondPage()).runs.length, { timeout: patienceMs, interval: 200 }).toBe(1);
    const { runs } = await sdk.listDataPipelineRuns(id);
    const ofData = runs.find(
      ({ dataStartTime, dataEndTime }) =>
        dataStartTime!.toDate() < fewHoursAgo() && fewHoursAgo() < dataEndTime!.toDate(),
    );
    // COMPLETED; the SDK does not export the enumeration.
    expect(ofData!.status).toBe(3);
    await sdk.deleteDataPipeline(id);
    expect(await sdk.getDataPipeline(id)).toBeNull();
  });

  scenario('keeps indexes that speed queries up', async () => {
    const { organizationId } = home();
    const field = `data.readings.${uniqueName('celsius').replace('-', '_')}`;
    const { HOT_STORE } = dataApi.IndexableCollection;
    await sdk.createIndex(organizationId, HOT_STORE, { keys: { [field]: 1 } });
    const listed = await sdk.listIndexes(organizationId, HOT_STORE);
    const index = listed.find(({ indexName }) => indexName === `${field}_1`);
    expect(index).toMatchObject({ collectionType: HOT_STORE, createdBy: dataApi.IndexCreator.CUSTOMER });
    expect(JSON.parse(new TextDecoder().decode(index!.indexSpec[0]))).toEqual({ [field]: 1 });
    await sdk.deleteIndex(organizationId, HOT_STORE, `${field}_1`);
    expect(await sdk.listIndexes(organizationId, HOT_STORE)).toHaveLength(listed.length - 1);
    const ofSink = sdk.createIndex(
      organizationId,
      dataApi.IndexableCollection.PIPELINE_SINK,
      { keys: { mean: 1 } },
      'no such pipeline',
    );
    await expect(ofSink).rejects.toMatchObject({ code: 5 });
  });

  scenario('signs URLs that anyone may fetch', async () => {
    const [id] = await images(uniqueName('cam'));
    const url = await sdk.createBinaryDataSignedURL(id!, 5);
    const answer = await plainFetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([...someBytes(100)]);
    await expect(sdk.createBinaryDataSignedURL(id!, 10_081)).rejects.toMatchObject({ code: 3 });
  });

  scenario('deletes by ids, by filter and by age', async () => {
    const { organizationId } = home();
    const componentName = uniqueName('cam');
    const [one, ...others] = await images(componentName, 3);
    expect(await sdk.deleteBinaryDataByIds([one!])).toBe(1n);
    await expect(sdk.binaryDataByIds([one!])).rejects.toMatchObject({ code: 5 });
    const filter = createFilter({ componentName, organizationIds: [organizationId] });
    expect(await sdk.deleteBinaryDataByFilter(filter)).toBe(BigInt(others.length));
    const probe = uniqueName('probe');
    await readings(probe, [1], minutesAgo(60 * 24 * 5));
    await readings(probe, [2]);
    expect(await sdk.deleteTabularData(organizationId, 3)).toBeGreaterThanOrEqual(1n);
    const left = await sdk.exportTabularData(home().partId, probe, sensor, 'Readings');
    expect(left.map(({ payload }) => payload)).toEqual([{ readings: { celsius: 2 } }]);
    expect(await sdk.deleteTabularData(organizationId, 0)).toBeGreaterThanOrEqual(1n);
    expect((await sdk.tabularDataByFilter(undefined, 1, undefined, '', true)).count).toBe(0n);
  });

  scenario('sets a password for the database, and asks where it is', async () => {
    const { organizationId, origin } = home();
    await sdk.configureDatabaseUser(organizationId, 'long enough');
    expect(await sdk.getDatabaseConnection(organizationId)).toMatch(new RegExp(`^${new URL(origin).hostname}:\\d+$`));
  });

  scenario('asks which organizations, locations, machines and parts there are', async () => {
    const { organizationId, locationId, partId } = home();
    const organizations = await app.listOrganizations();
    expect(organizations.map(({ id }) => id)).toEqual([organizationId]);
    expect(await app.getOrganization(organizationId)).toEqual(organizations[0]);
    const location = await app.getLocation(locationId);
    expect(await app.listLocations(organizationId)).toContainEqual(location);
    const owners = await app.getOrganizationsWithAccessToLocation(locationId);
    expect(owners.map(({ name }) => name)).toEqual([organizations[0]!.name]);
    const { part } = await app.getRobotPart(partId);
    expect(await app.getRobotParts(part!.robot)).toContainEqual(part);
    expect(await app.listRobots(locationId)).toContainEqual(await app.getRobot(part!.robot));
  });

  it('has called all that the SDK offers', () => {
    const offered = Object.getOwnPropertyNames(sdk.constructor.prototype).filter((name) => name !== 'constructor');
    expect(offered.filter((name) => !called.has(name))).toEqual([]);
    const statics = Object.getOwnPropertyNames(sdk.constructor).filter(
      // `fileUploadRequests` is a private helper of `fileUpload`.
      (name) => typeof Reflect.get(sdk.constructor, name) === 'function' && name !== 'fileUploadRequests',
    );
    expect(statics.filter((name) => !called.has(name))).toEqual([]);
  });
}
