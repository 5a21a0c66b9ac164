import { Code } from '@connectrpc/connect';
import { serialize } from 'bson';
import { beforeEach, describe, expect, it } from 'vitest';
import { FleetService } from '../../src/data-service/wire/fleet-service.ts';
import { defaultLimits } from '../../src/data-service/ports/dependencies.ts';
import { IndexableCollection, TabularDataSourceType, TagsFilterType } from '../../src/gen/app/data/v1/data_pb.ts';
import { DatasetType } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { codeOf, startDataService, startTime, uploadPicture, type TestService } from '../data-service-fixture.ts';

// The requests of Viam's command line, as its source (go.viam.com/rdk/cli, v1.4.0) makes them: for those who do not have
// it. tests/server/viam-cli.test.ts runs the command line itself.

type Filter = Parameters<TestService['owner']['data']['tagsByFilter']>[0]['filter'];

const second = 1e6;
let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const uploadPictures = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => uploadPicture(service.owner, {}, startTime + index * second)),
  );

/** `forEachBinaryDataByFilter`: pages until one is empty, without the bytes, and acts on each file before the next page. */
async function forEachFile(filter: Filter, limit: number, act: (id: string) => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let last = ''; ;) {
    const page = await service.owner.data.binaryDataByFilter({
      dataRequest: { ...(filter && { filter }), limit: BigInt(limit), last },
    });
    if (page.data.length === 0) return ids;
    last = page.last;
    for (const { metadata } of page.data) {
      ids.push(metadata!.binaryDataId);
      await act(metadata!.binaryDataId);
    }
  }
}

const found = async (filter: Filter) => (await forEachFile(filter, 100, async () => undefined)).toSorted();

describe('machines', () => {
  it('are found by name or id, the first organization and location taken where none is named', async () => {
    const fleet = service.operator.of(FleetService);
    const [organization] = (await fleet.listOrganizations({})).organizations;
    const [location] = (await fleet.listLocations({ organizationId: organization!.id })).locations;
    const { robots } = await fleet.listRobots({ locationId: location!.id });
    const machine = robots.find(({ name }) => name === 'lab robot')!;
    const { parts } = await fleet.getRobotParts({ robotId: machine.id });
    expect(parts.find(({ mainPart }) => mainPart)?.id).toBe('lab-part');
    const { organizationIdentities } = await fleet.getOrganizationsWithAccessToLocation({
      locationId: machine.location,
    });
    expect(organizationIdentities[0]!.name).toBe('Organization a');
  });

  it('of other locations are found by their id, and a part by its own', async () => {
    const fleet = service.operator.of(FleetService);
    expect((await fleet.listRobots({ locationId: 'lab' })).robots.map(({ id }) => id)).not.toContain('yard-robot');
    expect((await fleet.getRobot({ id: 'yard-robot' })).robot).toMatchObject({ name: 'yard robot', location: 'yard' });
    expect(await codeOf(fleet.getRobot({ id: '' }))).toBe('InvalidArgument');
    expect((await fleet.getRobotPart({ id: 'yard-part' })).part).toMatchObject({ robot: 'yard-robot' });
  });

  it('are listed only in locations that say how many they have', async () => {
    const { locations } = await service.operator.of(FleetService).listLocations({ organizationId: 'a' });
    expect(locations.map(({ robotCount }) => robotCount)).toEqual([1, 1]);
  });
});

describe('data', () => {
  it.each([1, 2, 3, 100])('pages end with an empty one, %i files a page', async (limit) => {
    const ids = await uploadPictures(6);
    const seen = await forEachFile({ organizationIds: ['a'] }, limit, async () => undefined);
    expect(seen).toEqual(ids.toReversed());
  });

  it('is exported by ids: first what is known of them, then their bytes', async () => {
    const { data } = service.owner;
    const binaryDataIds = await uploadPictures(2);
    const known = await data.binaryDataByIDs({ binaryDataIds, includeBinary: false });
    expect(known.data.map(({ binary, metadata }) => [binary.length, metadata!.fileExt])).toEqual([
      [0, '.png'],
      [0, '.png'],
    ]);
    const { data: whole } = await data.binaryDataByIDs({ binaryDataIds, includeBinary: true });
    expect(whole.map(({ binary }) => new TextDecoder().decode(binary))).toEqual(['pixels', 'pixels']);
  });

  it('of more bytes than an answer carries is refused with the code that makes it fetch by the uri', async () => {
    service = await startDataService({ limits: { ...defaultLimits, maxAnswerBytes: 5 } });
    const { data } = service.owner;
    const binaryDataIds = [await uploadPicture(service.owner)];
    const whole = data.binaryDataByIDs({ binaryDataIds, includeBinary: true });
    await expect(whole).rejects.toMatchObject({ code: Code.ResourceExhausted });
    const { data: known } = await data.binaryDataByIDs({ binaryDataIds });
    expect(known[0]!.metadata!.uri).toMatch(/^https:\/\/data\.example\/data\//);
  });

  it('is tagged by filter, a file at a time while it pages, also by a filter that the tags end', async () => {
    const ids = await uploadPictures(5);
    const { data } = service.owner;
    const untagged = { tagsFilter: { type: TagsFilterType.UNTAGGED } };
    await forEachFile(untagged, 2, (id) => data.addTagsToBinaryDataByIDs({ tags: ['seen'], binaryDataIds: [id] }));
    const seen = { tagsFilter: { type: TagsFilterType.MATCH_BY_OR, tags: ['seen'] } };
    expect(await found(seen)).toEqual(ids.toSorted());
    await forEachFile(seen, 2, (id) => data.removeTagsFromBinaryDataByIDs({ tags: ['seen'], binaryDataIds: [id] }));
    expect(await found(untagged)).toEqual(ids.toSorted());
  });

  it('sends an index as JSON text, and an empty name of a pipeline with that of hot storage', async () => {
    const { data } = service.owner;
    const hotStorage = { organizationId: 'a', collectionType: IndexableCollection.HOT_STORE, pipelineName: '' };
    const indexSpec = ['{"data.readings.celsius":1}', '{"name":"warm"}'].map((text) => new TextEncoder().encode(text));
    await data.createIndex({ ...hotStorage, indexSpec });
    const listed = async () =>
      (await data.listIndexes(hotStorage)).indexes.map(
        (index) => `${index.indexName}: ${index.indexSpec.map((part) => new TextDecoder().decode(part)).join(' ')}`,
      );
    expect(await listed()).toEqual(['warm: {"data.readings.celsius":1} {"name":"warm"}']);
    await data.deleteIndex({ ...hotStorage, indexName: 'warm' });
    expect(await listed()).toEqual([]);
  });
});

describe('datasets', () => {
  it('lose the files of a filter a file at a time, while it pages', async () => {
    const { data, datasets } = service.owner;
    const { id: datasetId } = await datasets.createDataset({ organizationId: 'a', name: 'mugs' });
    const binaryDataIds = await uploadPictures(5);
    await forEachFile({ partId: 'lab-part' }, 2, (id) =>
      data.addBinaryDataToDatasetByIDs({ datasetId, binaryDataIds: [id] }),
    );
    expect(await found({ datasetId })).toEqual(binaryDataIds.toSorted());
    await forEachFile({ datasetId }, 2, (id) =>
      data.removeBinaryDataFromDatasetByIDs({ datasetId, binaryDataIds: [id] }),
    );
    expect(await found({ datasetId })).toEqual([]);
  });

  it('say of what they are, which decides how they are exported; an unknown one is not listed', async () => {
    const { datasets } = service.owner;
    const files = await datasets.createDataset({ organizationId: 'a', name: 'mugs' });
    const clips = await datasets.createDataset({ organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA });
    const typeOf = async (id: string) => (await datasets.listDatasetsByIDs({ ids: [id] })).datasets[0]?.type;
    expect(await Promise.all([files.id, clips.id, 'none'].map(typeOf))).toEqual([
      DatasetType.BINARY_DATA,
      DatasetType.SEQUENCE_DATA,
      undefined,
    ]);
    const listed = await datasets.listDatasetsByOrganizationID({ organizationId: 'a' });
    expect(listed.datasets.map(({ name }) => name)).toEqual(['clips', 'mugs']);
  });
});

describe('datapipelines', () => {
  it('always have a source, which the command line reads unasked, and no run before the first', async () => {
    const { pipelines } = service.owner;
    const { id } = await pipelines.createDataPipeline({
      organizationId: 'a',
      name: 'hourly',
      schedule: '0 * * * *',
      mqlBinary: [serialize({ $count: 'n' })],
      dataSourceType: TabularDataSourceType.STANDARD,
      enableBackfill: false,
    });
    const { dataPipelines } = await pipelines.listDataPipelines({ organizationId: 'a' });
    expect(dataPipelines).toMatchObject([{ id, enabled: true, dataSourceType: TabularDataSourceType.STANDARD }]);
    expect((await pipelines.listDataPipelineRuns({ id, pageSize: 1 })).runs).toEqual([]);
  });
});
