import { beforeEach, expect, it } from 'vitest';
import type { Client } from '@connectrpc/connect';
import {
  addAnnotators,
  startDataService,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';

// What an annotator is told of one that is there already is in hidden-boxes.test.ts; here, how they are chosen.

const ofA = { organizationId: 'a' };
const ada = { kind: 'person', id: 'ada', name: 'Ada' };

let service: TestService;
let reviewer: Client<typeof LabelService>;
let me: typeof ada;
let datasetId: string;
let assigned: readonly string[];

beforeEach(async () => {
  service = await startDataService();
  await addAnnotators(service, { ada: 'Ada', eve: 'Eve' });
  reviewer = service.reviewer.of(LabelService);
  me = { kind: 'key', id: service.keys.annotator.id, name: 'annotator' };
  ({ id: datasetId } = await service.owner.datasets.createDataset({ ...ofA, name: 'cups' }));
  assigned = [await picture(['day']), await picture(['day', 'rain'])];
});

const picture = (tags: readonly string[], datasetIds: readonly string[] = [datasetId]): Promise<string> =>
  uploadPicture(service.owner, { tags: [...tags], datasetIds: [...datasetIds] });

/** An image that was labelled, and accepted. */
async function accepted(...of: Parameters<typeof picture>): Promise<string> {
  const id = await picture(...of);
  const assignees = [{ ...ada, id: 'eve' }];
  await reviewer.assignImages({ ...ofA, binaryDataIds: [id], datasetId: '', assignees, mode: 'split' });
  const [task] = (await reviewer.listTasks({ ...ofA, binaryDataId: id })).tasks;
  for (const [step, state] of ['done', 'accepted'].entries())
    await reviewer.setTaskState({ id: task!.id, version: BigInt(step + 1), state });
  return id;
}

const assign = (changes: object = {}) =>
  reviewer.assignImages({ ...ofA, binaryDataIds: [...assigned], assignees: [me], mode: 'split', ...changes });
const tasksOf = async (assignee: typeof ada) => (await reviewer.listTasks({ ...ofA, assignee })).tasks;

it('are not chosen where their tags or datasets would tell them from the other images', async () => {
  const { id: other } = await service.owner.datasets.createDataset({ ...ofA, name: 'golden' });
  const [first, second] = [await accepted(['day']), await accepted(['rain', 'day'])];
  await accepted(['rain']);
  await accepted(['day', 'checked']);
  await accepted(['day'], []);
  await accepted(['day'], [datasetId, other]);
  expect(await assign({ honeypots: 6 })).toMatchObject({ made: 4, honeypots: 2 });
  const known = (await tasksOf(me)).filter(({ hasTruth }) => hasTruth).map(({ binaryDataId }) => binaryDataId);
  expect(known.toSorted()).toEqual([first, second].toSorted());
});

it('are tasks that differ from the others in nothing but their image', async () => {
  await accepted(['day']);
  await assign({ honeypots: 1 });
  const { tasks } = await service.annotator.of(LabelService).listTasks(ofA);
  const [one, ...others] = tasks.map(({ id: _id, binaryDataId: _image, ...rest }) => rest);
  expect(others).toEqual([one, one]);
});

it('are not told by the tags of images that were assigned before', async () => {
  await assign({ binaryDataIds: [assigned[1]!] });
  await accepted(['day', 'rain']);
  expect(await assign({ honeypots: 1 })).toMatchObject({ made: 1, skipped: 1, honeypots: 0 });
});

it('come with the first images of an assignment alone', async () => {
  await accepted(['day', 'rain']);
  expect(await assign({ honeypots: 1, imagesBefore: 2 })).toMatchObject({ made: 2, honeypots: 0 });
});

it('are given to nobody who gets no other image', async () => {
  await accepted(['day', 'rain']);
  const one = { binaryDataIds: [assigned[1]!], assignees: [me, ada], honeypots: 1 };
  expect(await assign(one)).toMatchObject({ made: 2, honeypots: 1 });
  expect(await tasksOf(ada)).toEqual([]);
  await accepted(['day', 'rain']);
  expect(await assign(one)).toMatchObject({ made: 0, skipped: 1, honeypots: 0 });
});
