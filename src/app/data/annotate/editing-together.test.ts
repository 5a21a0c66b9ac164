import { afterEach, beforeEach, expect, it } from 'vitest';
import { create } from '@bufbuild/protobuf';
import { MembershipSchema } from '../../../gen/sightglass/people/v1/people_pb.ts';
import {
  giveToBen,
  middleBox,
  openLabelWork,
  type Colleague,
  type LabelWork,
} from '../../../../tests/label-work-fixture.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { DataContext } from '../context/data-context.ts';
import { ImageComments } from '../shared/work/image-comments.svelte.ts';
import { ImageWork } from '../shared/work/image-work.svelte.ts';
import type { AnnotatedBox } from './boxes/annotated-box.ts';
import { BoxDrafts } from './saving/box-drafts.ts';
import { BoxSync } from './saving/box-sync.svelte.ts';
import { BoxesState } from './boxes/boxes-state.svelte.ts';
import { EditorScheme, coloursOf } from './editor-scheme.svelte.ts';
import { EditorWork } from './editor-work.svelte.ts';
import { createServiceImages } from './saving/image-source.ts';
import { pictureOfId, taskPictureId } from './saving/task-pictures.ts';

let shared: LabelWork;
let imageId: string;
const opened: BoxSync[] = [];
beforeEach(async () => {
  shared = await openLabelWork();
  imageId = shared.images[0]!;
});
afterEach(() => opened.splice(0).forEach((sync) => sync.stop()));

/** The boxes of a picture in the editor of somebody. */
async function edit(colleague: Colleague, id = imageId) {
  const boxes = new BoxesState(() => sync.edited());
  const store = createServiceImages(colleague).boxesOf(id);
  const drafts = new BoxDrafts(memoryStorage());
  const sync: BoxSync = new BoxSync(boxes, { store, drafts, imageId: id, exclusively: (_, work) => work() });
  opened.push(sync);
  await sync.open();
  const put = (key: string, label: string): void => {
    const known = boxes.boxes.find((box) => box.key === key);
    const box: AnnotatedBox = { key, ...middleBox(label), confidence: null, predicted: false, ...known, label };
    boxes.edit('Put', [{ key, box }]);
  };
  const keyOf = (label: string): string => boxes.boxes.find((box) => box.label === label)!.key;
  const labels = (): string => boxes.boxes.map(({ label }) => label).join(' ');
  return { boxes, sync, put, keyOf, labels };
}

it('loses nothing of two who edit at once, and shows both sides of a true conflict', async () => {
  const one = await edit(shared.ada);
  one.put('a', 'cup');
  one.put('b', 'hat');
  await one.sync.save();
  const other = await edit(shared.ben);

  // Both have read the image before either writes.
  one.put(one.keyOf('cup'), 'mug');
  one.put('c', 'pan');
  other.put(other.keyOf('hat'), 'cap');
  other.put('d', 'pot');
  await Promise.all([one.sync.save(), other.sync.save()]);
  await Promise.all([one.sync.save(), other.sync.save()]);
  expect([one.labels().split(' ').sort(), other.labels().split(' ').sort()]).toEqual([
    ['cap', 'mug', 'pan', 'pot'],
    ['cap', 'mug', 'pan', 'pot'],
  ]);

  one.put(one.keyOf('pan'), 'wok');
  other.put(other.keyOf('pan'), 'lid');
  await Promise.all([one.sync.save(), other.sync.save()]);
  const conflicts = [...one.sync.conflicts, ...other.sync.conflicts];
  expect(conflicts.map(({ mine, theirs }) => [mine?.label, theirs?.label].sort())).toEqual([['lid', 'wok']]);
});

it('keeps what one person has not saved from whoever logs in after them, who would save it in their own name', () => {
  const storage = memoryStorage();
  const draftsOf = (who?: DataContext['who']) =>
    new BoxDrafts(storage, createServiceImages({ ...shared.ada, ...(who && { who }) }).draftPrefix);
  const [ann, bob, key] = [
    draftsOf(create(MembershipSchema, { personId: 'ann' })),
    draftsOf(create(MembershipSchema, { personId: 'bob' })),
    draftsOf(),
  ];
  const draft = { kept: [], boxes: [], sent: [] };
  ann.write(imageId, draft);
  expect([ann, bob, key].map((drafts) => drafts.imageIds())).toEqual([[imageId], [], []]);
  key.write(imageId, draft);
  expect([ann, bob, key].map((drafts) => drafts.imageIds())).toEqual([[imageId], [], [imageId]]);
});

it('keeps the boxes of a blind task apart from those of the image and of others', async () => {
  await shared.ada.data.addBoundingBoxToImageByID({ binaryDataId: imageId, ...middleBox('known') });
  await shared.ada.labels.assignImages({
    organizationId: 'a',
    binaryDataIds: [imageId],
    assignees: [shared.ada.worker, shared.ben.worker],
    mode: 'every',
  });
  const { tasks } = await shared.ben.labels.listTasks({ organizationId: 'a', assignee: shared.ben.worker });
  const id = taskPictureId(tasks[0]!.id, imageId);
  expect(pictureOfId(id)).toEqual({ imageId, taskId: tasks[0]!.id });
  const ben = await edit(shared.ben, id);
  expect(ben.labels()).toBe('');
  ben.put('a', 'cup');
  ben.put('b', 'hat');
  await ben.sync.save();
  ben.put('a', 'mug');
  ben.boxes.edit('Drop', [{ key: 'b', box: null }]);
  await ben.sync.save();
  expect([(await edit(shared.ben, id)).labels(), (await edit(shared.ben)).labels()]).toEqual(['mug', 'known']);

  const elsewhere = await edit(shared.ben, id);
  elsewhere.put('c', 'pan');
  await elsewhere.sync.save();
  ben.put('d', 'pot');
  await ben.sync.save();
  expect([ben.sync.status.kind, (await edit(shared.ben, id)).labels().split(' ').sort()]).toEqual([
    'saved',
    ['mug', 'pan', 'pot'],
  ]);
});

it('hands a blind task in right after boxes of it were saved', async () => {
  const assignees = [shared.ada.worker, shared.ben.worker];
  await shared.ada.labels.assignImages({ organizationId: 'a', binaryDataIds: [imageId], assignees, mode: 'every' });
  const { tasks } = await shared.ben.labels.listTasks({ organizationId: 'a', assignee: shared.ben.worker });
  const [work, comments] = [new ImageWork(shared.ben), new ImageComments(shared.ben)];
  await Promise.all([work.show(imageId, tasks[0]!.id), comments.show(imageId)]);
  const ben = await edit(shared.ben, taskPictureId(tasks[0]!.id, imageId));
  ben.put('a', 'cup');
  const went: string[] = [];
  const ports = {
    save: () => ben.sync.save(),
    isSaved: () => ben.sync.unsaved === 0,
    isChanged: () => true,
    goOn: () => went.push('on'),
  };
  const handing = new EditorWork(work, comments, ports);
  handing.commands['task-done']!();
  await expect.poll(() => [went, work.failure]).toEqual([['on'], null]);
  expect(work.task).toMatchObject({ state: 'done', boxes: [{ label: 'cup' }] });
  work.leave();
});

it('says in words that the boxes of an accepted image stay as they are', async () => {
  await giveToBen(shared);
  const ben = await edit(shared.ben);
  const work = new ImageWork(shared.ada);
  await work.show(imageId, null);
  await work.set('done');
  await work.set('accepted');
  work.leave();
  ben.put('a', 'cup');
  await ben.sync.save();
  expect(ben.sync.status).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/accepted by owner.*reopen/),
  });
});

it('hands in only what is saved, and goes on to the next image', async () => {
  await giveToBen(shared);
  const [work, comments] = [new ImageWork(shared.ben), new ImageComments(shared.ben)];
  await Promise.all([work.show(imageId, null), comments.show(imageId)]);
  let [isSaved, isChanged] = [false, false];
  const went: string[] = [];
  const tasks = new EditorWork(work, comments, {
    save: async () => {},
    isSaved: () => isSaved,
    isChanged: () => isChanged,
    goOn: () => went.push('on'),
  });
  const boxes = new BoxesState();
  const commands = () => tasks.commandsOf({ boxes } as Parameters<EditorWork['commandsOf']>[0]);

  expect(Object.keys(commands())).toEqual(['task-done', 'add-comment']);
  commands()['task-done']!();
  await expect.poll(() => tasks.hindrance?.message).toMatch(/not all saved/);
  isSaved = true;
  expect(tasks.hindrance).toBeNull(); // the reason no longer holds
  commands()['task-done']!();
  await expect.poll(() => went).toEqual(['on']);
  expect(Object.keys(commands())).toEqual(['task-accept', 'task-reject', 'task-reopen', 'add-comment']);

  commands()['task-reject']!();
  expect(tasks.isRejecting).toBe(true);
  await tasks.reject('');
  expect([tasks.isRejecting, work.task?.state]).toEqual([true, 'done']);
  await tasks.reject('A hat is missing.');
  expect([tasks.isRejecting, work.task?.state, went.length]).toEqual([false, 'to-fix', 2]);

  // What was sent back is handed in unchanged only on purpose.
  commands()['task-done']!();
  expect([tasks.asksUnchanged, went.length]).toEqual([true, 2]);
  isChanged = true;
  expect(tasks.asksUnchanged).toBe(false);
  isChanged = false;
  tasks.handInUnchanged();
  await expect.poll(() => [went.length, work.task?.state]).toEqual([3, 'done']);
  expect(tasks.asksUnchanged).toBe(false);
  await tasks.reject('The hat is still missing.');
  isChanged = true;
  commands()['task-done']!();
  await expect.poll(() => [went.length, work.task?.state]).toEqual([5, 'done']);
  await tasks.reject('A hat is missing.');

  commands()['add-comment']!();
  expect(comments.draft).toEqual({ x: 0.5, y: 0.5 });
  work.leave();
});

it('follows the label scheme of the dataset that is labelled, or of one that the image is in', async () => {
  const cup = { name: 'Cup', color: '#1f77b4' };
  await shared.ada.labels.putScheme({ datasetId: shared.datasetId, scheme: { labels: [cup] }, version: 0n });
  const scheme = new EditorScheme(shared.ben);
  await scheme.show(imageId, '');
  expect(scheme.labels).toMatchObject([cup]);
  expect(coloursOf(scheme.labels)).toEqual({ cup: '#1f77b4' });
  await scheme.show('gone', '');
  expect(scheme.labels).toBeNull();
  await scheme.show('gone', shared.datasetId);
  expect(scheme.labels).toMatchObject([cup]);
});
