import { beforeEach, describe, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';

let service: TestService;
let [one, two, cups] = ['', '', ''];

beforeEach(async () => {
  service = await startDataService();
  one = await uploadPicture(service.owner);
  two = await uploadPicture(service.owner);
  cups = await createDataset('cups');
});

const createDataset = async (name: string) =>
  (await service.owner.datasets.createDataset({ organizationId: 'a', name })).id;
const names = async () =>
  (await service.operator.datasets.listDatasetsByOrganizationID({ organizationId: 'a' })).datasets.map(
    ({ name }) => name,
  );
const memberships = async (id: string) => {
  const { data } = await service.owner.data.binaryDataByIDs({ binaryDataIds: [id] });
  return { ids: data[0]!.metadata!.datasetIds, tags: data[0]!.metadata!.captureMetadata!.tags };
};
const add = (binaryDataIds: string[], datasetId = cups) =>
  service.owner.data.addBinaryDataToDatasetByIDs({ datasetId, binaryDataIds });

describe('datasets', () => {
  it('are created, renamed and listed by name', async () => {
    const zebras = await createDataset('zebras');
    await service.owner.datasets.renameDataset({ id: zebras, name: 'animals' });
    expect(await names()).toEqual(['animals', 'cups']);
    const { datasets } = await service.operator.datasets.listDatasetsByIDs({ ids: [cups, zebras] });
    expect(datasets).toMatchObject([
      {
        id: cups,
        name: 'cups',
        organizationId: 'a',
        timeCreated: { seconds: BigInt(startTime / 1e6) },
        type: DatasetType.BINARY_DATA,
      },
      { id: zebras, name: 'animals' },
    ]);
  });

  it('have names of their own in an organization', async () => {
    expect(await codeOf(createDataset('cups'))).toBe('AlreadyExists');
    const other = await createDataset('mugs');
    expect(await codeOf(service.owner.datasets.renameDataset({ id: other, name: 'cups' }))).toBe('AlreadyExists');
    expect(await codeOf(service.owner.datasets.renameDataset({ id: other, name: 'mugs' }))).toBe('ok');
    expect(await codeOf(service.stranger.datasets.createDataset({ organizationId: 'b', name: 'cups' }))).toBe('ok');
  });

  it.each([
    ['an empty name', 'InvalidArgument', () => createDataset(' ')],
    ['no organization', 'InvalidArgument', () => service.owner.datasets.createDataset({ name: 'x' })],
    ['an unknown one to rename', 'NotFound', () => service.owner.datasets.renameDataset({ id: 'none', name: 'x' })],
    ['an empty new name', 'InvalidArgument', () => service.owner.datasets.renameDataset({ id: cups, name: '' })],
    ['no one to rename', 'InvalidArgument', () => service.owner.datasets.renameDataset({ name: 'x' })],
    ['no one to delete', 'InvalidArgument', () => service.owner.datasets.deleteDataset({})],
    ['an unknown one to delete', 'NotFound', () => service.owner.datasets.deleteDataset({ id: 'none' })],
  ])('refuse %s', async (_, code, call) => {
    expect(await codeOf(call())).toBe(code);
  });

  it('that are unknown are left out of a list', async () => {
    expect((await service.operator.datasets.listDatasetsByIDs({ ids: ['none'] })).datasets).toEqual([]);
  });

  it('that are asked for twice are told once', async () => {
    expect((await service.operator.datasets.listDatasetsByIDs({ ids: [cups, cups] })).datasets).toHaveLength(1);
  });

  it('have members by a tag', async () => {
    await add([one, two, one]);
    expect(await memberships(one)).toEqual({ ids: [cups], tags: [`SVC_DATASET_${cups}`] });
    expect((await service.operator.data.tagsByFilter({})).tags).toEqual([`SVC_DATASET_${cups}`]);
    await service.owner.data.removeBinaryDataFromDatasetByIDs({ datasetId: cups, binaryDataIds: [two] });
    expect(await memberships(two)).toEqual({ ids: [], tags: [] });
    const { count } = await service.operator.data.binaryDataByFilter({
      countOnly: true,
      dataRequest: { filter: { datasetId: cups } },
    });
    expect(count).toBe(1n);
  });

  it.each([
    ['an unknown file', 'NotFound', () => add([one, 'a/lab/none'])],
    ['an unknown dataset', 'NotFound', () => add([one], 'none')],
    ['no dataset', 'InvalidArgument', () => add([one], '')],
    ['an empty id', 'InvalidArgument', () => add([one, ''])],
    ['no file', 'InvalidArgument', () => add([])],
  ])('take all files or none: %s', async (_, code, call) => {
    expect(await codeOf(call())).toBe(code);
    expect((await memberships(one)).ids).toEqual([]);
  });

  it('leave their data when they are deleted, without the tag', async () => {
    await add([one]);
    await service.owner.datasets.deleteDataset({ id: cups });
    expect(await names()).toEqual([]);
    expect(await memberships(one)).toEqual({ ids: [], tags: [] });
    expect(await codeOf(createDataset('cups'))).toBe('ok');
  });

  it('are deleted also while data is still added', async () => {
    await add([one]);
    const { binary } = service.dependencies.store;
    const edit = binary.edit.bind(binary);
    let late = 1;
    // Between taking off the members and deleting the dataset, another caller adds one.
    binary.edit = async (...call) => {
      const edited = await edit(...call);
      if (late-- > 0) await add([two]);
      return edited;
    };
    await service.owner.datasets.deleteDataset({ id: cups });
    expect(await memberships(two)).toEqual({ ids: [], tags: [] });
  });

  it('merge into a new one and stay', async () => {
    const mugs = await createDataset('mugs');
    await add([one]);
    await add([one, two], mugs);
    const merged = await service.owner.datasets.mergeDatasets({
      organizationId: 'a',
      name: 'all',
      datasetIds: [cups, mugs],
    });
    expect((await memberships(one)).ids).toEqual([cups, mugs, merged.datasetId]);
    expect((await memberships(two)).ids).toEqual([mugs, merged.datasetId]);
    expect(await names()).toEqual(['all', 'cups', 'mugs']);
  });

  it.each([
    ['nothing', 'InvalidArgument', () => ({ name: 'all', datasetIds: [] })],
    ['an unknown one', 'NotFound', () => ({ name: 'all', datasetIds: [cups, 'none'] })],
    ['under a taken name', 'AlreadyExists', () => ({ name: 'cups', datasetIds: [cups] })],
    ['under no name', 'InvalidArgument', () => ({ name: '', datasetIds: [cups] })],
  ])('do not merge %s', async (_, code, request) => {
    expect(await codeOf(service.owner.datasets.mergeDatasets({ organizationId: 'a', ...request() }))).toBe(code);
    expect(await names()).toEqual(['cups']);
  });
});
