import { beforeEach, expect, it } from 'vitest';
import { middleBox, openLabelWork, type Colleague, type LabelWork } from '../../../../../tests/label-work-fixture.ts';
import { BlindComparison } from './blind-comparison.svelte.ts';

let shared: LabelWork;
let imageId: string;
let comparison: BlindComparison;

/** Draws a box and hands the task in. */
async function label({ labels, worker }: Colleague, what: string): Promise<void> {
  const { tasks } = await labels.listTasks({ organizationId: 'a', assignee: worker });
  const { task } = await labels.setTaskBoxes({
    id: tasks[0]!.id,
    version: tasks[0]!.version,
    boxes: [middleBox(what)],
  });
  await labels.setTaskState({ id: task!.id, version: task!.version, state: 'done' });
}

beforeEach(async () => {
  shared = await openLabelWork();
  imageId = shared.images[0]!;
  const assignees = [shared.ada.worker, shared.ben.worker];
  await shared.ada.labels.assignImages({ organizationId: 'a', binaryDataIds: [imageId], assignees, mode: 'every' });
  await label(shared.ada, 'cup');
  await label(shared.ben, 'mug');
  comparison = new BlindComparison(shared.ada, imageId);
  await comparison.read();
});
const boxed = () => comparison.boxes.map(({ box }) => box.label).sort();
const of = (name: string) => comparison.labellings!.find(({ task }) => task.assignee?.name === name)!.task;

it('shows everyone’s boxes in colours of their own, or one person’s alone', () => {
  expect(boxed()).toEqual(['cup', 'mug']);
  expect(new Set(comparison.boxes.map(({ colour }) => colour)).size).toBe(2);
  comparison.showAlone(of('operator'));
  expect([boxed(), comparison.chosen?.task.assignee?.name]).toEqual([['mug'], 'operator']);
  comparison.showAlone(of('operator'));
  expect(boxed()).toEqual(['cup', 'mug']);
  comparison.toggle(of('operator'));
  expect(boxed()).toEqual(['cup']);
});

it('makes one person’s boxes those of the image, and settles all tasks', async () => {
  expect(await comparison.take(of('operator'))).toBe(true);
  const { data } = await shared.ada.data.binaryDataByIDs({ binaryDataIds: [imageId] });
  expect(data[0]?.metadata?.annotations?.bboxes.map((box) => box.label)).toEqual(['mug']);
  await comparison.read();
  expect(comparison.labellings?.map(({ task }) => task.state)).toEqual(['accepted', 'accepted']);
});

it('accepts what was drawn on an image that is accepted already, as a honeypot is, and leaves its boxes as they are', async () => {
  expect(await comparison.take(of('operator'))).toBe(true);
  await comparison.read();
  expect(comparison.isLocked).toBe(true);
  const late = of('owner');
  await shared.ada.labels.setTaskState({ id: late.id, version: late.version, state: 'open' });
  await label(shared.ada, 'jug');
  await comparison.read();
  expect(await comparison.take(of('owner'))).toBe(true);
  const { data } = await shared.ada.data.binaryDataByIDs({ binaryDataIds: [imageId] });
  expect(data[0]?.metadata?.annotations?.bboxes.map((box) => box.label)).toEqual(['mug']);
  await comparison.read();
  expect(comparison.labellings?.map(({ task }) => task.state)).toEqual(['accepted', 'accepted']);
});

it('sends one back with a reason, and says what the service refuses', async () => {
  expect(await comparison.sendBack(of('operator'), 'The handle, too.')).toBe(true);
  expect([of('operator').state, of('operator').reason, comparison.chosen?.task.assignee?.name]).toEqual([
    'to-fix',
    'The handle, too.',
    'owner',
  ]);
  const seen = of('owner');
  await shared.ada.labels.setTaskState({ id: seen.id, version: seen.version, state: 'open' });
  expect(await comparison.take(seen)).toBe(false);
  expect(comparison.failure?.message).toMatch(/changed meanwhile/);
  expect(of('owner').state).toBe('open');
});

it('accepts nothing where one of them was changed meanwhile', async () => {
  const seen = of('operator');
  await shared.ben.labels.setTaskState({ id: seen.id, version: seen.version, state: 'open' });
  expect(await comparison.take(of('owner'))).toBe(false);
  expect(comparison.failure?.message).toMatch(/changed meanwhile/);
  expect(comparison.labellings?.map(({ task }) => task.state).toSorted()).toEqual(['done', 'open']);
});
