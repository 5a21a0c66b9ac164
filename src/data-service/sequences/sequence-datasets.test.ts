import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startDataService, uploadPicture, type TestService } from '../../../tests/data-service-fixture.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { toTimestamp } from '../wire/timestamps.ts';

let service: TestService;
let [clips, pictures, one, two] = ['', '', '', ''];

const createDataset = async (name: string, type?: DatasetType) =>
  (await service.operator.datasets.createDataset({ organizationId: 'a', name, ...(type !== undefined && { type }) }))
    .id;
const createSequence = async () => {
  service.time.now += 1_000_000;
  const times = { startTime: toTimestamp(1), endTime: toTimestamp(service.time.now) };
  const resources = [{ resourceName: 'front', methodName: 'GetImages' }];
  return (await service.operator.data.createSequence({ partId: 'lab-part', resources, ...times })).id;
};
const add = (datasetId: string, ...sequenceIds: string[]) =>
  service.operator.data.addSequencesToDataset({ datasetId, sequenceIds });
const membersOf = (datasetId: string, changes: object = {}) =>
  service.operator.data.sequencesByDatasetID({ datasetId, ...changes });
const datasetsOf = async (id: string) => (await service.operator.data.getSequence({ id })).sequence!.datasetIds;

beforeEach(async () => {
  service = await startDataService();
  clips = await createDataset('clips', DatasetType.SEQUENCE_DATA);
  pictures = await createDataset('pictures');
  one = await createSequence();
  two = await createSequence();
});

describe('a dataset of sequences', () => {
  it('says so, and is listed by its type', async () => {
    const list = async (type?: DatasetType) =>
      (
        await service.operator.datasets.listDatasetsByOrganizationID({
          organizationId: 'a',
          ...(type !== undefined && { type }),
        })
      ).datasets.map(({ id }) => id);
    expect(await list()).toEqual([clips, pictures]);
    expect(await list(DatasetType.SEQUENCE_DATA)).toEqual([clips]);
    expect(await list(DatasetType.BINARY_DATA)).toEqual([pictures]);
  });

  it('has the sequences that were added, each once, newest first', async () => {
    await add(clips, one, two, one);
    await add(clips, one);
    expect((await membersOf(clips)).sequences.map(({ id }) => id)).toEqual([two, one]);
    expect(await datasetsOf(one)).toEqual([clips]);
    const first = await membersOf(clips, { pageSize: 1 });
    expect([first.sequences.length, first.count]).toEqual([1, 2n]);
    const second = await membersOf(clips, { pageSize: 1, pageToken: first.nextPageToken });
    expect(second.sequences.map(({ id }) => id)).toEqual([one]);
    expect(second.nextPageToken).toBe('');
    expect(await membersOf(clips, { countOnly: true })).toMatchObject({ sequences: [], count: 2n });
    await service.operator.data.removeSequencesFromDataset({ datasetId: clips, sequenceIds: [one] });
    expect((await membersOf(clips)).sequences.map(({ id }) => id)).toEqual([two]);
  });

  it.each([
    ['an unknown sequence', 'NotFound', () => add(clips, one, 'none')],
    ['an unknown dataset', 'NotFound', () => add('none', one)],
    ['a dataset of files', 'InvalidArgument', () => add(pictures, one)],
    ['no dataset', 'InvalidArgument', () => add('', one)],
    ['no sequence', 'InvalidArgument', () => add(clips)],
    ['an empty id', 'InvalidArgument', () => add(clips, one, '')],
  ])('takes all sequences or none: %s', async (_, code, call) => {
    expect(await codeOf(call())).toBe(code);
    expect(await datasetsOf(one)).toEqual([]);
  });

  it('takes no files, and is merged with no other', async () => {
    const picture = await uploadPicture(service.owner);
    const { data, datasets } = service.owner;
    const membership = { datasetId: clips, binaryDataIds: [picture] };
    expect(await codeOf(data.addBinaryDataToDatasetByIDs(membership))).toBe('InvalidArgument');
    expect(await codeOf(uploadPicture(service.owner, { datasetIds: [clips] }))).toBe('InvalidArgument');
    const merge = { organizationId: 'a', name: 'all', datasetIds: [pictures, clips] };
    expect(await codeOf(datasets.mergeDatasets(merge))).toBe('InvalidArgument');
    expect(await codeOf(membersOf(pictures))).toBe('InvalidArgument');
  });

  it('leaves its sequences when it is deleted', async () => {
    await add(clips, one, two);
    await service.operator.datasets.deleteDataset({ id: clips });
    expect(await datasetsOf(one)).toEqual([]);
    expect(await codeOf(membersOf(clips))).toBe('NotFound');
  });

  it('is deleted also while sequences are still added', async () => {
    await add(clips, one);
    const { sequences } = service.dependencies.store;
    const edit = sequences.edit.bind(sequences);
    let added = false;
    sequences.edit = async (...call) => {
      await edit(...call);
      if (added) return;
      added = true;
      await add(clips, two);
    };
    await service.operator.datasets.deleteDataset({ id: clips });
    expect(await datasetsOf(two)).toEqual([]);
  });
});
