import { expect, it } from 'vitest';
import { startDataService, uploadPicture, uploadReading } from '../../../tests/data-service-fixture.ts';
import { LabelService, type Task } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { StorageService } from '../../gen/sightglass/storage/v1/storage_pb.ts';

const ofA = { organizationId: 'a' };
const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const box = { label: 'cup', ...corners };

it('an organization over its quota adds nothing to its labelling, takes away what it likes, and goes on with room', async () => {
  const service = await startDataService();
  const { data, datasets } = service.owner;
  const labels = service.owner.of(LabelService);
  const usage = () => service.owner.of(StorageService).getUsage(ofA);
  const id = await uploadPicture(service.owner, { tags: ['old'] });
  const { bboxId } = await data.addBoundingBoxToImageByID({ binaryDataId: id, ...box });
  const me = { kind: 'key', id: service.keys.owner.id, name: 'owner' };
  await labels.assignImages({ ...ofA, binaryDataIds: [id], assignees: [me], mode: 'every' });
  const [task] = (await labels.listTasks(ofA)).tasks as [Task];
  const before = Number((await usage()).labelling!.bytes);
  const many = Array.from({ length: 1000 }, () => box);
  const drawn = (await labels.setTaskBoxes({ id: task.id, version: 1n, boxes: many })).task!;
  expect(Number((await usage()).labelling!.bytes) - before).toBeGreaterThan(100_000);
  await service.dependencies.store.access.setQuota('a', 100_000);

  const seen = { id: task.id, version: drawn.version };
  const refused: Readonly<Record<string, () => Promise<unknown>>> = {
    picture: () => uploadPicture(service.owner),
    reading: () => uploadReading(service.owner, { kg: 1 }),
    tag: () => data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: ['new'] }),
    'tag of a filter': () => data.addTagsToBinaryDataByFilter({ filter: {}, tags: ['new'] }),
    box: () => data.addBoundingBoxToImageByID({ binaryDataId: id, ...box }),
    edit: () => labels.editBoxes({ binaryDataId: id, edits: [{ box }] }),
    draw: () => labels.setTaskBoxes({ ...seen, boxes: [...drawn.boxes, box] }),
    comment: () => labels.addComment({ binaryDataId: id, text: 'No.' }),
    dataset: () => datasets.createDataset({ ...ofA, name: 'cups' }),
  };
  for (const [name, call] of Object.entries(refused)) {
    const message = await call().then(
      () => 'taken',
      (error: Error) => error.message,
    );
    expect([name, message]).toEqual([
      name,
      expect.stringMatching(/^\[resource_exhausted\] The organization stores .*quota/),
    ]);
  }
  await data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [id], tags: ['old'] });
  await data.removeBoundingBoxFromImageByID({ binaryDataId: id, bboxId });
  const done = (await labels.setTaskState({ ...seen, state: 'done' })).task!;
  expect(done.state).toBe('done');
  await labels.deleteTasks({ ids: [task.id] });
  await service.dependencies.store.access.setQuota('a', 10_000_000);
  await refused['tag']!();
  expect(service.defects).toEqual([]);
});
