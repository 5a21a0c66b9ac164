import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { beforeAll, describe, expect, it } from 'vitest';
import { callOperation as call, servedOperations as methods } from '../../../tests/call-operation.ts';
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
import { IndexableCollection } from '../../gen/app/data/v1/data_pb.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { PeopleService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { isAtLeast, roles, type Role } from '../ports/access-store.ts';
import { requirementOf } from './operation-roles.ts';

describe('every operation', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startDataService();
  });
  /** Another person, who has just logged in. */
  const personAs = async (role: Role, locationId: string | null = null, partId?: string): Promise<Clients> => {
    const { dependencies } = service;
    const member = await addMember(dependencies, role, locationId, 'a', partId);
    return service.inSession(await logMemberIn(dependencies, member));
  };

  it.each(methods)('%s wants a token, unless anyone may call it', async (_, method) => {
    const answer = await call(service.anonymous, method, {});
    expect(answer === 'Unauthenticated').toBe(requirementOf(method).role !== null);
  });

  it.each(methods)('%s wants the role it says, of keys and of people', async (_, method) => {
    const { role: least } = requirementOf(method);
    for (const role of roles) {
      const answers = [await call(service[role], method, {}), await call(await personAs(role), method, {})];
      const isRefused = least !== null && !isAtLeast(role, least);
      expect(answers.map((answer) => answer === 'PermissionDenied')).toEqual([isRefused, isRefused]);
    }
  });

  it.each(methods)('%s wants a key of the whole organization if it says so', async (_, method) => {
    const { wholeOrganization } = requirementOf(method);
    const ofLocation = [service.local, await personAs('owner', 'yard')];
    const ofPart = [service.atPart, await personAs('owner', 'yard', 'yard-part')];
    for (const clients of [...ofLocation, ...ofPart]) {
      expect((await call(clients, method, {})) === 'PermissionDenied').toBe(wholeOrganization);
    }
  });
});

describe('another organization’s key', () => {
  let service: TestService;
  let [picture, box, dataset] = ['', '', ''];
  let [sequence, clips, ownClips, job] = ['', '', '', ''];
  let [task, comment] = ['', ''];
  let [member, invitation] = ['', ''];
  const resource = { resourceName: 'watch', methodName: 'CaptureAllFromCamera' };
  const window = { startTime: timestampFromMs(startTime / 1000), endTime: timestampFromMs(startTime / 1000) };

  beforeAll(async () => {
    service = await startDataService({
      database: {
        addressFor: (_, user) => ({ hostname: 'db.example', mongodbUri: `mongodb://${user}@db.example` }),
        dropConnections: () => undefined,
      },
    });
    await addAnnotators(service, { 'secret-person': 'Ada' });
    const { owner, dependencies } = service;
    const { pipelines, savedQueries } = dependencies.store;
    ({ id: member } = await addMember(dependencies, 'annotator'));
    const offer = { organizationId: 'a', role: 'annotator', name: 'Secret' };
    invitation = (await owner.of(PeopleService).inviteMember(offer)).invitation!.id;
    dataset = (await owner.datasets.createDataset({ organizationId: 'a', name: 'secret-set' })).id;
    picture = await uploadPicture(owner, {
      tags: ['secret-tag'],
      datasetIds: [dataset],
      componentName: 'watch',
      methodName: 'CaptureAllFromCamera',
    });
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    box = (await owner.data.addBoundingBoxToImageByID({ binaryDataId: picture, label: 'secret-label', ...corners }))
      .bboxId;
    await uploadReading(owner, { secret: 1 });
    const ofSequences = { name: 'secret-clips', type: DatasetType.SEQUENCE_DATA };
    clips = (await owner.datasets.createDataset({ organizationId: 'a', ...ofSequences })).id;
    ownClips = (await service.stranger.datasets.createDataset({ organizationId: 'b', ...ofSequences })).id;
    sequence = (await owner.data.createSequence({ partId: 'lab-part', resources: [resource], ...window })).id;
    await owner.data.addSequencesToDataset({ datasetId: clips, sequenceIds: [sequence] });
    job = (await owner.datasets.startSequenceDatasetExport({ datasetId: clips })).jobId;
    const labels = owner.of(LabelService);
    const { comment: said } = await labels.addComment({ binaryDataId: picture, text: 'secret-comment' });
    comment = said!.id;
    await labels.assignImages({ ...ofA, binaryDataIds: [picture], assignees: [someone], mode: 'every' });
    task = (await labels.listTasks(ofA)).tasks[0]!.id;
    await labels.putScheme({ datasetId: dataset, scheme: { labels: [{ name: 'secret-label' }] } });
    const stored = { organizationId: 'a', timeCreated: startTime, timeUpdated: startTime, stages: [] };
    await savedQueries.create({ ...stored, id: 'secret-query', name: 'secret-query' });
    const schedule = {
      schedule: '0 * * * *',
      enabled: true,
      backfill: false,
      source: 'standard',
      timeEnabled: startTime,
    } as const;
    await pipelines.create({ ...stored, ...schedule, id: 'secret-pipeline', name: 'secret-pipeline' });
  });

  const legacy = { organizationId: 'a', locationId: 'lab', fileId: 'id-000001' };
  const ofA = { organizationId: 'a' };
  const ofB = { organizationId: 'b' };
  const someone = { kind: 'person', id: 'secret-person', name: 'Ada' };
  const boxOfA = { label: 'x', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
  const filterOfA = { filter: { organizationIds: ['a'] } };
  const scale = {
    partId: 'lab-part',
    resourceName: 'scale',
    resourceSubtype: 'rdk:component:sensor',
    methodName: 'Readings',
  };
  const metadata = { partId: 'lab-part' };
  const packet = { uploadPacket: { case: 'metadata', value: metadata } };
  const hotStore = { ...ofA, collectionType: IndexableCollection.HOT_STORE };

  // What a stranger asks for, and what they are told. Text: the code of an error; a pattern: an answer that tells nothing.
  const asked: Record<string, readonly (readonly [() => object, string | RegExp])[]> = {
    Authenticate: [
      [
        () => ({
          entity: service.keys.owner.id,
          credentials: { type: 'api-key', payload: service.keys.stranger.secret },
        }),
        'Unauthenticated',
      ],
    ],
    DataCaptureUpload: [
      [() => ({ metadata, sensorContents: [{ data: { case: 'struct', value: {} } }] }), 'InvalidArgument'],
    ],
    FileUpload: [[() => packet, 'InvalidArgument']],
    StreamingDataCaptureUpload: [
      [() => ({ uploadPacket: { case: 'metadata', value: { uploadMetadata: metadata } } }), 'InvalidArgument'],
    ],
    TabularDataByFilter: [
      [() => ({}), /"data":\[\],"count":"0"/],
      [() => ({ countOnly: true, includeInternalData: true }), /"count":"0".*"totalSizeBytes":"0"/],
      [() => ({ dataRequest: { filter: { partId: 'lab-part' } } }), /"data":\[\]/],
      [() => ({ dataRequest: filterOfA }), 'PermissionDenied'],
      [() => ({ dataRequest: { filter: { organizationIds: ['b', 'a'] } } }), 'PermissionDenied'],
    ],
    TabularDataBySQL: [[() => ({ ...ofA, sqlQuery: 'SELECT * FROM readings' }), 'PermissionDenied']],
    TabularDataByMQL: [[() => ({ ...ofA, mqlBinary: [] }), 'PermissionDenied']],
    StreamRows: [
      [() => ({ query: { case: 'sql', value: { ...ofA, sqlQuery: 'SELECT * FROM readings' } } }), 'PermissionDenied'],
      [() => ({ query: { case: 'mql', value: { ...ofA, mqlBinary: [] } } }), 'PermissionDenied'],
    ],
    ExportTabularData: [[() => scale, /^\[\]$/]],
    GetLatestTabularData: [[() => scale, /^\{"\$typeName":"viam.app.data.v1.GetLatestTabularDataResponse"\}$/]],
    BinaryDataByFilter: [
      [() => ({ includeBinary: true }), /"data":\[\],"count":"0"/],
      [() => ({ countOnly: true, includeInternalData: true }), /"count":"0".*"totalSizeBytes":"0"/],
      [() => ({ dataRequest: { filter: { locationIds: ['lab'], datasetId: dataset } } }), /"data":\[\]/],
      [() => ({ dataRequest: filterOfA }), 'PermissionDenied'],
    ],
    BinaryDataByIDs: [
      [() => ({ binaryDataIds: [picture] }), 'PermissionDenied'],
      [() => ({ binaryDataIds: ['a/lab/none'] }), 'PermissionDenied'],
      [() => ({ binaryIds: [legacy] }), 'PermissionDenied'],
    ],
    DeleteTabularData: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ organizationId: 'b', filter: { partId: 'lab-part' } }), /"deletedCount":"0"/],
    ],
    DeleteBinaryDataByFilter: [
      [() => filterOfA, 'PermissionDenied'],
      [() => ({ filter: { organizationIds: ['b'], locationIds: ['lab'] } }), /"deletedCount":"0"/],
    ],
    DeleteBinaryDataByIDs: [[() => ({ binaryDataIds: [picture] }), 'PermissionDenied']],
    AddTagsToBinaryDataByIDs: [[() => ({ binaryDataIds: [picture], tags: ['x'] }), 'PermissionDenied']],
    AddTagsToBinaryDataByFilter: [
      [() => ({ ...filterOfA, tags: ['x'] }), 'PermissionDenied'],
      [() => ({ tags: ['x'] }), /Response"\}$/],
    ],
    RemoveTagsFromBinaryDataByIDs: [[() => ({ binaryDataIds: [picture], tags: ['secret-tag'] }), 'PermissionDenied']],
    RemoveTagsFromBinaryDataByFilter: [
      [() => ({ ...filterOfA, tags: ['secret-tag'] }), 'PermissionDenied'],
      [() => ({ tags: ['secret-tag'] }), /"deletedCount":"0"/],
    ],
    TagsByFilter: [
      [() => ({}), /"tags":\[\]/],
      [() => filterOfA, 'PermissionDenied'],
    ],
    AddBoundingBoxToImageByID: [[() => ({ binaryDataId: picture, label: 'x' }), 'PermissionDenied']],
    RemoveBoundingBoxFromImageByID: [[() => ({ binaryDataId: picture, bboxId: box }), 'PermissionDenied']],
    UpdateBoundingBox: [[() => ({ binaryDataId: picture, bboxId: box, label: 'x' }), 'PermissionDenied']],
    BoundingBoxLabelsByFilter: [
      [() => ({}), /"labels":\[\]/],
      [() => filterOfA, 'PermissionDenied'],
    ],
    GetDatabaseConnection: [[() => ofA, 'PermissionDenied']],
    ConfigureDatabaseUser: [[() => ({ ...ofA, password: 'long enough' }), 'PermissionDenied']],
    AddBinaryDataToDatasetByIDs: [[() => ({ datasetId: dataset, binaryDataIds: [picture] }), 'PermissionDenied']],
    RemoveBinaryDataFromDatasetByIDs: [[() => ({ datasetId: dataset, binaryDataIds: [picture] }), 'PermissionDenied']],
    CreateSequence: [[() => ({ ...metadata, resources: [resource], ...window }), 'InvalidArgument']],
    GetSequence: [[() => ({ id: sequence }), 'NotFound']],
    UpdateSequence: [[() => ({ id: sequence, fieldMask: { paths: ['sequence_tags'] } }), 'NotFound']],
    DeleteSequence: [[() => ({ id: sequence }), 'NotFound']],
    ListSequences: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ organizationId: 'b' }), /"sequences":\[\]/],
    ],
    GetSequenceBinaryData: [[() => ({ sequenceId: sequence }), 'NotFound']],
    SequencesByDatasetID: [[() => ({ datasetId: clips }), 'NotFound']],
    AddSequencesToDataset: [
      [() => ({ datasetId: clips, sequenceIds: [sequence] }), 'NotFound'],
      [() => ({ datasetId: ownClips, sequenceIds: [sequence] }), 'NotFound'],
    ],
    RemoveSequencesFromDataset: [[() => ({ datasetId: clips, sequenceIds: [sequence] }), 'NotFound']],
    StartSequenceDatasetExport: [[() => ({ datasetId: clips }), 'NotFound']],
    GetSequenceDatasetExport: [[() => ({ jobId: job }), 'NotFound']],
    CreateIndex: [[() => ({ ...hotStore, indexSpec: [new TextEncoder().encode('{"data.x":1}')] }), 'PermissionDenied']],
    ListIndexes: [[() => hotStore, 'PermissionDenied']],
    GetUsage: [[() => ofA, 'PermissionDenied']],
    ListChanges: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ ...ofA, objectId: picture }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', objectId: picture }), /"changes":\[\],"nextPageToken":""/],
    ],
    ListActors: [[() => ofA, 'PermissionDenied']],
    AssignImages: [
      [() => ({ ...ofA, binaryDataIds: [picture], assignees: [someone], mode: 'split' }), 'PermissionDenied'],
      [() => ({ ...ofB, binaryDataIds: [picture], assignees: [someone], mode: 'split' }), 'PermissionDenied'],
      [() => ({ ...ofB, datasetId: dataset, assignees: [someone], mode: 'split' }), 'NotFound'],
    ],
    ListTasks: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ ...ofB, assignee: someone }), /"tasks":\[\],"nextPageToken":""/],
      [() => ({ ...ofB, binaryDataId: picture }), 'PermissionDenied'],
    ],
    GetWork: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ ...ofB, datasetId: dataset }), /"counts":\[\]/],
    ],
    SetTaskState: [[() => ({ id: task, state: 'done', version: 1 }), 'NotFound']],
    ReassignTasks: [[() => ({ ids: [task], assignee: someone }), 'NotFound']],
    DeleteTasks: [[() => ({ ids: [task] }), 'NotFound']],
    SetTaskBoxes: [[() => ({ id: task, version: 1 }), 'NotFound']],
    EditBoxes: [[() => ({ binaryDataId: picture, edits: [{ id: box, box: boxOfA }] }), 'PermissionDenied']],
    AddComment: [[() => ({ binaryDataId: picture, text: 'x' }), 'PermissionDenied']],
    ListComments: [[() => ({ binaryDataId: picture }), 'PermissionDenied']],
    ResolveComment: [[() => ({ binaryDataId: picture, id: comment, resolved: true }), 'PermissionDenied']],
    GetScheme: [[() => ({ datasetId: dataset }), 'NotFound']],
    PutScheme: [[() => ({ datasetId: dataset, scheme: {}, version: 1 }), 'NotFound']],
    DeleteScheme: [[() => ({ datasetId: dataset }), 'NotFound']],
    GetAgreement: [
      [() => ({ ...ofA, workers: [someone] }), 'PermissionDenied'],
      [() => ({ ...ofB, workers: [someone] }), /"labels":\[\].*"images":0/],
    ],
    Announce: [[() => ({ binaryDataId: picture }), 'PermissionDenied']],
    ListOrganizations: [[() => ({}), /^(?!.*Organization a).*"name":"Organization b"/]],
    GetOrganization: [[() => ofA, 'PermissionDenied']],
    GetOrganizationsWithAccessToLocation: [[() => ({ locationId: 'lab' }), 'NotFound']],
    ListLocations: [[() => ofA, 'PermissionDenied']],
    GetLocation: [[() => ({ locationId: 'lab' }), 'NotFound']],
    ListRobots: [[() => ({ locationId: 'lab' }), 'NotFound']],
    GetRobot: [[() => ({ id: 'lab-robot' }), 'NotFound']],
    GetRobotParts: [[() => ({ robotId: 'lab-robot' }), 'NotFound']],
    GetRobotPart: [[() => ({ id: 'lab-part' }), 'NotFound']],
    Log: [[() => ({ id: 'lab-part' }), 'InvalidArgument']],
    ListRecordings: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ organizationId: 'b' }), /"recordings":\[\]/],
    ],
    // Everyone may ask who they are: a key is nobody.
    GetSession: [[() => ({}), /"hasPasskeys":false,"providerName":"","memberships":\[\],"partId":""/]],
    SwitchMembership: [[() => ({ membershipId: member }), 'FailedPrecondition']],
    AnswerInvitation: [[() => ({ id: invitation, join: true }), 'FailedPrecondition']],
    LogOut: [[() => ({ everywhere: true }), /Response"\}$/]],
    GetInvitation: [[() => ({ token: invitation }), 'NotFound']],
    BeginPasskeyLogIn: [[() => ({}), 'FailedPrecondition']],
    FinishPasskeyLogIn: [[() => ({}), 'FailedPrecondition']],
    BeginPasskeyRegistration: [[() => ({ invitationToken: invitation }), 'FailedPrecondition']],
    FinishPasskeyRegistration: [[() => ({ invitationToken: invitation }), 'FailedPrecondition']],
    ListMembers: [[() => ofA, 'PermissionDenied']],
    InviteMember: [
      [() => ({ ...ofA, role: 'owner', name: 'x' }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', locationId: 'lab', role: 'owner', name: 'x' }), 'NotFound'],
    ],
    ListInvitations: [
      [() => ofA, 'PermissionDenied'],
      [() => ({ organizationId: 'b' }), /"invitations":\[\]/],
    ],
    DeleteInvitation: [
      [() => ({ ...ofA, id: invitation }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', id: invitation }), 'NotFound'],
    ],
    ChangeMember: [
      [() => ({ ...ofA, id: member, role: 'owner' }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', id: member, role: 'owner' }), 'NotFound'],
    ],
    RemoveMember: [
      [() => ({ ...ofA, id: member }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', id: member }), 'NotFound'],
    ],
    EndSessions: [
      [() => ({ ...ofA, id: member }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', id: member }), 'NotFound'],
    ],
    StreamResults: [
      [() => ({ ...ofA, partId: 'lab-part', serviceName: 'watch' }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', partId: 'lab-part', serviceName: 'watch' }), /^\[\]$/],
    ],
    DeleteIndex: [[() => ({ ...hotStore, indexName: 'secret' }), 'PermissionDenied']],
    CreateSavedQuery: [[() => ({ ...ofA, name: 'x' }), 'PermissionDenied']],
    UpdateSavedQuery: [[() => ({ id: 'secret-query', name: 'x' }), 'NotFound']],
    GetSavedQuery: [[() => ({ id: 'secret-query' }), 'NotFound']],
    DeleteSavedQuery: [[() => ({ id: 'secret-query' }), 'NotFound']],
    ListSavedQueries: [[() => ofA, 'PermissionDenied']],
    CreateBinaryDataSignedURL: [[() => ({ binaryDataId: picture }), 'PermissionDenied']],
    CreateDataset: [[() => ({ ...ofA, name: 'x' }), 'PermissionDenied']],
    DeleteDataset: [[() => ({ id: dataset }), 'NotFound']],
    RenameDataset: [[() => ({ id: dataset, name: 'x' }), 'NotFound']],
    ListDatasetsByOrganizationID: [[() => ofA, 'PermissionDenied']],
    ListDatasetsByIDs: [[() => ({ ids: [dataset] }), /"datasets":\[\]/]],
    MergeDatasets: [
      [() => ({ ...ofA, name: 'x', datasetIds: [dataset] }), 'PermissionDenied'],
      [() => ({ organizationId: 'b', name: 'x', datasetIds: [dataset] }), 'NotFound'],
    ],
    GetDataPipeline: [[() => ({ id: 'secret-pipeline' }), 'NotFound']],
    ListDataPipelines: [[() => ofA, 'PermissionDenied']],
    CreateDataPipeline: [[() => ({ ...ofA, name: 'x', schedule: '0 * * * *' }), 'PermissionDenied']],
    RenameDataPipeline: [[() => ({ id: 'secret-pipeline', name: 'x' }), 'NotFound']],
    DeleteDataPipeline: [[() => ({ id: 'secret-pipeline' }), 'NotFound']],
    EnableDataPipeline: [[() => ({ id: 'secret-pipeline' }), 'NotFound']],
    DisableDataPipeline: [[() => ({ id: 'secret-pipeline' }), 'NotFound']],
    ListDataPipelineRuns: [[() => ({ id: 'secret-pipeline' }), 'NotFound']],
  };
  it.each(methods)('sees and changes nothing by %s', async (name, method) => {
    expect(asked[name], `${name} needs a row in the table`).toBeDefined();
    const before = await visibleToOwner();
    for (const [request, expected] of asked[name]!) {
      const answer = await call(service.stranger, method, request());
      if (typeof expected === 'string') expect(answer).toBe(expected);
      else expect(answer).toMatch(expected);
    }
    expect(await visibleToOwner()).toEqual(before);
    expect(service.defects).toEqual([]);
  });

  it('has a row for every operation, and no row for none', () => {
    const names = methods.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(asked).toSorted()).toEqual(names.toSorted());
  });

  async function visibleToOwner(): Promise<unknown> {
    const { data, datasets } = service.owner;
    const { pipelines, savedQueries, access, people } = service.dependencies.store;
    return [
      await data.binaryDataByFilter({}),
      await data.tabularDataByFilter({}),
      await datasets.listDatasetsByOrganizationID({ organizationId: 'a' }),
      await data.listSequences({ organizationId: 'a' }),
      await service.owner.of(LabelService).listTasks(ofA),
      await service.owner.of(LabelService).listComments({ binaryDataId: picture }),
      await service.owner.of(LabelService).getScheme({ datasetId: dataset }),
      await pipelines.list('a'),
      await savedQueries.list('a', 10),
      await access.getDatabaseUser('a'),
      await people!.listMembers({ organizationId: 'a' }),
      await people!.listInvitations({ organizationId: 'a' }),
    ];
  }
});
