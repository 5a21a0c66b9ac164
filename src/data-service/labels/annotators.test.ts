import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '@connectrpc/connect';
import {
  addAnnotators,
  codeOf,
  startDataService,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { LabelService, type Task } from '../../gen/sightglass/labels/v1/labels_pb.ts';

const ofA = { organizationId: 'a' };
const cup = { label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const ada = { kind: 'person', id: 'ada', name: 'Ada' };

let service: TestService;
let reviewer: Client<typeof LabelService>;
let annotator: Client<typeof LabelService>;
let me: typeof ada;
let [image, other] = ['', ''];

beforeEach(async () => {
  service = await startDataService();
  await addAnnotators(service, { ada: 'Ada' });
  [reviewer, annotator] = [service.reviewer.of(LabelService), service.annotator.of(LabelService)];
  me = { kind: 'key', id: service.keys.annotator.id, name: 'annotator' };
  image = await uploadPicture(service.owner);
  other = await uploadPicture(service.owner);
});

const assign = (changes: object = {}) =>
  reviewer.assignImages({ ...ofA, binaryDataIds: [image], assignees: [me], mode: 'split', ...changes });
const ownTask = async (): Promise<Task> => (await annotator.listTasks(ofA)).tasks[0]!;
const setState = (client: typeof annotator, { id, version }: Task, state: string, more: object = {}) =>
  client.setTaskState({ id, version, state, ...more });

describe('an annotator', () => {
  it('draws on an assigned image, hands it in, and gets it back', async () => {
    await assign();
    const task = await ownTask();
    expect((await annotator.editBoxes({ binaryDataId: image, edits: [{ box: cup }] })).results).toHaveLength(1);
    const done = (await setState(annotator, task, 'done')).task!;
    expect(await codeOf(setState(annotator, done, 'accepted'))).toBe('PermissionDenied');
    const toFix = (await setState(reviewer, done, 'to-fix', { comment: 'Too large' })).task!;
    expect(await ownTask()).toEqual(toFix);
    const again = (await setState(annotator, toFix, 'done')).task!;
    const accepted = (await setState(reviewer, again, 'accepted')).task!;
    expect(await codeOf(setState(annotator, accepted, 'open'))).toBe('PermissionDenied');
    const late = annotator.editBoxes({ binaryDataId: image, edits: [{ box: cup }] });
    await expect(late).rejects.toThrow(/was accepted by reviewer on 2026-03-11; reopen it first/);
    expect((await annotator.announce({ binaryDataId: image })).accepted).toMatchObject({ by: 'reviewer' });
    // An image of others that was accepted may become a blind task, by which the annotator is measured.
    await assign({ binaryDataIds: [other], assignees: [ada] });
    const theirs = (await reviewer.listTasks({ ...ofA, binaryDataId: other })).tasks[0]!;
    await setState(reviewer, (await setState(reviewer, theirs, 'done')).task!, 'accepted');
    expect((await reviewer.announce({ binaryDataId: other })).accepted).toMatchObject({ by: 'reviewer' });
    expect((await annotator.announce({ binaryDataId: other })).accepted).toBeUndefined();
  });

  it('gets what somebody else was to fix, with the reason, and of a blind task nothing but the image', async () => {
    await assign({ assignees: [ada] });
    await assign({ binaryDataIds: [other], assignees: [ada], mode: 'every' });
    const { tasks } = await reviewer.listTasks(ofA);
    for (const task of tasks) {
      const done = (await setState(reviewer, task, 'done')).task!;
      await setState(reviewer, done, 'to-fix', { comment: 'The handle is missing' });
    }
    await reviewer.reassignTasks({ ids: tasks.map(({ id }) => id), assignee: me });
    const given = (await annotator.listTasks(ofA)).tasks;
    expect(given.find(({ blind }) => !blind)).toMatchObject({ state: 'to-fix', reason: 'The handle is missing' });
    expect(given.find(({ blind }) => blind)).toMatchObject({ state: 'open', reason: '', boxes: [] });
  });

  it('has no part in the tasks of others', async () => {
    await assign({ assignees: [ada] });
    await assign({ binaryDataIds: [other] });
    const [theirs] = (await reviewer.listTasks({ ...ofA, assignee: ada })).tasks as [Task];
    expect((await annotator.listTasks(ofA)).tasks.map(({ binaryDataId }) => binaryDataId)).toEqual([other]);
    expect((await annotator.getWork(ofA)).counts).toMatchObject([{ worker: me, open: 1 }]);
    for (const call of [
      annotator.listTasks({ ...ofA, assignee: ada }),
      setState(annotator, theirs, 'done'),
      annotator.setTaskBoxes({ id: theirs.id, version: 1n }),
      annotator.editBoxes({ binaryDataId: image, edits: [{ box: cup }] }),
      annotator.addComment({ binaryDataId: image, text: 'Mine?' }),
      annotator.listComments({ binaryDataId: image }),
      annotator.resolveComment({ binaryDataId: image, id: 'any', resolved: true }),
    ]) {
      expect(await codeOf(call)).toBe('PermissionDenied');
    }
  });

  it('comments on an assigned image, and resolves what is said of it', async () => {
    await assign();
    const { comment } = await reviewer.addComment({ binaryDataId: image, text: 'Where is the handle?' });
    await annotator.addComment({ binaryDataId: image, text: 'Behind.' });
    expect((await annotator.listComments({ binaryDataId: image })).comments).toHaveLength(2);
    const resolved = await annotator.resolveComment({ binaryDataId: image, id: comment!.id, resolved: true });
    expect(resolved.comment!.resolved).toBe(true);
  });
});

it('sees the boxes of an image that is to be drawn, but not blind', async () => {
  await service.owner.data.addBoundingBoxToImageByID({ binaryDataId: image, ...cup });
  await assign();
  const { data } = await service.annotator.data.binaryDataByIDs({ binaryDataIds: [image] });
  expect(data[0]!.metadata!.annotations!.bboxes.map(({ label }) => label)).toEqual(['cup']);
});

describe('an annotator who draws blind', () => {
  it('sees neither boxes nor comments of others, nor by what the work is measured', async () => {
    const { data } = service.owner;
    await data.addBoundingBoxToImageByID({ binaryDataId: image, ...cup });
    await data.addBoundingBoxToImageByID({ binaryDataId: other, ...cup });
    await assign({ assignees: [ada] });
    const [known] = (await reviewer.listTasks(ofA)).tasks as [Task];
    await setState(reviewer, (await setState(reviewer, known, 'done')).task!, 'accepted');
    const third = await uploadPicture(service.owner);
    expect(await assign({ binaryDataIds: [third], honeypots: 1 })).toMatchObject({ made: 2, honeypots: 1 });

    const { tasks } = await annotator.listTasks(ofA);
    expect(tasks.map(({ blind, hasTruth, boxes }) => [blind, hasTruth, boxes])).toEqual([
      [true, false, []],
      [true, false, []],
    ]);
    const boxesSeen = async (clients: typeof service.owner) => {
      const byIds = await clients.data.binaryDataByIDs({ binaryDataIds: [image, other] });
      const byFilter = await clients.data.binaryDataByFilter({});
      const drawn = byFilter.data.filter(({ metadata }) => metadata!.annotations!.bboxes.length > 0);
      return [
        byIds.data.map(({ metadata }) => metadata!.annotations!.bboxes.length),
        drawn.map(({ metadata }) => metadata!.binaryDataId).toSorted(),
      ];
    };
    expect(await boxesSeen(service.annotator)).toEqual([[0, 1], [other]]);
    expect(await boxesSeen(service.reviewer)).toEqual([
      [1, 1],
      [image, other],
    ]);
    expect((await annotator.announce({ binaryDataId: image })).accepted).toBeUndefined();
    expect(await codeOf(annotator.editBoxes({ binaryDataId: image, edits: [{ box: cup }] }))).toBe('PermissionDenied');
    expect(
      await codeOf(service.annotator.data.updateBoundingBox({ binaryDataId: image, bboxId: 'x', label: 'y' })),
    ).toBe('PermissionDenied');

    const own = tasks.find(({ binaryDataId }) => binaryDataId === image)!;
    await reviewer.addComment({ binaryDataId: image, text: 'Of another' });
    await reviewer.addComment({ binaryDataId: image, taskId: own.id, text: 'Of yours' });
    await annotator.addComment({ binaryDataId: image, text: 'Mine' });
    const { comments } = await annotator.listComments({ binaryDataId: image });
    expect(comments.map(({ text }) => text)).toEqual(['Of yours', 'Mine']);
    const [hidden] = (await reviewer.listComments({ binaryDataId: image })).comments;
    const resolved = annotator.resolveComment({ binaryDataId: image, id: hidden!.id, resolved: true });
    expect(await codeOf(resolved)).toBe('NotFound');

    const drawn = await annotator.setTaskBoxes({ id: own.id, version: 1n, boxes: [cup] });
    expect((await setState(annotator, drawn.task!, 'done')).task!.hasTruth).toBe(false);
    const { honeypots } = await reviewer.getAgreement({ ...ofA, workers: [me] });
    expect(honeypots).toMatchObject([{ images: 1, overall: { f1: 1 } }]);
  });
});
