import { beforeEach, expect, it } from 'vitest';
import { middleBox, openLabelWork, type LabelWork } from '../../../../../tests/label-work-fixture.ts';
import { workerKey } from '../../shared/work/own-worker.ts';
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
    for (const { id, version, binaryDataId } of tasks) {
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
