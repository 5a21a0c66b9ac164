import { beforeEach, expect, it } from 'vitest';
import { addMember } from '../../../../../tests/session-host.ts';
import { openLabelWork, type LabelWork } from '../../../../../tests/label-work-fixture.ts';
import { Assignment } from './assignment.svelte.ts';

let shared: LabelWork;
beforeEach(async () => {
  shared = await openLabelWork(5);
});

async function open(names: readonly string[]): Promise<Assignment> {
  const assignment = new Assignment(shared.ada);
  await shared.ben.data.addTagsToBinaryDataByIDs({ binaryDataIds: [shared.images[0]!], tags: ['seen'] });
  await assignment.readWorkers(new AbortController().signal);
  for (const worker of assignment.workers) assignment.choose(worker, names.includes(worker.name));
  return assignment;
}
const tasksOf = async (who: 'ada' | 'ben') =>
  (await shared.ada.labels.listTasks({ organizationId: 'a', assignee: shared[who].worker })).tasks;

it('splits images among people who have worked here, oneself first', async () => {
  const assignment = await open(['owner', 'operator']);
  expect(assignment.workers.map(({ name }) => name)).toEqual(['owner', 'operator']);
  await assignment.start({ kind: 'chosen', ids: () => shared.images, count: 5, datasetId: '' });
  expect([assignment.run.state.kind, assignment.sums]).toEqual([
    'done',
    { made: 5, skipped: 0, images: 5, honeypots: 0 },
  ]);
  expect([(await tasksOf('ada')).length, (await tasksOf('ben')).length]).toEqual([3, 2]);
  await assignment.start({ kind: 'dataset', datasetId: shared.datasetId, count: 5 });
  expect(assignment.sums).toMatchObject({ made: 0, skipped: 5 });
});

it('knows who has a log-in before they have done anything', async () => {
  const { personId, person } = await addMember(shared.tab.service.dependencies, 'annotator');
  const assignment = await open([person.name]);
  expect(assignment.chosen).toEqual([{ kind: 'person', id: personId, name: person.name }]);
  expect(assignment.workers.map(({ kind }) => kind)).toEqual(['key', 'person', 'key']);
});

it('offers nobody who was removed, whatever they have done here', async () => {
  const { dependencies } = shared.tab.service;
  const { id, person } = await addMember(dependencies, 'operator'); // who has taken an invitation
  expect((await open([])).workers.map(({ name }) => name)).toContain(person.name);
  await dependencies.store.people!.removeMember(id);
  expect((await open([])).workers.map(({ name }) => name)).toEqual(['owner', 'operator']);
});

it('gives all of a dataset to each, blind, which takes two', async () => {
  const assignment = await open(['operator']);
  assignment.mode = 'every';
  expect(assignment.isReady).toBe(false);
  for (const worker of assignment.workers) assignment.choose(worker, true);
  expect(assignment.isReady).toBe(true);
  await assignment.start({ kind: 'dataset', datasetId: shared.datasetId, count: 5 });
  const tasks = await tasksOf('ben');
  expect(tasks.map(({ blind, datasetId }) => [blind, datasetId])).toEqual(
    shared.images.map(() => [true, shared.datasetId]),
  );
});

it('stops where it is told to, says what failed, and chooses who is alone', async () => {
  const stopped = await open(['operator']);
  async function* ids(): AsyncGenerator<string> {
    yield shared.images[0]!;
    stopped.run.cancel();
    yield shared.images[1]!;
  }
  await stopped.start({ kind: 'chosen', ids, count: 2, datasetId: '' });
  expect([stopped.run.state.kind, stopped.sums.made]).toEqual(['cancelled', 0]);

  const failed = await open(['operator']);
  await failed.start({ kind: 'dataset', datasetId: 'gone', count: 1 });
  expect(failed.run.state).toMatchObject({ kind: 'failed' });

  const alone = new Assignment({ ...shared.tab.context, home: { ...shared.tab.context.home, organizationId: 'b' } });
  await alone.readWorkers(new AbortController().signal);
  expect(alone.chosen).toEqual([{ kind: 'browser', id: '', name: '' }]);
});
