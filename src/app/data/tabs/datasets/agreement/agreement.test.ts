import { beforeEach, expect, it } from 'vitest';
import { middleBox, openLabelWork, type LabelWork } from '../../../../../../tests/label-work-fixture.ts';
import { workerKey } from '../../../shared/work/own-worker.ts';
import { Agreement } from './agreement.svelte.ts';

let shared: LabelWork;
let agreement: Agreement;
beforeEach(async () => {
  shared = await openLabelWork(4);
  agreement = new Agreement(shared.ada, shared.datasetId);
});
const assign = () =>
  shared.ada.labels.assignImages({
    organizationId: 'a',
    datasetId: shared.datasetId,
    assignees: [shared.ada.worker, shared.ben.worker],
    mode: 'every',
  });

/** Both label all of their images; on the last one they disagree. */
async function labelAll(): Promise<void> {
  for (const { labels, worker } of [shared.ada, shared.ben]) {
    const { tasks } = await labels.listTasks({ organizationId: 'a', assignee: worker });
    for (const { id, version, binaryDataId, state } of tasks) {
      if (state !== 'open') continue;
      const what = binaryDataId === shared.images[3] && worker === shared.ben.worker ? 'mug' : 'cup';
      const { task } = await labels.setTaskBoxes({ id, version, boxes: [middleBox(what)] });
      await labels.setTaskState({ id, version: task!.version, state: 'done' });
    }
  }
}

it('compares the first two who label a dataset, label by label, and says that images are few', async () => {
  await assign();
  await labelAll();
  await agreement.read();
  expect(agreement.pair).toEqual([workerKey(shared.ada.worker), workerKey(shared.ben.worker)]);
  expect(agreement.result?.labels.map(({ label, images, matched, few }) => ({ label, images, matched, few }))).toEqual([
    { label: 'cup', images: 4, matched: 3, few: true },
    { label: 'mug', images: 1, matched: 0, few: true },
  ]);
  expect(agreement.result?.overall?.f1).toBeCloseTo(0.75);
  await agreement.choose([workerKey(shared.ada.worker), workerKey(shared.ada.worker)]);
  expect(agreement.result).toBeNull();
});

it('has no figure before both have handed an image in, and nobody before images are assigned', async () => {
  await agreement.read();
  expect([agreement.workers, agreement.result]).toEqual([[], null]);
  await assign();
  await agreement.read();
  expect([agreement.result?.labels, agreement.result?.overall]).toEqual([[], undefined]);
});

it('measures each person on images whose boxes are known', async () => {
  const { ada, ben, images, datasetId } = shared;
  const known = images[0]!;
  const first = { organizationId: 'a', binaryDataIds: [known], datasetId, mode: 'split', assignees: [ben.worker] };
  await ada.labels.assignImages(first);
  await ben.data.addBoundingBoxToImageByID({ binaryDataId: known, ...middleBox('cup') });
  const { tasks } = await ada.labels.listTasks({ organizationId: 'a', binaryDataId: known });
  await ada.labels.setTaskState({ id: tasks[0]!.id, version: 1n, state: 'done' });
  await ada.labels.setTaskState({ id: tasks[0]!.id, version: 2n, state: 'accepted' });
  const others = { ...first, binaryDataIds: images.slice(1), assignees: [ada.worker], honeypots: 1 };
  expect((await ada.labels.assignImages(others)).honeypots).toBe(1);
  await labelAll();
  await agreement.read();
  expect(agreement.scores.map(({ worker, images: count, overall }) => [worker?.name, count, overall?.f1])).toEqual([
    ['owner', 1, 1],
  ]);
});

it('asks for no comparison where it would be refused, and says why', async () => {
  await assign();
  await labelAll();
  const own = new Agreement(shared.ann, shared.datasetId);
  await own.read();
  expect([own.failure, own.result, own.counts]).toEqual([null, null, []]);
  expect(own.refusal).toBe(
    'Only a reviewer may do this, or somebody with more rights; your key is that of an annotator.',
  );
});
