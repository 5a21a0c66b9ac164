import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '@connectrpc/connect';
import {
  addAnnotators,
  codeOf,
  startDataService,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';

const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const cup = { label: 'cup', ...corners };

let service: TestService;
let labels: Client<typeof LabelService>;
let image: string;

beforeEach(async () => {
  service = await startDataService();
  await addAnnotators(service, { ada: 'Ada' });
  labels = service.owner.of(LabelService);
  image = await uploadPicture(service.owner);
});

const boxes = async () =>
  (await service.owner.data.binaryDataByIDs({ binaryDataIds: [image] })).data[0]!.metadata!.annotations!.bboxes;
const edit = async (...edits: object[]) => (await labels.editBoxes({ binaryDataId: image, edits })).results;

describe('edits of boxes', () => {
  it('add, change and remove in one step', async () => {
    const [a, b] = await edit({ box: cup }, { id: 'own', box: { ...cup, label: 'mug', confidence: 0.5 } });
    expect((await boxes()).map(({ id, label }) => [id, label])).toEqual([
      [a!.id, 'cup'],
      ['own', 'mug'],
    ]);
    const results = await edit(
      { id: a!.id, expected: a!.box, box: { ...a!.box, label: 'jug' } },
      { id: 'own', expected: b!.box },
    );
    expect(results).toMatchObject([{ conflict: false, box: { label: 'jug' } }, { conflict: false }]);
    expect(results[1]!.box).toBeUndefined();
    expect((await boxes()).map(({ label }) => label)).toEqual(['jug']);
  });

  it('of a box that is otherwise now are conflicts that show it, and the others are made', async () => {
    const [seen] = await edit({ id: '1', box: cup });
    await edit({ id: '1', expected: seen!.box, box: { ...cup, id: '1', label: 'mug' } });
    const results = await edit(
      { id: '1', expected: seen!.box, box: { ...cup, id: '1', label: 'jug' } },
      { id: '1', expected: seen!.box },
      { id: '1', box: { ...cup, label: 'other' } },
      { id: '2', expected: { ...cup, id: '2' }, box: { ...cup, id: '2', label: 'gone' } },
      { id: '3', box: cup },
    );
    expect(results.map(({ conflict, box }) => [conflict, box?.label])).toEqual([
      [true, 'mug'],
      [true, 'mug'],
      [true, 'mug'],
      [true, undefined],
      [false, 'cup'],
    ]);
    expect((await boxes()).map(({ label }) => label)).toEqual(['mug', 'cup']);
  });

  it('come twice without a conflict, since an answer may be lost', async () => {
    const [seen] = await edit({ id: '1', box: cup });
    const change = { id: '1', expected: seen!.box, box: { ...cup, id: '1', label: 'mug' } };
    const removal = { id: '1', expected: change.box };
    for (const twice of [{ id: '1', box: cup }, change, removal]) {
      expect((await edit(twice))[0]!.conflict).toBe(false);
      expect((await edit(twice))[0]!.conflict).toBe(false);
    }
    expect(await boxes()).toEqual([]);
  });

  it.each([
    ['none', []],
    ['one without a box', [{ id: '1' }]],
    ['one without an id', [{ expected: cup }]],
    ['a box outside', [{ box: { ...cup, yMinNormalized: -1 } }]],
    ['a box without a label', [{ box: { ...cup, label: ' ' } }]],
    ['too many', Array.from({ length: 1001 }, () => ({ box: cup }))],
  ])('are refused: %s', async (_, edits) => {
    expect(await codeOf(edit(...edits))).toBe('InvalidArgument');
    expect(await boxes()).toEqual([]);
  });

  it('are for images alone', async () => {
    const video = await uploadPicture(service.owner, { fileExtension: '.mp4' });
    const edits = [{ box: cup }];
    expect(await codeOf(labels.editBoxes({ binaryDataId: video, edits }))).toBe('InvalidArgument');
    expect(await codeOf(labels.editBoxes({ binaryDataId: 'a/lab/none', edits }))).toBe('NotFound');
  });
});

describe('comments', () => {
  it('have an author, a time and perhaps a place, and come in order', async () => {
    const place = { xNormalized: 0.25, yNormalized: 1 };
    const { comment } = await labels.addComment({ binaryDataId: image, text: 'Here?', place });
    service.time.now += 1e6;
    await service.operator.of(LabelService).addComment({ binaryDataId: image, text: 'Yes.' });
    const { comments } = await labels.listComments({ binaryDataId: image });
    expect(comments[0]).toEqual(comment);
    expect(comments).toMatchObject([
      { text: 'Here?', place, author: { kind: 'key', name: 'owner' }, resolved: false },
      { text: 'Yes.', author: { name: 'operator' } },
    ]);
    expect(comments[1]!.place).toBeUndefined();
    const first = await labels.listComments({ binaryDataId: image, pageSize: 1 });
    const rest = await labels.listComments({ binaryDataId: image, pageSize: 1, pageToken: first.nextPageToken });
    expect([...first.comments, ...rest.comments]).toEqual(comments);
    expect(rest.nextPageToken).toBe('');
  });

  it.each([
    ['without a text', { text: ' ' }, 'InvalidArgument'],
    ['too long', { text: 'x'.repeat(2001) }, 'InvalidArgument'],
    ['outside', { place: { xNormalized: 1.1, yNormalized: 0 } }, 'InvalidArgument'],
    ['nowhere', { place: { xNormalized: NaN, yNormalized: 0 } }, 'InvalidArgument'],
    ['on no image', { binaryDataId: 'a/lab/none' }, 'NotFound'],
    ['on no task', { taskId: 'none' }, 'NotFound'],
  ])('are refused %s', async (_, changes, code) => {
    expect(await codeOf(labels.addComment({ binaryDataId: image, text: 'Why?', ...changes }))).toBe(code);
  });

  it('are about a task of their image', async () => {
    const other = await uploadPicture(service.owner);
    const ada = { kind: 'person', id: 'ada', name: 'Ada' };
    const assigned = { organizationId: 'a', assignees: [ada], mode: 'split' };
    await labels.assignImages({ ...assigned, binaryDataIds: [image, other] });
    const { tasks } = await labels.listTasks({ organizationId: 'a' });
    const taskId = tasks.find(({ binaryDataId }) => binaryDataId === image)!.id;
    const { comment } = await labels.addComment({ binaryDataId: image, taskId, text: 'Why?' });
    expect(comment!.taskId).toBe(taskId);
    expect(await codeOf(labels.addComment({ binaryDataId: other, taskId, text: 'Why?' }))).toBe('NotFound');
  });
});

describe('presence', () => {
  it('tells who else is on an image, for a minute', async () => {
    const other = service.operator.of(LabelService);
    expect((await labels.announce({ binaryDataId: image })).others).toEqual([]);
    expect((await other.announce({ binaryDataId: image })).others).toMatchObject([{ kind: 'key', name: 'owner' }]);
    expect((await labels.announce({ binaryDataId: image })).others).toMatchObject([{ name: 'operator' }]);
    await other.announce({ binaryDataId: image, leaving: true });
    expect((await labels.announce({ binaryDataId: image })).others).toEqual([]);
    service.time.now += 59e6;
    expect((await other.announce({ binaryDataId: image })).others).toHaveLength(1);
    service.time.now += 1e6;
    expect((await other.announce({ binaryDataId: image })).others).toHaveLength(0);
    expect(await codeOf(labels.announce({ binaryDataId: 'a/lab/none' }))).toBe('NotFound');
  });
});
