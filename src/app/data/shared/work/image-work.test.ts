import { createRouterTransport } from '@connectrpc/connect';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  giveToBen,
  middleBox,
  openLabelWork,
  type Colleague,
  type LabelWork,
} from '../../../../../tests/label-work-fixture.ts';
import { ImageWork } from './image-work.svelte.ts';
import { taskActions } from './task-actions.ts';

let shared: LabelWork;
let imageId: string;
beforeEach(async () => {
  shared = await openLabelWork();
  imageId = shared.images[0]!;
});

async function open(colleague: Colleague, taskId: string | null = null): Promise<ImageWork> {
  const work = new ImageWork(colleague);
  onTestFinished(() => work.leave());
  await work.show(imageId, taskId);
  return work;
}
const actionsOf = (work: ImageWork) =>
  Object.entries(taskActions(work))
    .filter(([, can]) => can)
    .map(([action]) => action)
    .join(' ');

it('hands in, sends back with a reason, and accepts, which locks the image until it is reopened', async () => {
  await giveToBen(shared);
  const ben = await open(shared.ben);
  expect([ben.task?.state, actionsOf(ben), ben.lock]).toEqual(['open', 'finish', '']);
  expect(await ben.set('done')).toBe(true);
  expect([ben.task?.state, actionsOf(ben)]).toEqual(['done', 'review reopen']);

  const ada = await open(shared.ada);
  expect([ada.isMine(ada.task!), actionsOf(ada)]).toEqual([false, 'review']);
  expect(await ada.set('to-fix')).toBe(false);
  expect(ada.failure?.message).toMatch(/comment is empty/);
  expect(await ada.set('to-fix', { comment: 'A cup is missing.' })).toBe(true);
  await ben.read();
  expect([ben.task?.reason, actionsOf(ben)]).toEqual(['A cup is missing.', 'finish']);

  await ben.set('done');
  await ada.read();
  expect(await ada.set('accepted')).toBe(true);
  expect([actionsOf(ada), ada.lock]).toEqual([
    'reopen',
    expect.stringMatching(/^This image was accepted by owner on 2026-03-11/),
  ]);
  await expect(
    shared.ben.data.addBoundingBoxToImageByID({ binaryDataId: imageId, ...middleBox('cup') }),
  ).rejects.toThrow(/accepted by owner/);
  expect(await ada.set('open')).toBe(true);
  expect(ada.lock).toBe('');
});

it('reads a task again that another person was faster to change', async () => {
  await giveToBen(shared);
  const [one, other] = [await open(shared.ben), await open(shared.ben)];
  await one.set('done');
  expect(await other.set('done')).toBe(false);
  expect(other.failure?.message).toMatch(/changed meanwhile/);
  expect(other.task?.state).toBe('done');
});

it('keeps what was handed in blind as it is', async () => {
  await shared.ada.labels.assignImages({
    organizationId: 'a',
    binaryDataIds: [imageId],
    assignees: [shared.ben.worker, shared.ada.worker],
    mode: 'every',
  });
  const { tasks } = await shared.ben.labels.listTasks({ organizationId: 'a', assignee: shared.ben.worker });
  expect((await open(shared.ben)).task).toBeNull(); // the image itself is nobody's
  const ben = await open(shared.ben, tasks[0]!.id);
  expect([ben.task?.blind, ben.lock]).toEqual([true, '']);
  await ben.set('done');
  expect(ben.lock).toMatch(/handed in/);
});

it('says who else is on the image, and no longer once they left', async () => {
  const ben = await open(shared.ben);
  const ada = await open(shared.ada);
  expect(ada.others.map(({ name }) => name)).toEqual(['operator']);
  ben.leave();
  await expect.poll(async () => (await open(shared.ada)).others).toEqual([]);
});

it('offers nothing where the data service knows no tasks', async () => {
  const elsewhere = new ImageWork({ ...shared.ben, transport: createRouterTransport(() => undefined) });
  await elsewhere.show(imageId, null);
  expect([elsewhere.isOffered, elsewhere.task, elsewhere.lock]).toEqual([false, null, '']);
  elsewhere.leave();
});

describe('an annotator', () => {
  const assign = (mode: string, ...workers: Colleague[]) =>
    shared.ada.labels.assignImages({
      organizationId: 'a',
      binaryDataIds: [imageId],
      assignees: workers.map(({ worker }) => worker),
      mode,
    });
  const notAssigned = 'This image is not assigned to you; a reviewer may assign it.';
  const drawing = () => shared.ann.data.addBoundingBoxToImageByID({ binaryDataId: imageId, ...middleBox('cup') });

  it('may draw from when the image is assigned, which is not known at first', async () => {
    const work = new ImageWork(shared.ann);
    onTestFinished(() => work.leave());
    expect([work.isAsking, work.lock]).toEqual([true, expect.stringMatching(/^It is not known yet/)]);
    const shown = work.show(imageId, null);
    expect(work.isAsking).toBe(true);
    await shown;
    expect([work.isAsking, work.waitsForTask, work.mayComment, work.lock]).toEqual([false, true, false, notAssigned]);
    await expect(drawing()).rejects.toThrow(/is not assigned to annotator/);

    await assign('split', shared.ann);
    await work.read();
    expect([work.lock, work.waitsForTask, work.mayComment]).toEqual(['', false, true]);
    await drawing();
  });

  it('may draw at once on what a list of their tasks has shown', async () => {
    await assign('split', shared.ann);
    const { tasks } = await shared.ann.labels.listTasks({ organizationId: 'a' });
    const work = new ImageWork(shared.ann);
    onTestFinished(() => work.leave());
    const shown = work.show(imageId, null, tasks);
    expect([work.isAsking, work.lock]).toEqual([false, '']);
    await shown;
    expect([work.tasks.length, work.lock]).toEqual([1, '']);
  });

  it('may not draw on the image itself where it is assigned blind, nor on what others have', async () => {
    await assign('every', shared.ann, shared.ben);
    expect((await open(shared.ann)).lock).toBe(notAssigned);
    await expect(drawing()).rejects.toThrow(/is not assigned to annotator/);
    const { tasks } = await shared.ann.labels.listTasks({ organizationId: 'a' });
    expect((await open(shared.ann, tasks[0]!.id)).lock).toBe('');
  });

  it('is told that an image was accepted, as everyone is, also without being on it', async () => {
    await assign('split', shared.ann);
    const ann = await open(shared.ann);
    await ann.set('done');
    await (await open(shared.ada)).set('accepted');
    await ann.look();
    expect(ann.lock).toMatch(/^This image was accepted by owner on/);
    const peeking = new ImageWork(shared.ann);
    await peeking.peek(imageId);
    expect(peeking.lock).toBe(ann.lock);
    expect([taskActions(ann).review, taskActions(ann).reopen]).toEqual([false, false]);
  });

  it('tells nobody of a look at the details', async () => {
    await new ImageWork(shared.ann).peek(imageId);
    expect((await open(shared.ada)).others).toEqual([]);
  });
});

it('lets who reviews draw on every image at once', async () => {
  const work = new ImageWork(shared.ada);
  expect([work.lock, work.mayComment]).toEqual(['', true]);
});
