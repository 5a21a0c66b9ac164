import type { DescMethod } from '@bufbuild/protobuf';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { RobotService } from '../../gen/app/v1/robot_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { AuditService } from '../../gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../../gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { ReplayService } from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../gen/sightglass/storage/v1/storage_pb.ts';
import { FleetService } from '../wire/fleet-service.ts';
import type { Role } from '../ports/access-store.ts';

/** What an operation requires of its caller. */
export interface Requirement {
  /** null: anyone may call it, without a token */
  readonly role: Role | null;
  /** a key of a single location or part is not enough */
  readonly wholeOrganization: boolean;
  /** whether it changes something, which leaves a row in the audit; of uploads only those with tags or into datasets do */
  readonly changes: boolean;
}

// Annotators view, and draw on images that are assigned to them (edit-labels.ts); reviewers draw on all images, and judge. Operators
// work with the data: they also upload, query and build datasets. Only owners may delete data for good, change what the queries and
// pipelines of others depend on, and decide who has access.
const anyone: Requirement = { role: null, wholeOrganization: false, changes: false };
const annotator: Requirement = { ...anyone, role: 'annotator' };
const annotatorOfAll: Requirement = { ...annotator, wholeOrganization: true };
const reviewer: Requirement = { ...anyone, role: 'reviewer' };
const reviewerOfAll: Requirement = { ...reviewer, wholeOrganization: true };
const operator: Requirement = { ...anyone, role: 'operator' };
const operatorOfAll: Requirement = { ...operator, wholeOrganization: true };
const owner: Requirement = { ...operator, role: 'owner' };
const ownerOfAll: Requirement = { ...owner, wholeOrganization: true };

const changing = (requirement: Requirement): Requirement => ({ ...requirement, changes: true });

// The key types are the services' own methods: a method without a requirement does not compile.
const auth: Record<keyof typeof AuthService.method, Requirement> = { authenticate: anyone };

const dataSync: Record<keyof typeof DataSyncService.method, Requirement> = {
  dataCaptureUpload: changing(operator),
  fileUpload: changing(operator),
  streamingDataCaptureUpload: changing(operator),
};

const data: Record<keyof typeof DataService.method, Requirement> = {
  tabularDataByFilter: annotator,
  tabularDataBySQL: operatorOfAll,
  tabularDataByMQL: operatorOfAll,
  exportTabularData: annotator,
  getLatestTabularData: annotator,
  binaryDataByFilter: annotator,
  binaryDataByIDs: annotator,
  deleteTabularData: changing(owner),
  deleteBinaryDataByFilter: changing(owner),
  deleteBinaryDataByIDs: changing(owner),
  addTagsToBinaryDataByIDs: changing(annotator),
  addTagsToBinaryDataByFilter: changing(reviewer),
  removeTagsFromBinaryDataByIDs: changing(annotator),
  removeTagsFromBinaryDataByFilter: changing(reviewer),
  tagsByFilter: annotator,
  addBoundingBoxToImageByID: changing(annotator),
  removeBoundingBoxFromImageByID: changing(annotator),
  boundingBoxLabelsByFilter: annotator,
  updateBoundingBox: changing(annotator),
  getDatabaseConnection: operatorOfAll,
  configureDatabaseUser: changing(ownerOfAll),
  addBinaryDataToDatasetByIDs: changing(operator),
  removeBinaryDataFromDatasetByIDs: changing(operator),
  addSequencesToDataset: changing(operatorOfAll),
  removeSequencesFromDataset: changing(operatorOfAll),
  createIndex: changing(ownerOfAll),
  listIndexes: operatorOfAll,
  deleteIndex: changing(ownerOfAll),
  createSavedQuery: changing(ownerOfAll),
  updateSavedQuery: changing(ownerOfAll),
  getSavedQuery: operatorOfAll,
  deleteSavedQuery: changing(ownerOfAll),
  listSavedQueries: operatorOfAll,
  createBinaryDataSignedURL: annotator,
  // A machine creates its own with the key of its location; whose they are afterwards is the organization's affair, as at Viam.
  createSequence: changing(operator),
  getSequence: annotatorOfAll,
  updateSequence: changing(operatorOfAll),
  deleteSequence: changing(operatorOfAll),
  listSequences: annotatorOfAll,
  sequencesByDatasetID: annotatorOfAll,
  getSequenceBinaryData: annotatorOfAll,
};

const dataset: Record<keyof typeof DatasetService.method, Requirement> = {
  createDataset: changing(operator),
  // Members of a dataset may be in any location, so a key of one location must not change what all see.
  deleteDataset: changing(operatorOfAll),
  renameDataset: changing(operatorOfAll),
  listDatasetsByOrganizationID: annotator,
  listDatasetsByIDs: annotator,
  mergeDatasets: changing(operatorOfAll),
  startSequenceDatasetExport: operatorOfAll,
  getSequenceDatasetExport: operatorOfAll,
};

const dataPipelines: Record<keyof typeof DataPipelinesService.method, Requirement> = {
  getDataPipeline: operatorOfAll,
  listDataPipelines: operatorOfAll,
  createDataPipeline: changing(ownerOfAll),
  renameDataPipeline: changing(ownerOfAll),
  deleteDataPipeline: changing(ownerOfAll),
  enableDataPipeline: changing(ownerOfAll),
  disableDataPipeline: changing(ownerOfAll),
  listDataPipelineRuns: operatorOfAll,
};

const storage: Record<keyof typeof StorageService.method, Requirement> = { getUsage: annotator };

const query: Record<keyof typeof QueryService.method, Requirement> = { streamRows: operatorOfAll };

const replay: Record<keyof typeof ReplayService.method, Requirement> = {
  listRecordings: annotator,
  streamResults: annotator,
};

const audit: Record<keyof typeof AuditService.method, Requirement> = {
  // a key of one location or part may ask for the files of its own
  listChanges: reviewer,
  listActors: reviewerOfAll,
};

const session: Record<keyof typeof SessionService.method, Requirement> = {
  getSession: anyone,
  switchMembership: annotator,
  // Not `changing`, like those below that have no principal: their routes themselves change the store on behalf of the person of the session.
  answerInvitation: annotator,
  logOut: anyone,
  beginPasskeyLogIn: anyone,
  finishPasskeyLogIn: anyone,
  getInvitation: anyone,
  beginPasskeyRegistration: anyone,
  finishPasskeyRegistration: anyone,
};

const people: Record<keyof typeof PeopleService.method, Requirement> = {
  listMembers: annotator,
  inviteMember: changing(ownerOfAll),
  listInvitations: ownerOfAll,
  deleteInvitation: changing(ownerOfAll),
  changeMember: changing(ownerOfAll),
  removeMember: changing(ownerOfAll),
  endSessions: changing(ownerOfAll),
};

const labels: Record<keyof typeof LabelService.method, Requirement> = {
  assignImages: changing(reviewer),
  listTasks: annotator,
  getWork: annotator,
  setTaskState: changing(annotator),
  reassignTasks: changing(reviewer),
  deleteTasks: changing(reviewer),
  setTaskBoxes: changing(annotator),
  editBoxes: changing(annotator),
  addComment: changing(annotator),
  listComments: annotator,
  resolveComment: changing(annotator),
  getScheme: annotator,
  // images of a dataset may be in any location
  putScheme: changing(reviewerOfAll),
  deleteScheme: changing(reviewerOfAll),
  getAgreement: reviewer,
  announce: annotator,
};

const fleet: Record<keyof typeof FleetService.method, Requirement> = {
  listOrganizations: annotator,
  getOrganization: annotator,
  getOrganizationsWithAccessToLocation: annotator,
  listLocations: annotator,
  getLocation: annotator,
  listRobots: annotator,
  getRobot: annotator,
  getRobotParts: annotator,
  getRobotPart: annotator,
};

/** Operations that a machine calls by the key with which it uploads. */
const machine: Record<keyof typeof RobotService.method, Requirement> = { log: operator };

const requirements = new Map<string, Readonly<Record<string, Requirement>>>([
  [AuthService.typeName, auth],
  [DataSyncService.typeName, dataSync],
  [DataService.typeName, data],
  [DatasetService.typeName, dataset],
  [DataPipelinesService.typeName, dataPipelines],
  [StorageService.typeName, storage],
  [QueryService.typeName, query],
  [ReplayService.typeName, replay],
  [AuditService.typeName, audit],
  [LabelService.typeName, labels],
  [FleetService.typeName, fleet],
  [RobotService.typeName, machine],
  [SessionService.typeName, session],
  [PeopleService.typeName, people],
]);

/**
 * Finds out which role an operation requires.
 * @param method a method of the data service's protocol
 * @returns the requirement
 * @throws Error for a method outside the data service
 * @example
 * requirementOf({ parent: { typeName: 'a.Stranger' }, localName: 'call', name: 'Call' }); // throws: No access rule covers a.Stranger/Call.
 */
export function requirementOf(method: DescMethod): Requirement {
  const requirement = requirements.get(method.parent.typeName)?.[method.localName];
  if (requirement === undefined) throw new Error(`No access rule covers ${method.parent.typeName}/${method.name}.`);
  return requirement;
}
