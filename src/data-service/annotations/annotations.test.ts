import { beforeEach, describe, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { TagsFilterType } from '../../gen/app/data/v1/data_pb.ts';

let service: TestService;
let [one, two, video] = ['', '', ''];

beforeEach(async () => {
  service = await startDataService();
  one = await uploadPicture(service.owner, { tags: ['old'] });
  two = await uploadPicture(service.owner);
  video = await uploadPicture(service.owner, { fileExtension: '.mp4' });
});

const metadataOf = async (id: string) =>
  (await service.owner.data.binaryDataByIDs({ binaryDataIds: [id] })).data[0]!.metadata!;
const tagsOf = async (id: string) => (await metadataOf(id)).captureMetadata!.tags;

describe('tags by ids', () => {
  it('are a set: one that is there is not added again', async () => {
    const { data } = service.owner;
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [one, two, one], tags: ['new', 'old', 'new'] });
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [one], tags: ['new'] });
    expect(await tagsOf(one)).toEqual(['old', 'new']);
    expect(await tagsOf(two)).toEqual(['new', 'old']);
  });

  it('count one for each tag taken off each file', async () => {
    const { data } = service.owner;
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [one, two], tags: ['a', 'b'] });
    const { deletedCount } = await data.removeTagsFromBinaryDataByIDs({
      binaryDataIds: [one, two],
      tags: ['a', 'b', 'old', 'none'],
    });
    expect(deletedCount).toBe(5n);
    expect(await tagsOf(one)).toEqual([]);
  });

  it.each([
    ['no tags', 'InvalidArgument', () => ({ binaryDataIds: [one], tags: [] })],
    ['an empty tag', 'InvalidArgument', () => ({ binaryDataIds: [one], tags: ['ok', ''] })],
    ['no ids', 'InvalidArgument', () => ({ tags: ['t'] })],
    ['an unknown id', 'NotFound', () => ({ binaryDataIds: [one, 'a/lab/none'], tags: ['t'] })],
    ['an unknown dataset', 'NotFound', () => ({ binaryDataIds: [one], tags: ['SVC_DATASET_none'] })],
  ])('are refused with %s, and no file is changed', async (_, code, request) => {
    expect(await codeOf(service.owner.data.addTagsToBinaryDataByIDs(request()))).toBe(code);
    expect(await tagsOf(one)).toEqual(['old']);
  });

  it.each([
    ['no tags', () => ({ binaryDataIds: [one], tags: [] })],
    ['no ids', () => ({ tags: ['t'] })],
  ])('are not removed with %s', async (_, request) => {
    expect(await codeOf(service.owner.data.removeTagsFromBinaryDataByIDs(request()))).toBe('InvalidArgument');
  });
});

describe('tags by filter', () => {
  it('reach every match of a large set', async () => {
    const many = Array.from({ length: 1001 }, () => ({ data: { case: 'binary' as const, value: new Uint8Array(1) } }));
    await service.owner.sync.dataCaptureUpload({
      metadata: { partId: 'yard-part', fileExtension: 'png' },
      sensorContents: many,
    });
    const filter = { locationIds: ['yard'] };
    await service.owner.data.addTagsToBinaryDataByFilter({ filter, tags: ['bulk'] });
    const { count } = await service.owner.data.binaryDataByFilter({
      countOnly: true,
      dataRequest: { filter: { tagsFilter: { tags: ['bulk'] } } },
    });
    expect(count).toBe(1001n);
    const removed = await service.owner.data.removeTagsFromBinaryDataByFilter({
      filter: { tagsFilter: { tags: ['bulk'] } },
      tags: ['bulk'],
    });
    expect(removed.deletedCount).toBe(1001n);
  });

  it('are listed once each, in order', async () => {
    await service.owner.data.addTagsToBinaryDataByIDs({ binaryDataIds: [one, two], tags: ['b', 'a'] });
    expect((await service.operator.data.tagsByFilter({})).tags).toEqual(['a', 'b', 'old']);
    const untagged = { tagsFilter: { type: TagsFilterType.UNTAGGED } };
    expect((await service.operator.data.tagsByFilter({ filter: untagged })).tags).toEqual([]);
  });

  it('need tags', async () => {
    expect(await codeOf(service.owner.data.addTagsToBinaryDataByFilter({ tags: [] }))).toBe('InvalidArgument');
    expect(await codeOf(service.owner.data.removeTagsFromBinaryDataByFilter({ tags: [] }))).toBe('InvalidArgument');
  });
});

describe('boxes', () => {
  const whole = { label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
  const boxesOf = async (id: string) => (await metadataOf(id)).annotations?.bboxes ?? [];
  const add = (box: object) => service.owner.data.addBoundingBoxToImageByID({ binaryDataId: one, ...whole, ...box });

  it('are kept with the picture', async () => {
    const { bboxId } = await add({ confidence: 0.5 });
    expect(await boxesOf(one)).toMatchObject([{ ...whole, id: bboxId, confidence: 0.5 }]);
    await add({ xMinNormalized: 1, label: 'edge' });
    expect((await boxesOf(one)).map(({ label, confidence }) => [label, confidence])).toEqual([
      ['cup', 0.5],
      ['edge', undefined],
    ]);
    expect((await service.operator.data.boundingBoxLabelsByFilter({})).labels).toEqual(['cup', 'edge']);
  });

  it.each([
    ['x_min_normalized', { xMinNormalized: -0.01 }, '-0.01'],
    ['y_min_normalized', { yMinNormalized: NaN }, 'NaN'],
    ['x_max_normalized', { xMaxNormalized: 1.01 }, '1.01'],
    ['y_max_normalized', { yMaxNormalized: Infinity }, 'Infinity'],
    ['x_min_normalized', { xMinNormalized: 0.6, xMaxNormalized: 0.5 }, '0.6'],
    ['y_max_normalized', { yMinNormalized: 0.6, yMaxNormalized: 0.5 }, '0.5'],
    ['confidence', { confidence: 1.5 }, '1.5'],
    ['label', { label: ' ' }, ''],
  ])('are refused for a wrong %s in %j, named with its value', async (field, box, value) => {
    await expect(add(box)).rejects.toThrow(new RegExp(`invalid_argument.*${field}.*${value}`));
    expect(await boxesOf(one)).toEqual([]);
    const { bboxId } = await add({});
    const update = service.owner.data.updateBoundingBox({ binaryDataId: one, bboxId, ...box });
    await expect(update).rejects.toThrow('invalid_argument');
    expect(await boxesOf(one)).toMatchObject([whole]);
  });

  it('are updated in part: what is absent keeps its value', async () => {
    const { bboxId } = await add({ confidence: 0.5 });
    await service.owner.data.updateBoundingBox({ binaryDataId: one, bboxId, xMinNormalized: 0.25 });
    expect(await boxesOf(one)).toMatchObject([{ ...whole, xMinNormalized: 0.25, confidence: 0.5 }]);
    await service.owner.data.updateBoundingBox({ binaryDataId: one, bboxId, label: 'mug', confidence: 0 });
    expect(await boxesOf(one)).toMatchObject([{ ...whole, xMinNormalized: 0.25, label: 'mug', confidence: 0 }]);
    const crossing = service.owner.data.updateBoundingBox({ binaryDataId: one, bboxId, xMaxNormalized: 0.2 });
    expect(await codeOf(crossing)).toBe('InvalidArgument');
  });

  it('are removed, once', async () => {
    const { bboxId } = await add({});
    await service.owner.data.removeBoundingBoxFromImageByID({ binaryDataId: one, bboxId });
    expect(await boxesOf(one)).toEqual([]);
    expect(await codeOf(service.owner.data.removeBoundingBoxFromImageByID({ binaryDataId: one, bboxId }))).toBe(
      'NotFound',
    );
  });

  it('take the legacy id of a picture', async () => {
    const [organizationId, locationId, fileId] = one.split('/') as [string, string, string];
    await service.owner.data.addBoundingBoxToImageByID({ binaryId: { organizationId, locationId, fileId }, ...whole });
    expect(await boxesOf(one)).toHaveLength(1);
  });

  it.each([
    [
      'an unknown picture',
      'NotFound',
      () => service.owner.data.addBoundingBoxToImageByID({ ...whole, binaryDataId: 'a/lab/none' }),
    ],
    ['no picture', 'InvalidArgument', () => service.owner.data.addBoundingBoxToImageByID(whole)],
    [
      'a video',
      'InvalidArgument',
      () => service.owner.data.addBoundingBoxToImageByID({ ...whole, binaryDataId: video }),
    ],
    [
      'an unknown box',
      'NotFound',
      () => service.owner.data.updateBoundingBox({ binaryDataId: one, bboxId: 'none', label: 'x' }),
    ],
    ['no box', 'InvalidArgument', () => service.owner.data.updateBoundingBox({ binaryDataId: one, label: 'x' })],
  ])('are refused on %s', async (_, code, call) => {
    expect(await codeOf(call())).toBe(code);
  });

  it('narrow a filter', async () => {
    await add({});
    await uploadPicture(service.owner, {}, startTime);
    const { count } = await service.owner.data.binaryDataByFilter({
      countOnly: true,
      dataRequest: { filter: { bboxLabels: ['cup'] } },
    });
    expect(count).toBe(1n);
  });
});

describe('annotations of one file', () => {
  const tags = (from: number, count: number) => Array.from({ length: count }, (_, n) => `tag ${from + n}`);

  it('are no more than it may have, whichever way they come, and go again', async () => {
    const { data } = service.owner;
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [one], tags: tags(0, 999) }); // with the one it has
    const onlyOne = { binaryDataIds: [one], tags: ['more'] };
    await expect(data.addTagsToBinaryDataByIDs(onlyOne)).rejects.toThrow('1001 tags; it may have at most 1000.');
    await expect(data.addTagsToBinaryDataByFilter({ filter: {}, tags: ['more'] })).rejects.toThrow(/1001 tags/);
    await expect(uploadPicture(service.owner, { tags: tags(0, 1001) })).rejects.toThrow(/1001 tags/);
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [one], tags: ['old'] });
    await data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [one], tags: tags(0, 999) });
    expect(await tagsOf(one)).toEqual(['old']);
  });

  it.each([
    ['a tag', () => service.owner.data.addTagsToBinaryDataByIDs({ binaryDataIds: [one], tags: ['x'.repeat(201)] })],
    [
      'a tag of a filter',
      () => service.owner.data.addTagsToBinaryDataByFilter({ filter: {}, tags: ['x'.repeat(201)] }),
    ],
    ['a tag of an upload', () => uploadPicture(service.owner, { tags: ['x'.repeat(201)] })],
    ['a file name', () => uploadPicture(service.owner, { fileName: 'x'.repeat(1001) })],
    ['a component', () => uploadPicture(service.owner, { componentName: 'x'.repeat(1001) })],
    ['a dataset', () => service.owner.datasets.createDataset({ organizationId: 'a', name: 'x'.repeat(1001) })],
  ])('and names are not too long: %s', async (_, call) => {
    await expect(call()).rejects.toThrow(/has (201|1001) characters; give at most (200|1000)\./);
  });

  it('that were stored before can be taken away, whatever their length', async () => {
    const long = 'x'.repeat(900);
    await service.dependencies.store.binary.edit('a', [one], (record) => ({ ...record, tags: [long, 'old'] }));
    await service.owner.data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [one], tags: [long] });
    expect(await tagsOf(one)).toEqual(['old']);
  });
});
