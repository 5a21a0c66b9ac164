import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startDataService, uploadPicture, type TestService } from '../../../tests/data-service-fixture.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { toTimestamp } from '../wire/timestamps.ts';

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const second = 1_000_000;
const camera = { resourceName: 'front', methodName: 'GetImages' };
const at = (seconds: number) => toTimestamp(1_800_000_000 * second + seconds * second);

const request = (changes: object = {}) => ({
  partId: 'lab-part',
  resources: [camera],
  sequenceTags: ['good'],
  startTime: at(0),
  endTime: at(10),
  ...changes,
});
const create = async (changes: object = {}): Promise<string> =>
  (await service.operator.data.createSequence(request(changes))).id;
const read = async (id: string) => (await service.operator.data.getSequence({ id })).sequence!;
const picture = (seconds: number, changes: object = {}) => {
  const metadata = { componentName: 'front', methodName: 'GetImages', ...changes };
  return uploadPicture(service.owner, metadata, 1_800_000_000 * second + seconds * second);
};
const imagesOf = async (sequenceId: string) =>
  (await service.operator.data.getSequenceBinaryData({ sequenceId })).data.map(
    ({ metadata }) => metadata!.binaryDataId,
  );

describe('a sequence', () => {
  it('is kept as it was created', async () => {
    const id = await create({ resources: [camera, camera, { resourceName: 'arm', methodName: 'JointPositions' }] });
    expect(await read(id)).toMatchObject({
      id,
      partId: 'lab-part',
      sequenceTags: ['good'],
      resources: [camera, { resourceName: 'arm', methodName: 'JointPositions' }],
      startTime: at(0),
      endTime: at(10),
      createdAt: toTimestamp(service.time.now),
      updatedAt: toTimestamp(service.time.now),
      datasetIds: [],
    });
  });

  it.each([
    ['no part', { partId: '' }, 'part_id'],
    ['an unknown part', { partId: 'none' }, 'part_id'],
    ['a part of another organization', { partId: 'ship-part' }, 'part_id'],
    ['no resources', { resources: [] }, 'resources is empty'],
    [
      'a resource without a name',
      { resources: [camera, { methodName: 'GetImages' }] },
      'resources\\[1\\].resource_name',
    ],
    ['a resource without a method', { resources: [{ resourceName: 'front' }] }, 'resources\\[0\\].method_name'],
    ['point clouds', { resources: [{ resourceName: 'lidar', methodName: 'NextPointCloud' }] }, 'NextPointCloud'],
    [
      'too many resources',
      { resources: Array.from({ length: 101 }, (_, n) => ({ ...camera, resourceName: `c${n}` })) },
      'resources has 101 entries',
    ],
    ['an empty tag', { sequenceTags: ['a', ' '] }, 'sequence_tags\\[1\\]'],
    ['too many tags', { sequenceTags: Array.from({ length: 101 }, (_, n) => `t${n}`) }, 'sequence_tags has 101'],
    ['no start', { startTime: undefined }, 'start_time is absent'],
    ['no end', { endTime: undefined }, 'end_time is absent'],
    ['an end before its start', { endTime: at(-1) }, 'end_time is before start_time'],
  ])('is refused with %s', async (_, changes, words) => {
    await expect(create(changes)).rejects.toThrow(new RegExp(`^\\[invalid_argument\\].*${words}`));
  });

  it('may be a single moment', async () => {
    const id = await create({ endTime: at(0) });
    const shown = await picture(0);
    expect(await imagesOf(id)).toEqual([shown]);
  });

  it('changes in the fields that the mask names, and in no other', async () => {
    const id = await create();
    service.time.now += second;
    const { data } = service.operator;
    await data.updateSequence({ id, sequenceTags: [], endTime: at(20), fieldMask: { paths: ['sequence_tags'] } });
    expect(await read(id)).toMatchObject({
      sequenceTags: [],
      endTime: at(10),
      resources: [camera],
      updatedAt: toTimestamp(service.time.now),
    });
    const back = { resourceName: 'back', methodName: 'ReadImage' };
    const paths = ['resources', 'start_time', 'end_time'];
    await data.updateSequence({ id, resources: [back], startTime: at(1), endTime: at(2), fieldMask: { paths } });
    expect(await read(id)).toMatchObject({ resources: [back], startTime: at(1), endTime: at(2), sequenceTags: [] });
  });

  it.each([
    ['no mask', {}, 'field_mask is empty'],
    ['what cannot change', { fieldMask: { paths: ['part_id'] } }, 'field_mask names "part_id"'],
    ['what no field is', { fieldMask: { paths: ['constructor'] } }, 'field_mask names "constructor"'],
    ['a start after its end', { startTime: at(11), fieldMask: { paths: ['start_time'] } }, 'end_time is before'],
    ['no resource left', { fieldMask: { paths: ['resources'] } }, 'resources is empty'],
    ['no start', { fieldMask: { paths: ['start_time'] } }, 'start_time is absent'],
  ])('does not change by %s', async (_, changes, words) => {
    const id = await create();
    const before = await read(id);
    service.time.now += second;
    await expect(service.operator.data.updateSequence({ id, ...changes })).rejects.toThrow(
      `[invalid_argument] ${words}`,
    );
    expect(await read(id)).toEqual(before);
  });

  it('that is deleted is gone, and what it showed stays', async () => {
    const [id, shown] = [await create(), await picture(5)];
    await service.operator.data.deleteSequence({ id });
    for (const call of ['getSequence', 'deleteSequence', 'updateSequence'] as const) {
      expect(await codeOf(service.operator.data[call]({ id }))).toBe('NotFound');
    }
    expect(await codeOf(service.operator.data.getSequenceBinaryData({ sequenceId: id }))).toBe('NotFound');
    expect((await service.owner.data.binaryDataByIDs({ binaryDataIds: [shown] })).data).toHaveLength(1);
  });

  it('is created with the key of its part’s location', async () => {
    const { data } = service.local;
    const { id } = await data.createSequence(request({ partId: 'yard-part' }));
    expect((await read(id)).partId).toBe('yard-part');
    expect(await codeOf(data.createSequence(request()))).toBe('InvalidArgument');
    expect(await codeOf(data.getSequence({ id }))).toBe('PermissionDenied');
  });
});

// A machine sends again what it got no answer for.
describe('a sequence that is created again', () => {
  const listed = async () => (await service.operator.data.listSequences({ organizationId: 'a' })).sequences;

  it('in every detail as it was is the one that is there, however many send it at once', async () => {
    const ids = new Set(await Promise.all([create(), create(), create()]));
    service.time.now += second;
    ids.add(await create());
    expect(await listed()).toMatchObject([{ id: [...ids][0] }]);
    expect(ids.size).toBe(1);
  });

  it('by the key of its part’s location is known, too', async () => {
    const [one, two] = [service.operator, service.local].map(({ data }) => data);
    const { id } = await one!.createSequence(request({ partId: 'yard-part' }));
    expect(await two!.createSequence(request({ partId: 'yard-part' }))).toMatchObject({ id });
  });

  it.each([
    ['another part', { partId: 'yard-part' }],
    ['another resource', { resources: [{ ...camera, resourceName: 'back' }] }],
    ['another method', { resources: [{ ...camera, methodName: 'ReadImage' }] }],
    ['one more tag', { sequenceTags: ['good', 'late'] }],
    ['a later start', { startTime: at(0.000001) }],
    ['a later end', { endTime: at(10.000001) }],
  ])('with %s is another', async (_, changes) => {
    expect(await create(changes)).not.toBe(await create());
    expect(await listed()).toHaveLength(2);
  });

  it('after it was changed is another, which is known in turn', async () => {
    const changed = await create();
    await service.operator.data.updateSequence({ id: changed, endTime: at(20), fieldMask: { paths: ['end_time'] } });
    const again = await create();
    expect(again).not.toBe(changed);
    expect(await create()).toBe(again);
    expect((await listed()).map(({ endTime }) => endTime)).toEqual(expect.arrayContaining([at(10), at(20)]));
    expect(await create({ endTime: at(20) })).not.toBe(changed);
  });

  it('after it was deleted is stored again, in no dataset', async () => {
    const { data, datasets } = service.operator;
    const clips = { organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA };
    const { id: datasetId } = await datasets.createDataset(clips);
    const id = await create();
    await data.addSequencesToDataset({ datasetId, sequenceIds: [id] });
    await data.deleteSequence({ id });
    expect(await read(await create())).toMatchObject({ sequenceTags: ['good'], datasetIds: [] });
    expect(await listed()).toHaveLength(1);
  });
});

describe('the images of a sequence', () => {
  it('are those of its part, resources and window, its ends included, in the order of their times', async () => {
    const id = await create({ resources: [camera, { resourceName: 'eye', methodName: 'CaptureAllFromCamera' }] });
    const last = await picture(10);
    const first = await picture(0);
    const other = await picture(5, { componentName: 'eye', methodName: 'CaptureAllFromCamera', fileExtension: '.jpg' });
    await picture(10.000001);
    await picture(-0.000001);
    await picture(5, { partId: 'yard-part' });
    await picture(5, { componentName: 'eye' });
    await picture(5, { methodName: 'ReadImage' });
    await picture(5, { fileExtension: '.mp4' });
    await picture(5, { componentType: 'rdk-internal:component:camera' });
    expect(await imagesOf(id)).toEqual([first, other, last]);
  });

  it('come page by page, with boxes and without bytes', async () => {
    const id = await create({ resources: [camera, { resourceName: 'back', methodName: 'GetImages' }] });
    const shown: string[] = [];
    for (let n = 0; n < 5; n++) shown.push(await picture(n, n % 2 === 0 ? {} : { componentName: 'back' }));
    const box = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    await service.owner.data.addBoundingBoxToImageByID({ binaryDataId: shown[0]!, label: 'cup', ...box });
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await service.operator.data.getSequenceBinaryData({ sequenceId: id, pageSize: 2, pageToken });
      expect(page.data.length).toBeLessThanOrEqual(2);
      for (const { metadata, binary } of page.data) {
        expect(binary).toHaveLength(0);
        expect(metadata!.uri).toContain(metadata!.binaryDataId);
        if (seen.length === 0) expect(metadata!.annotations!.bboxes).toMatchObject([{ label: 'cup' }]);
        seen.push(metadata!.binaryDataId);
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(shown);
  });

  it('of no such page are refused', async () => {
    const sequenceId = await create();
    const asked = service.operator.data.getSequenceBinaryData({ sequenceId, pageToken: 'x' });
    await expect(asked).rejects.toThrow('[invalid_argument] page_token is none that a page ended with');
  });
});

describe('a list of sequences', () => {
  it('has the newest first, page by page, of one organization', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      service.time.now += second;
      ids.unshift(await create({ endTime: at(n) }));
    }
    await service.stranger.data.createSequence(request({ partId: 'ship-part' }));
    const { data } = service.operator;
    const first = await data.listSequences({ organizationId: 'a', pageSize: 3 });
    expect(first.sequences.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const rest = await data.listSequences({ organizationId: 'a', pageSize: 3, pageToken: first.nextPageToken });
    expect(rest.sequences.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(rest.nextPageToken).toBe('');
    expect(await codeOf(data.listSequences({}))).toBe('InvalidArgument');
    expect(await codeOf(data.listSequences({ organizationId: 'b' }))).toBe('PermissionDenied');
  });
});
