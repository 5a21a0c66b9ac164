import { beforeEach, expect, it } from 'vitest';
import { openLabelWork, type Colleague, type LabelWork } from '../../../../../tests/label-work-fixture.ts';
import { OwnImages } from './own-images.svelte.ts';

let shared: LabelWork;
beforeEach(async () => {
  shared = await openLabelWork(3);
});
const assign = (binaryDataIds: readonly string[], mode: string, ...workers: Colleague[]) =>
  shared.ada.labels.assignImages({
    organizationId: 'a',
    binaryDataIds: [...binaryDataIds],
    assignees: workers.map(({ worker }) => worker),
    mode,
  });
async function read(colleague: Colleague): Promise<OwnImages> {
  const own = new OwnImages(colleague);
  await own.read(new AbortController().signal);
  return own;
}
const refused = 'Some of these images are not yours to label; a reviewer may assign them.';

it('lets an annotator tag the images that are assigned, and says of others that they are not', async () => {
  const [first, second, third] = shared.images as [string, string, string];
  await assign([first, second], 'split', shared.ann);
  await assign([third], 'every', shared.ann, shared.ben);
  const own = await read(shared.ann);
  const of = (...ids: string[]) => own.refusalOf(ids.length, new Set(ids));
  expect([of(first, second), of(first, third), of(third)]).toEqual(['', refused, refused]);
  expect([own.refusalOf(2, null), own.refusalOf(3, null)]).toEqual(['', refused]);

  const { tasks } = await shared.ada.labels.listTasks({ organizationId: 'a', binaryDataId: first });
  const done = await shared.ada.labels.setTaskState({ id: tasks[0]!.id, version: tasks[0]!.version, state: 'done' });
  await shared.ada.labels.setTaskState({ id: tasks[0]!.id, version: done.task!.version, state: 'accepted' });
  await own.read(new AbortController().signal);
  expect([of(first), of(second)]).toEqual([refused, '']);
});

it('leaves it to the service what a reviewer may tag, and what cannot be read', async () => {
  expect((await read(shared.ben)).refusalOf(3, new Set(shared.images))).toBe('');
  const left = new AbortController();
  left.abort();
  const own = new OwnImages(shared.ann);
  await own.read(left.signal);
  expect(own.refusalOf(3, new Set(shared.images))).toBe('');
});
