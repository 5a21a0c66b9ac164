import { createRouterTransport } from '@connectrpc/connect';
import { beforeEach, expect, it } from 'vitest';
import { addMember } from '../../../../../tests/session-host.ts';
import { giveToBen, openLabelWork, type LabelWork } from '../../../../../tests/label-work-fixture.ts';
import { knownWorkers } from '../../shared/work/known-workers.ts';
import { workerKey } from '../../shared/work/own-worker.ts';
import type { Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { WorkOverview } from './work-overview.svelte.ts';
import { pictureIdOf, WorkQueue } from './work-queue.svelte.ts';
import { wholeOverview, type WorkRoute } from './work-route.ts';

let shared: LabelWork;
const everything = wholeOverview as Extract<WorkRoute, { kind: 'overview' }>;
const signal = new AbortController().signal;
beforeEach(async () => {
  shared = await openLabelWork(3);
  await giveToBen(shared);
});

const idsOf = async ({ ada }: LabelWork): Promise<string[]> =>
  (await ada.labels.listTasks({ organizationId: 'a' })).tasks.map(({ id }) => id);

/** Sets the state of the task on an image. */
async function set(image: number, ...states: readonly string[]): Promise<void> {
  const { tasks } = await shared.ada.labels.listTasks({ organizationId: 'a', binaryDataId: shared.images[image]! });
  const [{ id, version }] = tasks as [Task];
  for (const [step, state] of states.entries())
    await shared.ada.labels.setTaskState({ id, state, version: version + BigInt(step), comment: 'Look again.' });
}

it('counts tasks by person and state, and lists those that are asked for, with the names of their images', async () => {
  await set(0, 'done');
  await set(1, 'done', 'to-fix');
  const overview = new WorkOverview(shared.ben);
  await overview.show(everything);
  expect(overview.sums).toMatchObject([{ 'to-fix': 1, open: 1, done: 1, accepted: 0 }]);
  expect([overview.mine.open, overview.handedIn, overview.tasks.length]).toEqual([1, 1, 3]);
  expect(overview.tasks.map(({ binaryDataId }) => overview.items[binaryDataId]?.name)).toEqual([
    '0.png',
    '1.png',
    '2.png',
  ]);

  const who = workerKey(shared.ben.worker);
  await overview.show({ ...everything, state: 'to-fix', who });
  expect(overview.tasks.map(({ reason }) => reason)).toEqual(['Look again.']);
  expect([overview.isShown('to-fix', shared.ben.worker), overview.isShown('open', shared.ben.worker)]).toEqual([
    true,
    false,
  ]);
  await overview.show({ ...everything, who: workerKey(shared.ada.worker) });
  expect(overview.tasks).toEqual([]);
});

it('finds what others have done meanwhile, and leaves the list while tasks are chosen', async () => {
  const overview = new WorkOverview(shared.ada);
  await overview.show(everything);
  await set(0, 'done');
  await overview.refreshIfChanged();
  expect([overview.handedIn, overview.tasks[0]?.state]).toEqual([1, 'done']);
  overview.choose(overview.tasks[1]!, true);
  await set(1, 'done');
  await overview.refreshIfChanged();
  expect([overview.handedIn, overview.tasks[1]?.state, overview.chosen.size]).toEqual([2, 'open', 1]);
});

it('gives chosen tasks to another person, and deletes them', async () => {
  const overview = new WorkOverview(shared.ada);
  await overview.show(everything);
  overview.choose(overview.tasks[0]!, true);
  expect(await overview.reassign(shared.ada.worker)).toBe(true);
  expect([overview.chosen.size, overview.mine.open]).toEqual([0, 1]);
  for (const task of overview.tasks) overview.choose(task, true);
  await overview.deleteChosen();
  expect([overview.tasks, overview.sums]).toEqual([[], []]);
});

it('says that nobody does the tasks of who was removed, until they are given to somebody, who then fixes what was to fix', async () => {
  const { dependencies } = shared.tab.service;
  const member = await addMember(dependencies, 'annotator');
  const ann = { kind: 'person', id: member.personId, name: member.person.name };
  await shared.ada.labels.reassignTasks({ ids: await idsOf(shared), assignee: ann });
  await set(0, 'done', 'to-fix');
  const overview = new WorkOverview(shared.ada);
  await overview.show(everything);
  expect([overview.isGone(ann), overview.abandoned]).toEqual([false, 0]);

  await dependencies.store.as(ann).people!.removeMember(member.id);
  await overview.refreshIfChanged();
  expect([overview.isGone(ann), overview.isGone(shared.ben.worker), overview.abandoned]).toEqual([true, false, 3]);
  const workers = await knownWorkers(shared.ada, signal);
  expect(workers.map(({ kind }) => kind)).not.toContain('person');
  overview.chooseAll();
  expect(await overview.reassign(shared.ada.worker)).toBe(true);
  expect([overview.abandoned, overview.mine.open, overview.mine['to-fix']]).toEqual([0, 2, 1]);
});

it('says what a chosen task refuses, and where there are no tasks at all', async () => {
  await set(0, 'done', 'accepted');
  const overview = new WorkOverview(shared.ada);
  await overview.show({ ...everything, state: 'accepted' });
  overview.choose(overview.tasks[0]!, true);
  expect(await overview.reassign(shared.ada.worker)).toBe(false);
  expect(overview.editFailure?.message).toMatch(/reopen it/);

  const elsewhere = new WorkOverview({ ...shared.ada, transport: createRouterTransport(() => undefined) });
  await elsewhere.show(everything);
  expect(elsewhere.isOffered).toBe(false);
});

it('queues what was sent back before what is open, and what was handed in an image each', async () => {
  await set(2, 'done', 'to-fix');
  await set(1, 'done');
  const mine = new WorkQueue(shared.ben);
  await mine.readMine(signal);
  expect(mine.pictureIds).toEqual([shared.images[2], shared.images[0]]);
  const [first] = mine.tasks!;
  expect(mine.settle((task) => task === first)?.binaryDataId).toBe(shared.images[0]);
  expect(mine.settle(() => true)).toBeNull();

  const handedIn = new WorkQueue(shared.ada);
  await handedIn.readHandedIn(signal);
  expect(handedIn.images.map(({ imageId, tasks }) => [imageId, tasks.length])).toEqual([[shared.images[1], 1]]);
  expect(pictureIdOf(handedIn.tasks![0]!)).toBe(shared.images[1]);
});
