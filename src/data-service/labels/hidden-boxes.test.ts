import type { DescMethod } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import {
  addAnnotators,
  collect,
  startDataService,
  startTime,
  uploadPicture,
  type Clients,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { dataServices } from '../../../tests/data-services.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { ReplayService, ResultKind } from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { ColumnChunkReader } from '../../evidence/replay/column-chunk.ts';
import { requirementOf } from '../access/operation-roles.ts';
import { toTimestamp } from '../wire/timestamps.ts';

const ofA = { organizationId: 'a' };
const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const ben = { kind: 'person', id: 'ben', name: 'Ben' };
const resource = { componentType: 'rdk:service:vision', componentName: 'watch', methodName: 'CaptureAllFromCamera' };

interface Place {
  readonly service: TestService;
  /** an image that the annotator draws blind */
  readonly hidden: string;
  /** another of these, of which nobody has said anything */
  readonly empty: string;
  /** an image whose labels all may see */
  readonly open: string;
  readonly datasetId: string;
  readonly sequenceId: string;
  /** the annotator's task of the hidden image */
  readonly taskId: string;
}

/**
 * A service with three recorded frames, two of which an annotator draws blind.
 * @param isKnown whether one of these is a honeypot: others have drawn, commented and accepted it, and Ben is on it now
 */
async function start(isKnown: boolean): Promise<Place> {
  const service = await startDataService();
  await addAnnotators(service, { bo: 'Bo' });
  const { owner, reviewer, annotator, keys } = service;
  const { id: datasetId } = await owner.datasets.createDataset({ ...ofA, name: 'cups' });
  const upload = (n: number) =>
    uploadPicture(owner, { ...resource, tags: ['day'], datasetIds: [datasetId] }, startTime + n * 1_000_000);
  const [hidden, empty, open] = [await upload(0), await upload(1), await upload(2)];
  await owner.data.addBoundingBoxToImageByID({ binaryDataId: open, label: 'cup', ...corners, confidence: 0.5 });
  const { id: sequenceId } = await owner.data.createSequence({
    partId: 'lab-part',
    resources: [{ resourceName: 'watch', methodName: 'CaptureAllFromCamera' }],
    startTime: toTimestamp(startTime),
    endTime: toTimestamp(startTime + 9_000_000),
  });
  const me = { kind: 'key', id: keys.annotator.id, name: 'annotator' };
  const assigned = { ...ofA, binaryDataIds: [hidden, empty], assignees: [me, { ...ben, id: 'bo' }], mode: 'every' };
  await reviewer.of(LabelService).assignImages(assigned);
  const labels = annotator.of(LabelService);
  await labels.addComment({ binaryDataId: hidden, text: 'Is it one?' });
  const { tasks } = await labels.listTasks({ ...ofA, binaryDataId: hidden });
  const place = { service, hidden, empty, open, datasetId, sequenceId, taskId: tasks[0]!.id };
  if (isKnown) await label(place);
  return place;
}

/** Does to the hidden image what reviewers and other annotators do, and the service where it makes a honeypot of it. */
async function label({ service, hidden, taskId }: Place): Promise<void> {
  const { labels, binary } = service.dependencies.store;
  const secret = { id: 'secret-box', label: 'secret', ...corners, confidence: 0.5 };
  const boundingBoxes = [secret, { ...secret, id: 'cup-box', label: 'cup' }];
  const [task] = await labels.getTasks('a', [taskId]);
  await labels.addTasks([{ ...task!, id: 'task-of-ben', assignee: ben, isBlind: false, state: 'accepted' }]);
  await labels.editTasks('a', [taskId], ({ task: own, image }) => ({
    task: { ...own, truth: boundingBoxes },
    image: { ...image, boundingBoxes, accepted: { taskId: 'task-of-ben', by: 'Ben', time: startTime } },
  }));
  const classifications = [{ id: 'secret-class', label: 'secret', confidence: 0.5 }];
  await binary.edit('a', [hidden], (record) => ({ ...record, classifications }));
  for (const n of [1, 2, 3]) {
    const comment = { organizationId: 'a', binaryDataId: hidden, text: 'A secret', place: { x: 0, y: 0 } };
    const of = { taskId: n === 1 ? 'task-of-ben' : '', isResolved: n === 2, author: ben };
    await labels.addComment({ ...comment, ...of, id: `comment-${n}`, timeCreated: startTime - n });
  }
  await labels.announce('a', hidden, ben, 60_000_000);
}

const filters = ({ datasetId }: Place) => [
  {},
  { bboxLabels: ['secret'] },
  { bboxLabels: ['cup'] },
  { bboxLabels: ['secret', 'cup', 'none'], datasetId },
  { datasetId, tagsFilter: { tags: ['day'] } },
  { tagsFilter: { tags: ['day'] }, bboxLabels: ['secret'] },
  { componentName: 'watch', interval: { start: toTimestamp(startTime), end: toTimestamp(startTime + 1) } },
];

type Asked = readonly [ask: (clients: Clients, place: Place) => readonly Promise<unknown>[], isHidden: boolean];

/** How each operation is asked that an annotator may call; `isHidden`: who may review gets another answer of a known image. */
const asked: Readonly<Record<string, Asked>> = {
  BinaryDataByFilter: [
    ({ data }, place) =>
      filters(place).flatMap((filter) =>
        [1n, 2n, 50n].flatMap((limit) => [
          data.binaryDataByFilter({ dataRequest: { filter, limit } }),
          data.binaryDataByFilter({ dataRequest: { filter, limit }, includeBinary: true }),
          data.binaryDataByFilter({ dataRequest: { filter, limit }, countOnly: true }),
        ]),
      ),
    true,
  ],
  BinaryDataByIDs: [
    ({ data }, { hidden, empty, open }) => [
      data.binaryDataByIDs({ binaryDataIds: [hidden, empty, open] }),
      data.binaryDataByIDs({ binaryDataIds: [hidden], includeBinary: true }),
    ],
    true,
  ],
  TagsByFilter: [({ data }, place) => filters(place).map((filter) => data.tagsByFilter({ filter })), true],
  BoundingBoxLabelsByFilter: [
    ({ data }, place) => filters(place).map((filter) => data.boundingBoxLabelsByFilter({ filter })),
    true,
  ],
  GetSequenceBinaryData: [
    ({ data }, { sequenceId }) => [1, 0].map((pageSize) => data.getSequenceBinaryData({ sequenceId, pageSize })),
    true,
  ],
  GetSequence: [({ data }, { sequenceId }) => [data.getSequence({ id: sequenceId })], false],
  ListSequences: [({ data }) => [data.listSequences(ofA)], false],
  SequencesByDatasetID: [({ data }, { datasetId }) => [data.sequencesByDatasetID({ datasetId })], false],
  ListRecordings: [({ of }) => [of(ReplayService).listRecordings(ofA)], true],
  StreamResults: [
    ({ of }) =>
      [ResultKind.DETECTIONS, ResultKind.CLASSIFICATIONS].map((kind) =>
        collect(of(ReplayService).streamResults({ ...ofA, partId: 'lab-part', serviceName: 'watch', kind })),
      ),
    true,
  ],
  AddTagsToBinaryDataByIDs: [
    ({ data }, { hidden }) => [data.addTagsToBinaryDataByIDs({ binaryDataIds: [hidden], tags: ['x'] })],
    true,
  ],
  RemoveTagsFromBinaryDataByIDs: [
    ({ data }, { hidden }) => [data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [hidden], tags: ['day'] })],
    true,
  ],
  AddBoundingBoxToImageByID: [
    ({ data }, { hidden }) => [data.addBoundingBoxToImageByID({ binaryDataId: hidden, label: 'x', ...corners })],
    true,
  ],
  UpdateBoundingBox: [
    ({ data }, { hidden }) =>
      ['secret-box', 'none'].map((bboxId) => data.updateBoundingBox({ binaryDataId: hidden, bboxId, label: 'x' })),
    true,
  ],
  RemoveBoundingBoxFromImageByID: [
    ({ data }, { hidden }) =>
      ['secret-box', 'none'].map((bboxId) => data.removeBoundingBoxFromImageByID({ binaryDataId: hidden, bboxId })),
    true,
  ],
  ListTasks: [
    ({ of }, { hidden, datasetId }) =>
      [{}, { state: 'accepted' }, { binaryDataId: hidden }, { datasetId }, { pageSize: 1 }].map((request) =>
        of(LabelService).listTasks({ ...ofA, ...request }),
      ),
    true,
  ],
  GetWork: [
    ({ of }, { datasetId }) => [{}, { datasetId }].map((request) => of(LabelService).getWork({ ...ofA, ...request })),
    true,
  ],
  ListComments: [
    ({ of }, { hidden }) =>
      [1, 2, 0].map((pageSize) => of(LabelService).listComments({ binaryDataId: hidden, pageSize })),
    true,
  ],
  ResolveComment: [
    ({ of }, { hidden }) => [
      ...[1, 2].map((n) => {
        const comment = { binaryDataId: hidden, id: `comment-${n}`, resolved: true };
        return of(LabelService)
          .resolveComment(comment)
          .catch(withoutId(`comment-${n}`));
      }),
      of(LabelService).resolveComment({ binaryDataId: hidden, id: 'none', resolved: true }).catch(withoutId('none')),
    ],
    true,
  ],
  AddComment: [
    ({ of }, { hidden }) => [
      of(LabelService).addComment({ binaryDataId: hidden, text: 'Another' }),
      of(LabelService).addComment({ binaryDataId: hidden, text: 'Another', taskId: 'task-of-ben' }),
    ],
    true,
  ],
  EditBoxes: [
    ({ of }, { hidden }) => [
      of(LabelService).editBoxes({ binaryDataId: hidden, edits: [{ box: { label: 'x', ...corners } }] }),
      of(LabelService).editBoxes({ binaryDataId: hidden, edits: [{ id: 'secret-box', expected: { label: 'x' } }] }),
    ],
    true,
  ],
  Announce: [({ of }, { hidden }) => [of(LabelService).announce({ binaryDataId: hidden })], true],
  SetTaskBoxes: [
    ({ of }, { taskId }) => [
      of(LabelService).setTaskBoxes({ id: taskId, version: 1n, boxes: [{ label: 'x', ...corners }] }),
    ],
    false,
  ],
  SetTaskState: [
    ({ of }, { taskId }) => [of(LabelService).setTaskState({ id: taskId, version: 1n, state: 'done' })],
    false,
  ],
  GetScheme: [({ of }, { datasetId }) => [of(LabelService).getScheme({ datasetId })], false],
  ListDatasetsByOrganizationID: [({ datasets }) => [datasets.listDatasetsByOrganizationID(ofA)], false],
  ListDatasetsByIDs: [({ datasets }, { datasetId }) => [datasets.listDatasetsByIDs({ ids: [datasetId] })], false],
};

/** Operations whose answers do not come from images, or are the image itself. */
const ofOtherThings = `
  TabularDataByFilter ExportTabularData GetLatestTabularData CreateBinaryDataSignedURL GetUsage ListMembers SwitchMembership AnswerInvitation
  ListOrganizations GetOrganization GetOrganizationsWithAccessToLocation ListLocations GetLocation ListRobots GetRobot
  GetRobotParts GetRobotPart`;

const withoutId = (id: string) => (error: unknown) => String(error).replace(id, '');

/** All answers of an operation, as text. */
async function answers(name: string, clients: Clients, place: Place): Promise<string> {
  const refusal = (error: unknown): string => ConnectError.from(error).message;
  const settled = await Promise.all(asked[name]![0](clients, place).map((answer) => answer.catch(refusal)));
  return JSON.stringify(settled, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

describe('an annotator who draws an image blind', () => {
  it.each(Object.keys(asked))('is told nothing by %s of what others have said of it', async (name) => {
    const [plain, known] = [await start(false), await start(true)];
    const told = await answers(name, known.service.annotator, known);
    expect(told).toBe(await answers(name, plain.service.annotator, plain));
    expect(told).not.toContain('secret"');
    // the question is one whose answer does depend on it, for whoever may review
    const [, isHidden] = asked[name]!;
    const reviewed = await answers(name, known.service.reviewer, known);
    expect(reviewed === (await answers(name, plain.service.reviewer, plain))).toBe(!isHidden);
  });

  it('is asked of each operation that an annotator may call', () => {
    const methods: readonly DescMethod[] = dataServices.flatMap((service) => Object.values(service.method));
    const allowed = methods.filter((method) => requirementOf(method).role === 'annotator').map(({ name }) => name);
    expect([...Object.keys(asked), ...ofOtherThings.trim().split(/\s+/)].toSorted()).toEqual(allowed.toSorted());
  });

  it('sees the labels of all other images, and those of this one when the task is gone', async () => {
    const { service, hidden, open, taskId } = await start(true);
    const { annotator, reviewer } = service;
    const labelled = async (label: string) => {
      const filter = { bboxLabels: [label] };
      const { data } = await annotator.data.binaryDataByFilter({ dataRequest: { filter } });
      const { count } = await annotator.data.binaryDataByFilter({ dataRequest: { filter }, countOnly: true });
      expect(count).toBe(BigInt(data.length));
      return data.map(({ metadata }) => metadata!.binaryDataId);
    };
    expect([await labelled('cup'), await labelled('secret')]).toEqual([[open], []]);
    expect((await annotator.data.boundingBoxLabelsByFilter({})).labels).toEqual(['cup']);
    await reviewer.of(LabelService).deleteTasks({ ids: [taskId] });
    expect([await labelled('cup'), await labelled('secret')]).toEqual([[open, hidden], [hidden]]);
    expect((await annotator.data.boundingBoxLabelsByFilter({})).labels).toEqual(['cup', 'secret']);
  });

  it('gets results of recorded frames without those of this one, and without their names', async () => {
    const { service } = await start(true);
    const [chunk] = await collect(
      service.annotator.of(ReplayService).streamResults({ ...ofA, partId: 'lab-part', serviceName: 'watch' }),
    );
    const { starts, names } = new ColumnChunkReader().read(chunk!);
    expect([[...starts], names]).toEqual([[0, 0, 0, 1], ['cup']]);
  });
});
