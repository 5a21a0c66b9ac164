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
const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const cup = { label: 'cup', ...corners };

let service: TestService;
let labels: Client<typeof LabelService>;
let images: string[];
let me: { kind: string; id: string; name: string };
const ada = { kind: 'person', id: 'ada', name: 'Ada' };

beforeEach(async () => {
  service = await startDataService();
  await addAnnotators(service, { ada: 'Ada' });
  labels = service.owner.of(LabelService);
  images = [];
  for (let n = 0; n < 4; n++) images.push(await uploadPicture(service.owner));
  me = { kind: 'key', id: service.keys.owner.id, name: 'owner' };
});

const assign = (changes: object = {}) =>
  labels.assignImages({ ...ofA, binaryDataIds: images, assignees: [me, ada], mode: 'split', ...changes });
const tasksOf = async (asked: object = {}): Promise<readonly Task[]> =>
  (await labels.listTasks({ ...ofA, ...asked })).tasks;
const stateOf = async ({ id, version }: Task, state: string, more: object = {}): Promise<Task> =>
  (await labels.setTaskState({ id, version, state, ...more })).task!;
const boxesOf = async (id: string) =>
  (await service.owner.data.binaryDataByIDs({ binaryDataIds: [id] })).data[0]!.metadata!.annotations!.bboxes;

/** One's own task of the first image, accepted. */
async function acceptedTask(): Promise<Task> {
  await assign({ binaryDataIds: [images[0]], assignees: [me] });
  return stateOf(await stateOf((await tasksOf())[0]!, 'done'), 'accepted');
}

describe('images are assigned', () => {
  it('to members and keys of the organization who may annotate there, under the names that it knows', async () => {
    await assign({ assignees: [{ ...ada, name: 'SPOOFED Boss' }] });
    expect(new Set((await tasksOf()).map(({ assignee }) => assignee!.name))).toEqual(new Set(['Ada']));
    const keyOf = (who: keyof TestService['keys']) => ({ kind: 'key', id: service.keys[who].id, name: '' });
    const refusedTo = async (assignee: object) => codeOf(assign({ assignees: [assignee] }));
    expect(await refusedTo({ ...ada, id: 'nobody' })).toBe('NotFound');
    expect(await refusedTo(keyOf('stranger'))).toBe('NotFound');
    expect(await refusedTo({ ...ada, kind: 'terminal' })).toBe('NotFound');
    expect(await refusedTo({ ...ada, kind: 'browser' })).toBe('NotFound'); // only to one's own
    expect(await refusedTo(keyOf('local'))).toBe('FailedPrecondition'); // this key belongs to another location
    const ids = (await tasksOf()).map(({ id }) => id);
    expect(await codeOf(labels.reassignTasks({ ids, assignee: keyOf('atPart') }))).toBe('FailedPrecondition');
    await labels.reassignTasks({ ids, assignee: { ...me, name: 'Somebody else' } });
    expect(new Set((await tasksOf()).map(({ assignee }) => assignee!.name))).toEqual(new Set(['owner']));
  });

  it('in turn, once, and on with the turn of the call before', async () => {
    expect(await assign({ binaryDataIds: images.slice(0, 3) })).toMatchObject({ made: 3, skipped: 0, images: 3 });
    expect(await assign({ imagesBefore: 3 })).toMatchObject({ made: 1, skipped: 3, images: 4, nextPageToken: '' });
    const assignees = new Map((await tasksOf()).map((task) => [task.binaryDataId, task.assignee!.id]));
    expect(images.slice(0, 3).map((id) => assignees.get(id))).toEqual([me.id, 'ada', me.id]);
    expect(assignees.get(images[3]!)).toBe(me.id);
  });

  it('to everyone, blind', async () => {
    expect(await assign({ mode: 'every' })).toMatchObject({ made: 8, skipped: 0 });
    expect((await tasksOf()).every(({ blind, state, version }) => blind && state === 'open' && version === 1n)).toBe(
      true,
    );
    expect(await assign({ mode: 'every' })).toMatchObject({ made: 0, skipped: 4 });
  });

  it('of a dataset, a page after the other', async () => {
    const { id: datasetId } = await service.owner.datasets.createDataset({ ...ofA, name: 'cups' });
    await service.owner.sync.dataCaptureUpload({
      metadata: { partId: 'lab-part', fileExtension: 'png', datasetIds: [datasetId] },
      sensorContents: Array.from({ length: 1003 }, () => ({
        data: { case: 'binary' as const, value: Uint8Array.of(1) },
      })),
    });
    const ofDataset = { binaryDataIds: [], datasetId };
    const first = await assign(ofDataset);
    expect(first).toMatchObject({ made: 1000, images: 1000 });
    const next = { ...ofDataset, pageToken: first.nextPageToken, imagesBefore: first.images };
    expect(await assign(next)).toMatchObject({ made: 3, images: 3, nextPageToken: '' });
    const { counts } = await labels.getWork({ ...ofA, datasetId });
    expect(counts.map(({ worker, open }) => [worker!.name, open])).toEqual([
      ['owner', 502],
      ['Ada', 501],
    ]);
    // One call makes as many tasks, however many each image has.
    expect(await assign({ ...ofDataset, mode: 'every' })).toMatchObject({ images: 500 });
  });

  it.each([
    ['nobody', { assignees: [] }, 'InvalidArgument'],
    ['somebody twice', { assignees: [ada, { ...ada, name: 'Other' }] }, 'InvalidArgument'],
    ['a kind that is none', { assignees: [{ ...ada, kind: 'Person 1' }] }, 'InvalidArgument'],
    ['another mode', { mode: 'some' }, 'InvalidArgument'],
    ['neither images nor a dataset', { binaryDataIds: [] }, 'InvalidArgument'],
    ['an unknown image', { binaryDataIds: ['a/lab/none'] }, 'NotFound'],
    ['an unknown dataset', { datasetId: 'none' }, 'NotFound'],
    ['too many honeypots', { honeypots: 1001 }, 'InvalidArgument'],
  ])('but not to or with %s', async (_, changes, code) => {
    expect(await codeOf(assign(changes))).toBe(code);
    expect(await tasksOf()).toEqual([]);
  });

  it('unless they are none', async () => {
    const video = await uploadPicture(service.owner, { fileExtension: '.mp4' });
    expect(await codeOf(assign({ binaryDataIds: [video] }))).toBe('InvalidArgument');
  });
});

describe('a task', () => {
  it('goes from open to done, to fix, done, accepted, and is reopened', async () => {
    await assign({ binaryDataIds: [images[0]], assignees: [me] });
    let [task] = (await tasksOf()) as [Task];
    task = await stateOf(task, 'done');
    expect(task).toMatchObject({ state: 'done', version: 2n, changedBy: me });
    task = await stateOf(task, 'to-fix', { comment: ' The handle is missing. ' });
    expect(task).toMatchObject({ state: 'to-fix', reason: 'The handle is missing.', assignee: me });
    task = await stateOf(task, 'done');
    expect(task.reason).toBe('The handle is missing.');
    task = await stateOf(task, 'accepted');
    expect(task).toMatchObject({ state: 'accepted', reason: '' });
    task = await stateOf(task, 'open');
    expect(await tasksOf({ state: 'open' })).toEqual([task]);
  });

  it.each([
    ['accepted', 'FailedPrecondition'],
    ['to-fix', 'FailedPrecondition'],
    ['open', 'FailedPrecondition'],
    ['ready', 'InvalidArgument'],
  ])('does not go from open to %s', async (state, code) => {
    await assign({ binaryDataIds: [images[0]], assignees: [me] });
    const [task] = (await tasksOf()) as [Task];
    expect(await codeOf(stateOf(task, state, { comment: 'so' }))).toBe(code);
  });

  it('is not changed by who has seen another version', async () => {
    await assign({ binaryDataIds: [images[0]], assignees: [me] });
    const [task] = (await tasksOf()) as [Task];
    await stateOf(task, 'done');
    await expect(stateOf(task, 'done')).rejects.toThrow('changed meanwhile');
    expect(await codeOf(stateOf(task, 'done'))).toBe('Aborted');
  });

  it('is sent back with a reason, or where a comment says it', async () => {
    await assign({ binaryDataIds: [images[0]], assignees: [me] });
    const done = await stateOf((await tasksOf())[0]!, 'done');
    expect(await codeOf(stateOf(done, 'to-fix', { comment: ' ' }))).toBe('InvalidArgument');
    const { comment } = await labels.addComment({ binaryDataId: images[0]!, text: 'Too small' });
    const of = { binaryDataId: images[0]!, id: comment!.id };
    await labels.resolveComment({ ...of, resolved: true });
    expect(await codeOf(stateOf(done, 'to-fix'))).toBe('InvalidArgument');
    await labels.resolveComment({ ...of, resolved: false });
    expect((await stateOf(done, 'to-fix')).state).toBe('to-fix');
  });

  it('is given to somebody else, or deleted, unless it was accepted', async () => {
    await assign();
    const tasks = await tasksOf();
    const mine = tasks.filter(({ assignee }) => assignee!.id === me.id).map(({ id }) => id);
    await labels.reassignTasks({ ids: mine, assignee: ada });
    expect(await tasksOf({ assignee: me })).toEqual([]);
    expect(await tasksOf({ assignee: ada })).toHaveLength(4);
    await labels.deleteTasks({ ids: mine });
    expect(await tasksOf()).toHaveLength(2);
    const [left] = (await tasksOf()) as [Task];
    const accepted = await stateOf(await stateOf(left, 'done'), 'accepted');
    expect(await codeOf(labels.deleteTasks({ ids: [accepted.id] }))).toBe('FailedPrecondition');
    expect(await codeOf(labels.reassignTasks({ ids: [accepted.id], assignee: me }))).toBe('FailedPrecondition');
    expect(await codeOf(labels.deleteTasks({ ids: ['none'] }))).toBe('NotFound');
    expect(await codeOf(labels.deleteTasks({ ids: [] }))).toBe('InvalidArgument');
  });

  it('is not given to who has one of the image', async () => {
    await assign({ binaryDataIds: [images[0]], mode: 'every' });
    const [task] = (await tasksOf({ assignee: me })) as [Task];
    expect(await codeOf(labels.reassignTasks({ ids: [task.id], assignee: ada }))).toBe('FailedPrecondition');
  });

  it('of another location is out of reach of its keys', async () => {
    await assign();
    const local = service.local.of(LabelService);
    expect((await local.listTasks(ofA)).tasks).toEqual([]);
    expect((await local.getWork(ofA)).counts).toEqual([]);
    const [task] = (await tasksOf()) as [Task];
    const change = { id: task.id, version: 1n, state: 'done' };
    // The answer is that of a task that is not there: its image and place are not theirs to know.
    await expect(local.setTaskState(change)).rejects.toThrow(`[not_found] There is no task ${task.id}.`);
    const yard = await uploadPicture(service.owner, { partId: 'yard-part' });
    await assign({ binaryDataIds: [yard] });
    expect((await local.listTasks(ofA)).tasks.map(({ binaryDataId }) => binaryDataId)).toEqual([yard]);
  });

  it('is listed by all that narrows it', async () => {
    await assign();
    expect(await tasksOf({ assignee: ada, state: 'open' })).toHaveLength(2);
    expect(await tasksOf({ binaryDataId: images[2] })).toMatchObject([{ binaryDataId: images[2] }]);
    const { tasks, nextPageToken } = await labels.listTasks({ ...ofA, pageSize: 3 });
    const rest = await labels.listTasks({ ...ofA, pageSize: 3, pageToken: nextPageToken });
    expect([...tasks, ...rest.tasks]).toEqual(await tasksOf());
    expect(await codeOf(labels.listTasks({ ...ofA, state: 'ready' }))).toBe('InvalidArgument');
    expect(await codeOf(labels.listTasks({ ...ofA, pageToken: 'x' }))).toBe('InvalidArgument');
  });
});

describe('boxes of tasks', () => {
  const many = (count: number, label = 'cup') => Array.from({ length: count }, () => ({ ...cup, label }));
  const draw = async (task: Task, boxes: readonly object[]) =>
    (await labels.setTaskBoxes({ id: task.id, version: task.version, boxes: [...boxes] })).task!;

  it('are listed where they are asked for, and with the tasks of one image', async () => {
    await assign({ mode: 'every', binaryDataIds: images.slice(0, 2), assignees: [me] });
    const [task] = (await tasksOf()) as [Task];
    await draw(task, many(2));
    expect((await tasksOf()).map(({ boxes }) => boxes.length)).toEqual([0, 0]);
    expect((await tasksOf({ withBoxes: true })).map(({ boxes }) => boxes.length).toSorted()).toEqual([0, 2]);
    expect((await tasksOf({ binaryDataId: task.binaryDataId }))[0]!.boxes).toHaveLength(2);
  });

  it('end a page that they make larger than 4 MiB', async () => {
    await assign({ mode: 'every', assignees: [me] });
    for (const task of await tasksOf()) await draw(task, many(8000));
    const listed: number[] = [];
    for (let pageToken = ''; ;) {
      const page = await labels.listTasks({ ...ofA, pageToken });
      listed.push(page.tasks.length);
      pageToken = page.nextPageToken;
      if (pageToken === '') break;
    }
    expect(listed).toEqual([2, 2]);
  });

  it('are no more, and no longer, than a task may have', async () => {
    await assign({ mode: 'every', binaryDataIds: images.slice(0, 1), assignees: [me] });
    const [task] = (await tasksOf()) as [Task];
    await expect(draw(task, many(10_001))).rejects.toThrow('would have 10001 boxes; it may have at most 10000.');
    await expect(draw(task, many(1, 'x'.repeat(201)))).rejects.toThrow('label has 201 characters; give at most 200.');
    await expect(draw(task, many(9000, 'x'.repeat(200)))).rejects.toThrow(/it may have at most 2097152/);
    expect((await draw(task, many(10_000))).boxes).toHaveLength(10_000);
  });
});

describe('an accepted image', () => {
  it('keeps its boxes and tags, whichever way they are written', async () => {
    const { data } = service.owner;
    const [image] = images as [string];
    const { bboxId } = await data.addBoundingBoxToImageByID({ binaryDataId: image, ...cup });
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['seen'] });
    const task = await acceptedTask();
    const box = { binaryDataId: image, bboxId };
    const ids = { binaryDataIds: images, tags: ['new'] };
    for (const write of [
      () => data.addBoundingBoxToImageByID({ binaryDataId: image, ...cup }),
      () => data.updateBoundingBox({ ...box, label: 'mug' }),
      () => data.removeBoundingBoxFromImageByID(box),
      () => labels.editBoxes({ binaryDataId: image, edits: [{ box: cup }] }),
      () => data.addTagsToBinaryDataByIDs(ids),
      () => data.removeTagsFromBinaryDataByIDs({ ...ids, tags: ['seen'] }),
      () => data.addTagsToBinaryDataByFilter({ filter: {}, tags: ['bulk'] }),
      () => data.removeTagsFromBinaryDataByFilter({ filter: {}, tags: ['seen'] }),
    ]) {
      await expect(write()).rejects.toThrow(/failed_precondition.*accepted.*owner.*reopen/);
    }
    const { metadata } = (await data.binaryDataByIDs({ binaryDataIds: [image] })).data[0]!;
    expect(metadata!.captureMetadata!.tags).toEqual(['seen']);
    expect(metadata!.annotations!.bboxes).toMatchObject([{ id: bboxId, label: 'cup' }]);
    // the others of a filter are changed, and none of a list of ids
    const { tags } = await data.tagsByFilter({});
    expect(tags).toEqual(['bulk', 'seen']);
    await stateOf(task, 'to-fix', { comment: 'Look again' });
    await data.updateBoundingBox({ ...box, label: 'mug' });
    expect((await boxesOf(image))[0]!.label).toBe('mug');
  });

  it('may be put into a dataset, take what it has already, and be deleted', async () => {
    const { data, datasets } = service.owner;
    const [image] = images as [string];
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['seen'] });
    await acceptedTask();
    const { id: datasetId } = await datasets.createDataset({ ...ofA, name: 'cups' });
    await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [image], datasetId });
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['seen'] });
    await data.removeBinaryDataFromDatasetByIDs({ binaryDataIds: [image], datasetId });
    await data.deleteBinaryDataByIDs({ binaryDataIds: [image] });
    expect(await tasksOf()).toEqual([]);
  });
});

describe('a blind task', () => {
  it('has boxes of its own, until a reviewer takes them', async () => {
    await assign({ binaryDataIds: [images[0]], mode: 'every' });
    const [task] = (await tasksOf({ assignee: me })) as [Task];
    const { id } = task;
    const drawn = (await labels.setTaskBoxes({ id, version: 1n, boxes: [cup, { ...cup, id: 'x', label: 'mug' }] }))
      .task!;
    expect(drawn.boxes).toMatchObject([cup, { id: 'x', label: 'mug' }]);
    expect(drawn.version).toBe(2n);
    expect(await boxesOf(images[0]!)).toEqual([]);
    const done = await stateOf(drawn, 'done');
    await stateOf(done, 'accepted', { takeBoxes: true });
    expect((await boxesOf(images[0]!)).map(({ label }) => label)).toEqual(['cup', 'mug']);
    const [other] = (await tasksOf({ assignee: ada })) as [Task];
    const taken = stateOf(await stateOf(other, 'done'), 'accepted', { takeBoxes: true });
    await expect(taken).rejects.toThrow('This image was accepted by owner on 2026-03-11; reopen it first.');
  });

  describe('that is accepted with others of its image', () => {
    let mine: Task;
    let hers: Task;
    let elsewhere: Task;
    const acceptWith = (...others: readonly Pick<Task, 'id' | 'version'>[]) =>
      stateOf(mine, 'accepted', { takeBoxes: true, acceptedWith: others.map(({ id, version }) => ({ id, version })) });
    const states = async () => (await tasksOf({ binaryDataId: images[0] })).map(({ state }) => state);

    beforeEach(async () => {
      await assign({ binaryDataIds: images.slice(0, 2), mode: 'every' });
      const ofImage = async (at: number, assignee: object) =>
        (await tasksOf({ binaryDataId: images[at] })).find((task) => task.assignee?.id === (assignee as Task).id)!;
      const { id } = await ofImage(0, me);
      mine = await stateOf((await labels.setTaskBoxes({ id, version: 1n, boxes: [cup] })).task!, 'done');
      hers = await stateOf(await ofImage(0, ada), 'done');
      elsewhere = await stateOf(await ofImage(1, ada), 'done');
    });

    it('settles all of them, and takes its own boxes', async () => {
      expect(await acceptWith(hers)).toMatchObject({ id: mine.id, state: 'accepted' });
      expect(await states()).toEqual(['accepted', 'accepted']);
      expect((await boxesOf(images[0]!)).map(({ label }) => label)).toEqual(['cup']);
    });

    it.each([
      ['was changed meanwhile', () => [{ id: hers.id, version: 1n }], 'Aborted'],
      ['is of another image', () => [elsewhere], 'InvalidArgument'],
      ['is not there', () => [{ id: 'none', version: 1n }], 'NotFound'],
      ['is named twice', () => [hers, hers], 'InvalidArgument'],
      ['is the task itself', () => [mine], 'InvalidArgument'],
    ])('changes nothing where one %s', async (_, others, code) => {
      expect(await codeOf(acceptWith(...others()))).toBe(code);
      expect(await states()).toEqual(['done', 'done']);
      expect(await boxesOf(images[0]!)).toEqual([]);
    });

    it('changes nothing where it comes into another state, or there are too many', async () => {
      const acceptedWith = [{ id: hers.id, version: hers.version }];
      expect(await codeOf(stateOf(mine, 'open', { acceptedWith }))).toBe('InvalidArgument');
      const many = Array.from({ length: 1001 }, (_, at) => ({ id: `${at}`, version: 1n }));
      await expect(acceptWith(...many)).rejects.toThrow('accepted_with has 1001 entries; give at most 1000 a call.');
      expect(await states()).toEqual(['done', 'done']);
    });

    it('is refused where it is not blind itself', async () => {
      await assign({ binaryDataIds: [images[2]], assignees: [me] });
      const own = await stateOf((await tasksOf({ binaryDataId: images[2] }))[0]!, 'done');
      const acceptedWith = [{ id: hers.id, version: hers.version }];
      expect(await codeOf(stateOf(own, 'accepted', { acceptedWith }))).toBe('InvalidArgument');
    });
  });

  it('leaves its image free where its boxes are not taken', async () => {
    await assign({ binaryDataIds: [images[0]], mode: 'every', assignees: [me] });
    await stateOf(await stateOf((await tasksOf())[0]!, 'done'), 'accepted');
    await service.owner.data.addBoundingBoxToImageByID({ binaryDataId: images[0]!, ...cup });
    expect(await boxesOf(images[0]!)).toHaveLength(1);
  });

  it.each([
    ['of somebody else', () => tasksOf({ assignee: ada }), {}, 'PermissionDenied'],
    [
      'with an id twice',
      () => tasksOf({ assignee: me }),
      {
        boxes: [
          { ...cup, id: 'x' },
          { ...cup, id: 'x' },
        ],
      },
      'InvalidArgument',
    ],
    [
      'with a box outside',
      () => tasksOf({ assignee: me }),
      { boxes: [{ ...cup, xMaxNormalized: 2 }] },
      'InvalidArgument',
    ],
    ['of another version', () => tasksOf({ assignee: me }), { version: 7n }, 'Aborted'],
  ])('is not drawn %s', async (_, find, changes, code) => {
    await assign({ binaryDataIds: [images[0]], mode: 'every' });
    const [task] = (await find()) as [Task];
    expect(await codeOf(labels.setTaskBoxes({ id: task.id, version: 1n, ...changes }))).toBe(code);
  });

  it('is not drawn once it is handed in, and only blind ones have boxes', async () => {
    await assign({ binaryDataIds: [images[0]], mode: 'every', assignees: [me] });
    const done = await stateOf((await tasksOf())[0]!, 'done');
    expect(await codeOf(labels.setTaskBoxes({ id: done.id, version: done.version }))).toBe('FailedPrecondition');
    await assign({ binaryDataIds: [images[1]], assignees: [me] });
    const [open] = (await tasksOf({ binaryDataId: images[1] })) as [Task];
    expect(await codeOf(labels.setTaskBoxes({ id: open.id, version: open.version }))).toBe('FailedPrecondition');
    expect(await codeOf(stateOf(await stateOf(open, 'done'), 'accepted', { takeBoxes: true }))).toBe('InvalidArgument');
  });
});
