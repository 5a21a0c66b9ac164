import type { DescMethod } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { serialize } from 'bson';
import { beforeEach, expect, it } from 'vitest';
import {
  addAnnotators,
  collect,
  startDataService,
  startTime,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { dataServices } from '../../../tests/data-services.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import { contentPacket, dataPacket, metadataPacket, picture, streamOf } from '../../../tests/upload-packets.ts';
import { IndexableCollection } from '../../gen/app/data/v1/data_pb.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { PeopleService, type InviteMemberResponse } from '../../gen/sightglass/people/v1/people_pb.ts';
import { requirementOf } from '../access/operation-roles.ts';
import type { AuditRow } from '../ports/audit-store.ts';

/** The ids of things that are there before each call. */
interface Place {
  readonly image: string;
  readonly box: string;
  readonly dataset: string;
  readonly pipeline: string;
  readonly query: string;
  readonly clips: string;
  readonly sequence: string;
  readonly job: string;
  /** a blind task of the owner, and a comment on its image */
  readonly task: string;
  readonly comment: string;
  /** a member who is logged in */
  readonly person: string;
  readonly invitation: InviteMemberResponse;
  readonly key: { readonly id: string; readonly secret: string };
}

const ofA = { organizationId: 'a' };
const filter = { organizationIds: ['a'] };
const hotStore = { ...ofA, collectionType: IndexableCollection.HOT_STORE };
const stages = [serialize({ $limit: 1 })];
const resource = { resourceName: 'watch', methodName: 'CaptureAllFromCamera' };
const span = { startTime: timestampFromMs(startTime / 1000), endTime: timestampFromMs(startTime / 1000) };
const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const tagged = ({ image }: Place) => ({ binaryDataIds: [image], tags: ['seen'] });
const member = ({ image, dataset }: Place) => ({ binaryDataIds: [image], datasetId: dataset });
const ada = { kind: 'person', id: 'ada', name: 'Ada' };
const scale = {
  partId: 'lab-part',
  resourceName: 'scale',
  resourceSubtype: 'rdk:component:sensor',
  methodName: 'Readings',
};

/** A request of each operation that succeeds, as messages where it is a stream. */
const requests: Readonly<Record<string, (place: Place) => object>> = {
  Authenticate: ({ key }) => ({ entity: key.id, credentials: { type: 'api-key', payload: key.secret } }),
  DataCaptureUpload: () => ({
    metadata: { ...picture, tags: ['new'] },
    sensorContents: [{ data: { case: 'binary', value: Uint8Array.of(1) } }],
  }),
  FileUpload: () => [metadataPacket({ ...picture, tags: ['new'] }), contentPacket('x')],
  StreamingDataCaptureUpload: () => [
    metadataPacket({ uploadMetadata: { ...picture, tags: ['new'] } }),
    dataPacket('x'),
  ],
  TabularDataByFilter: () => ({}),
  TabularDataBySQL: () => ({ ...ofA, sqlQuery: 'SELECT * FROM readings' }),
  TabularDataByMQL: () => ({ ...ofA, mqlBinary: stages }),
  StreamRows: () => ({ query: { case: 'mql', value: { ...ofA, mqlBinary: stages } } }),
  ExportTabularData: () => scale,
  GetLatestTabularData: () => scale,
  BinaryDataByFilter: () => ({ includeBinary: true }),
  BinaryDataByIDs: ({ image }) => ({ binaryDataIds: [image] }),
  DeleteTabularData: () => ofA,
  DeleteBinaryDataByFilter: () => ({ filter }),
  DeleteBinaryDataByIDs: ({ image }) => ({ binaryDataIds: [image] }),
  AddTagsToBinaryDataByIDs: (place) => ({ ...tagged(place), tags: ['mug'] }),
  AddTagsToBinaryDataByFilter: () => ({ filter, tags: ['mug'] }),
  RemoveTagsFromBinaryDataByIDs: tagged,
  RemoveTagsFromBinaryDataByFilter: () => ({ filter, tags: ['seen'] }),
  TagsByFilter: () => ({ filter }),
  AddBoundingBoxToImageByID: ({ image }) => ({ binaryDataId: image, label: 'mug', ...corners }),
  RemoveBoundingBoxFromImageByID: ({ image, box }) => ({ binaryDataId: image, bboxId: box }),
  UpdateBoundingBox: ({ image, box }) => ({ binaryDataId: image, bboxId: box, label: 'mug' }),
  BoundingBoxLabelsByFilter: () => ({ filter }),
  GetDatabaseConnection: () => ofA,
  ListOrganizations: () => ({}),
  GetOrganization: () => ofA,
  GetOrganizationsWithAccessToLocation: () => ({ locationId: 'lab' }),
  ListLocations: () => ofA,
  GetLocation: () => ({ locationId: 'lab' }),
  ListRobots: () => ({ locationId: 'lab' }),
  GetRobot: () => ({ id: 'lab-robot' }),
  GetRobotParts: () => ({ robotId: 'lab-robot' }),
  GetRobotPart: () => ({ id: 'lab-part' }),
  Log: () => ({ id: 'lab-part' }),
  ConfigureDatabaseUser: () => ({ ...ofA, password: 'long enough, and more' }),
  AddBinaryDataToDatasetByIDs: member,
  RemoveBinaryDataFromDatasetByIDs: member,
  CreateIndex: () => ({ ...hotStore, indexSpec: [new TextEncoder().encode('{"data.readings.kg":1}')] }),
  ListIndexes: () => hotStore,
  DeleteIndex: () => ({ ...hotStore, indexName: 'known' }),
  CreateSavedQuery: () => ({ ...ofA, name: 'new', mqlBinary: stages }),
  UpdateSavedQuery: ({ query }) => ({ id: query, name: 'other', mqlBinary: stages }),
  GetSavedQuery: ({ query }) => ({ id: query }),
  DeleteSavedQuery: ({ query }) => ({ id: query }),
  ListSavedQueries: () => ofA,
  CreateBinaryDataSignedURL: ({ image }) => ({ binaryDataId: image }),
  CreateDataset: () => ({ ...ofA, name: 'new' }),
  DeleteDataset: ({ dataset }) => ({ id: dataset }),
  RenameDataset: ({ dataset }) => ({ id: dataset, name: 'other' }),
  ListDatasetsByOrganizationID: () => ofA,
  ListDatasetsByIDs: ({ dataset }) => ({ ids: [dataset] }),
  MergeDatasets: ({ dataset }) => ({ ...ofA, name: 'both', datasetIds: [dataset] }),
  GetDataPipeline: ({ pipeline }) => ({ id: pipeline }),
  ListDataPipelines: () => ofA,
  CreateDataPipeline: () => ({ ...ofA, name: 'new', mqlBinary: stages, schedule: '0 * * * *' }),
  RenameDataPipeline: ({ pipeline }) => ({ id: pipeline, name: 'other' }),
  DeleteDataPipeline: ({ pipeline }) => ({ id: pipeline }),
  EnableDataPipeline: ({ pipeline }) => ({ id: pipeline }),
  DisableDataPipeline: ({ pipeline }) => ({ id: pipeline }),
  ListDataPipelineRuns: ({ pipeline }) => ({ id: pipeline }),
  GetUsage: () => ofA,
  ListRecordings: () => ofA,
  StreamResults: () => ({ ...ofA, partId: 'lab-part', serviceName: 'watch' }),
  CreateSequence: () => ({ partId: 'lab-part', resources: [resource], sequenceTags: ['good'], ...span }),
  GetSequence: ({ sequence }) => ({ id: sequence }),
  UpdateSequence: ({ sequence }) => ({ id: sequence, sequenceTags: ['seen'], fieldMask: { paths: ['sequence_tags'] } }),
  DeleteSequence: ({ sequence }) => ({ id: sequence }),
  ListSequences: () => ofA,
  SequencesByDatasetID: ({ clips }) => ({ datasetId: clips }),
  GetSequenceBinaryData: ({ sequence }) => ({ sequenceId: sequence }),
  AddSequencesToDataset: ({ clips, sequence }) => ({ datasetId: clips, sequenceIds: [sequence] }),
  RemoveSequencesFromDataset: ({ clips, sequence }) => ({ datasetId: clips, sequenceIds: [sequence] }),
  StartSequenceDatasetExport: ({ clips }) => ({ datasetId: clips }),
  GetSequenceDatasetExport: ({ job }) => ({ jobId: job }),
  ListChanges: () => ofA,
  ListActors: () => ofA,
  AssignImages: ({ image }) => ({ ...ofA, binaryDataIds: [image], assignees: [ada], mode: 'every' }),
  ListTasks: () => ofA,
  GetWork: () => ofA,
  SetTaskState: ({ task }) => ({ id: task, state: 'done', version: 1 }),
  ReassignTasks: ({ task }) => ({ ids: [task], assignee: ada }),
  DeleteTasks: ({ task }) => ({ ids: [task] }),
  SetTaskBoxes: ({ task }) => ({ id: task, version: 1, boxes: [{ label: 'mug', ...corners }] }),
  EditBoxes: ({ image }) => ({ binaryDataId: image, edits: [{ box: { label: 'mug', ...corners } }] }),
  AddComment: ({ image }) => ({ binaryDataId: image, text: 'Why?' }),
  ListComments: ({ image }) => ({ binaryDataId: image }),
  ResolveComment: ({ image, comment }) => ({ binaryDataId: image, id: comment, resolved: true }),
  GetScheme: ({ dataset }) => ({ datasetId: dataset }),
  PutScheme: ({ dataset }) => ({ datasetId: dataset, scheme: {}, version: 1 }),
  DeleteScheme: ({ dataset }) => ({ datasetId: dataset }),
  GetAgreement: () => ({ ...ofA, workers: [ada] }),
  Announce: ({ image }) => ({ binaryDataId: image }),
  GetSession: () => ({}),
  SwitchMembership: ({ person }) => ({ membershipId: person }),
  AnswerInvitation: ({ invitation }) => ({ id: invitation.invitation!.id, join: true }),
  LogOut: () => ({}),
  GetInvitation: ({ invitation }) => ({ token: invitation.token }),
  BeginPasskeyLogIn: () => ({}),
  FinishPasskeyLogIn: () => ({}),
  BeginPasskeyRegistration: () => ({}),
  FinishPasskeyRegistration: () => ({}),
  ListMembers: () => ofA,
  InviteMember: () => ({ ...ofA, role: 'annotator', name: 'Bob' }),
  ListInvitations: () => ofA,
  DeleteInvitation: ({ invitation }) => ({ ...ofA, id: invitation.invitation!.id }),
  ChangeMember: ({ person }) => ({ ...ofA, id: person, role: 'reviewer' }),
  RemoveMember: ({ person }) => ({ ...ofA, id: person }),
  EndSessions: ({ person }) => ({ ...ofA, id: person }),
};

/** What a key cannot do, or this host. */
const refused = new Map([
  ['SwitchMembership', /^FailedPrecondition: .*A key has one place and one role/],
  ['AnswerInvitation', /^FailedPrecondition: .*A key is nobody who can be invited/],
  ['BeginPasskeyLogIn', /^FailedPrecondition: .*This host has no log-in by passkeys/],
  ['FinishPasskeyLogIn', /^FailedPrecondition: .*This host has no log-in by passkeys/],
  ['BeginPasskeyRegistration', /^FailedPrecondition: .*This host has no log-in by passkeys/],
  ['FinishPasskeyRegistration', /^FailedPrecondition: .*This host has no log-in by passkeys/],
]);

const methods = dataServices.flatMap((each): readonly DescMethod[] => each.methods);

let service: TestService;
let place: Place;

beforeEach(async () => {
  service = await startDataService({
    queryRunner: { run: () => Promise.resolve([]), async *stream() {} },
    database: {
      addressFor: (_, user) => ({ hostname: 'db.example', mongodbUri: `mongodb://${user}@db.example` }),
      dropConnections: () => undefined,
    },
  });
  await addAnnotators(service, { ada: 'Ada' });
  const { owner, keys } = service;
  const { data, datasets, pipelines } = owner;
  const { id: dataset } = await datasets.createDataset({ ...ofA, name: 'cups' });
  const image = await uploadPicture(owner, { tags: ['seen'] });
  await uploadPicture(owner, { datasetIds: [dataset] });
  await uploadReading(owner, { kg: 1 });
  const { bboxId } = await data.addBoundingBoxToImageByID({ binaryDataId: image, label: 'cup', ...corners });
  const spec = ['{"data.readings.ok":1}', '{"name":"known"}'].map((text) => new TextEncoder().encode(text));
  await data.createIndex({ ...hotStore, indexSpec: spec });
  const { id: query } = await data.createSavedQuery({ ...ofA, name: 'hot', mqlBinary: stages });
  const schedule = { schedule: '0 * * * *', mqlBinary: stages };
  const { id: pipeline } = await pipelines.createDataPipeline({ ...ofA, name: 'hourly', ...schedule });
  await data.configureDatabaseUser({ ...ofA, password: 'long enough, and more' });
  const { id: clips } = await datasets.createDataset({ ...ofA, name: 'clips', type: DatasetType.SEQUENCE_DATA });
  const { id: sequence } = await data.createSequence({ partId: 'lab-part', resources: [resource], ...span });
  const { jobId: job } = await datasets.startSequenceDatasetExport({ datasetId: clips });
  const labels = owner.of(LabelService);
  const { comment } = await labels.addComment({ binaryDataId: image, text: 'Look again.' });
  await labels.assignImages({ ...ofA, binaryDataIds: [image], assignees: [comment!.author!], mode: 'every' });
  const [task] = (await labels.listTasks(ofA)).tasks;
  await labels.putScheme({ datasetId: dataset, scheme: { labels: [{ name: 'cup' }] } });
  const annotator = await addMember(service.dependencies, 'annotator');
  await logMemberIn(service.dependencies, annotator);
  const invitation = await owner.of(PeopleService).inviteMember({ ...ofA, role: 'owner', name: 'Eve' });
  place = {
    person: annotator.id,
    invitation,
    task: task!.id,
    comment: comment!.id,
    clips,
    sequence,
    job,
    image,
    box: bboxId,
    dataset,
    pipeline,
    query,
    key: keys.owner,
  };
});

const rows = (): Promise<readonly AuditRow[]> =>
  service.dependencies.store.audit.page(
    { each: false, organizationId: 'a', actor: null, what: '', objectId: '', interval: { start: null, end: null } },
    null,
    1000,
  );

async function call(method: DescMethod, request: object): Promise<string> {
  // Methods by name have no common type; the test is about what they leave.
  const client = service.owner.of(method.parent) as unknown as Record<string, (input: unknown) => unknown>;
  try {
    const answer = client[method.localName]!(Array.isArray(request) ? streamOf(request) : request);
    await (method.methodKind === 'server_streaming' ? collect(answer as AsyncIterable<unknown>) : answer);
    return 'ok';
  } catch (error) {
    return `${Code[ConnectError.from(error).code]}: ${(error as Error).message}`;
  }
}

/** What has to be done before, so that the operation has something to change. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
  RemoveBinaryDataFromDatasetByIDs: () => service.owner.data.addBinaryDataToDatasetByIDs(member(place)),
  RemoveSequencesFromDataset: () =>
    service.owner.data.addSequencesToDataset({ datasetId: place.clips, sequenceIds: [place.sequence] }),
  EnableDataPipeline: () => service.owner.pipelines.disableDataPipeline({ id: place.pipeline }),
};

it.each(methods.map((method) => [method.name, method] as const))(
  '%s leaves a row by its caller where it changes something, and none where it does not',
  async (name, method) => {
    expect(requests[name], `${name} needs a request in the table`).toBeDefined();
    await before[name]?.();
    const known = new Set((await rows()).map(({ id }) => id));
    expect(await call(method, requests[name]!(place))).toMatch(refused.get(name) ?? /^ok$/);
    const added = (await rows()).filter(({ id }) => !known.has(id));
    expect(added.length > 0).toBe(requirementOf(method).changes);
    const { id } = service.keys.owner;
    for (const { actor, time, before: was, after: is } of added) {
      expect(actor).toEqual({ kind: 'key', id, name: 'owner' });
      expect(time).toBe(startTime);
      expect(was === null && is === null).toBe(false);
    }
  },
);

it('has a request for every operation, and none for none', () => {
  const asked = methods.map(({ name }) => name);
  expect(Object.keys(requests).toSorted()).toEqual(asked.toSorted());
});
