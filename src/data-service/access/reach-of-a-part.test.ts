import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { beforeAll, describe, expect, it } from 'vitest';
import { callOperation, servedOperations } from '../../../tests/call-operation.ts';
import {
  addAnnotators,
  startDataService,
  startTime,
  uploadPicture,
  uploadReading,
  type Clients,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { requirementOf } from './operation-roles.ts';

// A key and a person of one part ask for what another part of the same location captured.

let service: TestService;
/** The same owner of the part `yard-part`: by a key, and logged in. */
let askers: readonly Clients[];
/** Ids of things of the part `yard-arm`. */
let [picture, box, task, comment] = ['', '', '', ''];
/** Ids of things of the part `yard-part`. */
let [ownPicture, ownTask] = ['', ''];
let dataset = '';

const ofA = { organizationId: 'a' };
const someone = { kind: 'person', id: 'ada', name: 'Ada' };
const another = { kind: 'person', id: 'ben', name: 'Ben' };
const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const recorded = { componentName: 'watch', methodName: 'CaptureAllFromCamera' };
const secrets = { partId: 'yard-arm', tags: ['secret-tag'], ...recorded };
const scale = { resourceName: 'scale', resourceSubtype: 'rdk:component:sensor', methodName: 'Readings' };
const moment = timestampFromMs(startTime / 1000);

beforeAll(async () => {
  service = await startDataService();
  await addAnnotators(service, { ada: 'Ada', ben: 'Ben' });
  const { owner, dependencies, atPart } = service;
  const { access } = dependencies.store;
  await access.createPart({ ...(await access.getPart('yard-part'))!, id: 'yard-arm', name: 'secret arm' });
  dataset = (await owner.datasets.createDataset({ ...ofA, name: 'set' })).id;
  const datasetIds = [dataset];
  picture = await uploadPicture(owner, { ...secrets, datasetIds }, startTime, 'secret');
  ownPicture = await uploadPicture(owner, { partId: 'yard-part', tags: ['own'], datasetIds });
  box = (await owner.data.addBoundingBoxToImageByID({ binaryDataId: picture, label: 'secret-label', ...corners }))
    .bboxId;
  await uploadReading(owner, { secret: 1 }, startTime, { partId: 'yard-arm' });
  const labels = owner.of(LabelService);
  comment = (await labels.addComment({ binaryDataId: picture, text: 'secret-comment' })).comment!.id;
  await labels.assignImages({ ...ofA, assignees: [someone, another], mode: 'every', binaryDataIds: [picture] });
  const ids = (await labels.listTasks(ofA)).tasks.map(({ id }) => id);
  task = ids[0]!;
  const boxes = [{ ...corners, id: '1', label: 'secret-label', confidence: null }];
  await dependencies.store.labels.editTasks('a', ids, (found) => ({
    ...found,
    task: { ...found.task, state: 'done', boxes, version: 2 },
  }));
  await labels.assignImages({ ...ofA, assignees: [someone], mode: 'every', binaryDataIds: [ownPicture] });
  ownTask = (await labels.listTasks({ ...ofA, binaryDataId: ownPicture })).tasks[0]!.id;
  await labels.announce({ binaryDataId: picture });
  await labels.putScheme({
    datasetId: dataset,
    scheme: { labels: [ownPicture, picture].map((exampleBinaryDataId, n) => ({ name: `${n}`, exampleBinaryDataId })) },
  });
  const member = await addMember(dependencies, 'owner', 'yard', 'a', 'yard-part');
  await addMember(dependencies, 'owner', 'yard', 'a', 'yard-arm');
  askers = [atPart, service.inSession(await logMemberIn(dependencies, member))];
});

const filterOfPart = () => ({ filter: { partId: 'yard-arm' } });
const upload = { partId: 'yard-arm' };

/** An answer that has nothing of the other part; of its own, what matches. */
const only = (own: RegExp) => new RegExp(`^(?!.*(secret|yard-arm))(?=.*${own.source})`);

// Each call with its answer. Text: the code of an error; a pattern: an answer that tells nothing of the other part.
const asked: Record<string, readonly (readonly [() => object, string | RegExp])[]> = {
  DataCaptureUpload: [
    [() => ({ metadata: upload, sensorContents: [{ data: { case: 'struct', value: {} } }] }), 'InvalidArgument'],
  ],
  FileUpload: [[() => ({ uploadPacket: { case: 'metadata', value: upload } }), 'InvalidArgument']],
  StreamingDataCaptureUpload: [
    [() => ({ uploadPacket: { case: 'metadata', value: { uploadMetadata: upload } } }), 'InvalidArgument'],
  ],
  TabularDataByFilter: [
    [() => ({}), /"data":\[\],"count":"0"/],
    [() => ({ countOnly: true, includeInternalData: true }), /"count":"0".*"totalSizeBytes":"0"/],
    [() => ({ dataRequest: filterOfPart() }), 'PermissionDenied'],
    [() => ({ dataRequest: { filter: { robotId: 'yard-robot' } } }), /"data":\[\]/],
  ],
  ExportTabularData: [[() => ({ partId: 'yard-arm', ...scale }), 'PermissionDenied']],
  GetLatestTabularData: [[() => ({ partId: 'yard-arm', ...scale }), 'PermissionDenied']],
  BinaryDataByFilter: [
    [() => ({ includeBinary: true }), only(/"count":"1"/)],
    [() => ({ countOnly: true, includeInternalData: true }), /"count":"1".*"totalSizeBytes":"6"/],
    [() => ({ dataRequest: { filter: { locationIds: ['yard'], datasetId: dataset } } }), only(/"count":"1"/)],
    [() => ({ dataRequest: filterOfPart() }), 'PermissionDenied'],
    [() => ({ dataRequest: { filter: { partName: 'secret arm' } } }), /"count":"0"/],
  ],
  BinaryDataByIDs: [
    [() => ({ binaryDataIds: [picture] }), 'PermissionDenied'],
    [() => ({ binaryDataIds: [ownPicture, picture] }), 'PermissionDenied'],
    [() => ({ binaryDataIds: ['a/yard/none'] }), 'PermissionDenied'],
    [() => ({ binaryIds: [{ ...ofA, locationId: 'yard', fileId: picture.split('/')[2] }] }), 'PermissionDenied'],
    [() => ({ binaryDataIds: [ownPicture] }), only(/"count":"1"/)],
  ],
  DeleteTabularData: [
    [() => ofA, /"deletedCount":"0"/],
    [() => ({ ...ofA, filter: { partId: 'yard-arm' } }), 'PermissionDenied'],
  ],
  DeleteBinaryDataByFilter: [
    [() => ({ filter: { organizationIds: ['a'], partId: 'yard-arm' } }), 'PermissionDenied'],
    [() => ({ filter: { organizationIds: ['a'], tagsFilter: { tags: ['secret-tag'] } } }), /"deletedCount":"0"/],
  ],
  DeleteBinaryDataByIDs: [
    [() => ({ binaryDataIds: [picture] }), 'PermissionDenied'],
    [() => ({ binaryDataIds: [ownPicture, picture] }), 'PermissionDenied'],
  ],
  AddTagsToBinaryDataByIDs: [[() => ({ binaryDataIds: [ownPicture, picture], tags: ['x'] }), 'PermissionDenied']],
  AddTagsToBinaryDataByFilter: [
    [() => ({ ...filterOfPart(), tags: ['x'] }), 'PermissionDenied'],
    [() => ({ filter: { tagsFilter: { tags: ['secret-tag'] } }, tags: ['x'] }), /Response"\}$/],
  ],
  RemoveTagsFromBinaryDataByIDs: [[() => ({ binaryDataIds: [picture], tags: ['secret-tag'] }), 'PermissionDenied']],
  RemoveTagsFromBinaryDataByFilter: [
    [() => ({ ...filterOfPart(), tags: ['secret-tag'] }), 'PermissionDenied'],
    [() => ({ tags: ['secret-tag'] }), /"deletedCount":"0"/],
  ],
  TagsByFilter: [
    [() => ({}), only(/"own"/)],
    [filterOfPart, 'PermissionDenied'],
  ],
  AddBoundingBoxToImageByID: [[() => ({ binaryDataId: picture, label: 'x', ...corners }), 'PermissionDenied']],
  RemoveBoundingBoxFromImageByID: [[() => ({ binaryDataId: picture, bboxId: box }), 'PermissionDenied']],
  UpdateBoundingBox: [[() => ({ binaryDataId: picture, bboxId: box, label: 'x' }), 'PermissionDenied']],
  BoundingBoxLabelsByFilter: [
    [() => ({}), /"labels":\[\]/],
    [filterOfPart, 'PermissionDenied'],
  ],
  AddBinaryDataToDatasetByIDs: [
    [() => ({ datasetId: dataset, binaryDataIds: [ownPicture, picture] }), 'PermissionDenied'],
  ],
  RemoveBinaryDataFromDatasetByIDs: [[() => ({ datasetId: dataset, binaryDataIds: [picture] }), 'PermissionDenied']],
  CreateBinaryDataSignedURL: [[() => ({ binaryDataId: picture }), 'PermissionDenied']],
  CreateSequence: [
    [
      () => ({
        partId: 'yard-arm',
        resources: [{ resourceName: 'watch', methodName: 'CaptureAllFromCamera' }],
        startTime: moment,
        endTime: moment,
      }),
      'InvalidArgument',
    ],
  ],
  // Datasets are the organization's: their names are told, and what is in them only of one's own part.
  CreateDataset: [[() => ({ ...ofA, name: 'set' }), 'AlreadyExists']],
  ListDatasetsByOrganizationID: [[() => ofA, only(/"name":"set"/)]],
  ListDatasetsByIDs: [[() => ({ ids: [dataset] }), only(/"name":"set"/)]],
  GetUsage: [[() => ofA, /^(?!.*quotaBytes).*"files":\{[^}]*"count":"1","bytes":"6"\},"readings":\{[^}]*"count":"0"/]],
  ListRecordings: [[() => ofA, /"recordings":\[\]/]],
  StreamResults: [[() => ({ ...ofA, partId: 'yard-arm', serviceName: 'watch' }), 'PermissionDenied']],
  ListChanges: [
    [() => ofA, 'PermissionDenied'],
    [() => ({ ...ofA, objectId: picture }), 'PermissionDenied'],
    [() => ({ ...ofA, objectId: 'yard-arm' }), 'PermissionDenied'],
    [() => ({ ...ofA, objectId: ownPicture }), only(/"what":"task"/)],
  ],
  // one's own row, by the session, is tested beside its route
  SwitchMembership: [[() => ({ membershipId: 'none' }), /NotFound|FailedPrecondition/]],
  AnswerInvitation: [[() => ({ id: 'none', join: true }), /NotFound|FailedPrecondition/]],
  ListMembers: [[() => ofA, only(/"partId":"yard-part"/)]],
  AssignImages: [
    [() => ({ ...ofA, binaryDataIds: [picture], assignees: [someone], mode: 'split' }), 'PermissionDenied'],
    [() => ({ ...ofA, datasetId: dataset, assignees: [someone], mode: 'split' }), /"made":0,"skipped":1,"images":1/],
  ],
  ListTasks: [
    [() => ofA, new RegExp(`^(?=[^\\n]*yard)(?!.*"state":"done")`)],
    [() => ({ ...ofA, state: 'done' }), /"tasks":\[\]/],
    [() => ({ ...ofA, binaryDataId: picture }), 'PermissionDenied'],
  ],
  GetWork: [[() => ofA, /^(?=.*"open":1)(?=.*"done":0)/]],
  SetTaskState: [[() => ({ id: task, state: 'accepted', version: 2n }), 'NotFound']],
  ReassignTasks: [[() => ({ ids: [ownTask, task], assignee: { ...someone, id: 'x' } }), 'NotFound']],
  DeleteTasks: [[() => ({ ids: [ownTask, task] }), 'NotFound']],
  SetTaskBoxes: [[() => ({ id: task, version: 2n }), 'NotFound']],
  EditBoxes: [
    [() => ({ binaryDataId: picture, edits: [{ id: box, box: { label: 'x', ...corners } }] }), 'PermissionDenied'],
  ],
  AddComment: [[() => ({ binaryDataId: picture, text: 'x' }), 'PermissionDenied']],
  ListComments: [[() => ({ binaryDataId: picture }), 'PermissionDenied']],
  ResolveComment: [
    [() => ({ binaryDataId: picture, id: comment, resolved: true }), 'PermissionDenied'],
    [() => ({ binaryDataId: ownPicture, id: comment, resolved: true }), 'NotFound'],
  ],
  GetScheme: [
    [() => ({ datasetId: dataset }), /"name":"0"[^}]*"exampleBinaryDataId":"a[^}]*\},\{[^}]*"exampleBinaryDataId":""/],
  ],
  GetAgreement: [[() => ({ ...ofA, workers: [someone, another] }), only(/"labels":\[\]/)]],
  Announce: [[() => ({ binaryDataId: picture }), 'PermissionDenied']],
  ListOrganizations: [[() => ({}), only(/Organization a/)]],
  GetOrganization: [[() => ofA, only(/Organization a/)]],
  GetOrganizationsWithAccessToLocation: [
    [() => ({ locationId: 'yard' }), only(/Organization a/)],
    [() => ({ locationId: 'lab' }), 'PermissionDenied'],
  ],
  ListLocations: [[() => ofA, /^(?!.*lab).*"name":"yard"/]],
  GetLocation: [[() => ({ locationId: 'lab' }), 'PermissionDenied']],
  ListRobots: [[() => ({ locationId: 'yard' }), only(/"name":"yard robot"/)]],
  GetRobot: [[() => ({ id: 'yard-robot' }), only(/"name":"yard robot"/)]],
  GetRobotParts: [[() => ({ robotId: 'yard-robot' }), only(/"id":"yard-part"/)]],
  GetRobotPart: [[() => ({ id: 'yard-arm' }), 'NotFound']],
  Log: [[() => ({ id: 'yard-arm' }), 'InvalidArgument']],
};

/** Those that a key of one part may call: the others are refused it as they are a key of one location. */
const reachable = servedOperations.filter(([, method]) => {
  const { role, wholeOrganization } = requirementOf(method);
  return role !== null && !wholeOrganization;
});

describe('a key and a person of one part', () => {
  it.each(reachable)('see and change nothing of another part by %s', async (name, method) => {
    expect(asked[name], `${name} needs a row in the table`).toBeDefined();
    const before = await visibleToOwner();
    for (const asker of askers) {
      for (const [request, expected] of asked[name]!) {
        const answer = await callOperation(asker, method, request());
        if (typeof expected === 'string') expect(answer).toBe(expected);
        else expect(answer).toMatch(expected);
      }
    }
    expect(await visibleToOwner()).toEqual(before);
    expect(service.defects).toEqual([]);
  });

  it('have a row for every operation that they may call, and no row for others', () => {
    expect(Object.keys(asked).toSorted()).toEqual(reachable.map(([name]) => name).toSorted());
  });

  it('work with what their own part captured', async () => {
    for (const asker of askers) {
      const id = await uploadPicture(asker, { partId: 'yard-part' });
      const { data } = asker;
      await data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: ['mine'] });
      await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [id], datasetId: dataset });
      await asker.of(LabelService).addComment({ binaryDataId: id, text: 'mine' });
      expect((await data.tagsByFilter({})).tags).toEqual(expect.arrayContaining(['mine', 'own']));
      expect((await data.createBinaryDataSignedURL({ binaryDataId: id })).signedUrl).toContain('https://');
      expect((await data.deleteBinaryDataByIDs({ binaryDataIds: [id] })).deletedCount).toBe(1n);
    }
  });

  async function visibleToOwner(): Promise<unknown> {
    const { data, datasets, of } = service.owner;
    return [
      await data.binaryDataByFilter({}),
      await data.tabularDataByFilter({}),
      await datasets.listDatasetsByOrganizationID(ofA),
      await data.listSequences(ofA),
      await of(LabelService).listTasks(ofA),
      await of(LabelService).listComments({ binaryDataId: picture }),
      await of(LabelService).getScheme({ datasetId: dataset }),
    ];
  }
});
