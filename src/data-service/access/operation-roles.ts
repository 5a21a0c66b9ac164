import type { DescMethod } from '@bufbuild/protobuf';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { ReplayService } from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../gen/sightglass/storage/v1/storage_pb.ts';
import type { Role } from '../ports/access-store.ts';

/** What an operation requires of its caller. */
export interface Requirement {
  /** null: anyone may call it, without a token */
  readonly role: Role | null;
  /** a key of a single location is not enough */
  readonly wholeOrganization: boolean;
}

// Operators work with the data: they view, upload, annotate and build datasets. Only owners may delete data for
// good, change what the queries and pipelines of others depend on, and decide who has access.
const anyone: Requirement = { role: null, wholeOrganization: false };
const operator: Requirement = { role: 'operator', wholeOrganization: false };
const operatorOfAll: Requirement = { role: 'operator', wholeOrganization: true };
const owner: Requirement = { role: 'owner', wholeOrganization: false };
const ownerOfAll: Requirement = { role: 'owner', wholeOrganization: true };

// The key types are the services' own methods: a method without a requirement does not compile.
const auth: Record<keyof typeof AuthService.method, Requirement> = { authenticate: anyone };

const dataSync: Record<keyof typeof DataSyncService.method, Requirement> = {
  dataCaptureUpload: operator,
  fileUpload: operator,
  streamingDataCaptureUpload: operator,
};

const data: Record<keyof typeof DataService.method, Requirement> = {
  tabularDataByFilter: operator,
  tabularDataBySQL: operatorOfAll,
  tabularDataByMQL: operatorOfAll,
  exportTabularData: operator,
  getLatestTabularData: operator,
  binaryDataByFilter: operator,
  binaryDataByIDs: operator,
  deleteTabularData: owner,
  deleteBinaryDataByFilter: owner,
  deleteBinaryDataByIDs: owner,
  addTagsToBinaryDataByIDs: operator,
  addTagsToBinaryDataByFilter: operator,
  removeTagsFromBinaryDataByIDs: operator,
  removeTagsFromBinaryDataByFilter: operator,
  tagsByFilter: operator,
  addBoundingBoxToImageByID: operator,
  removeBoundingBoxFromImageByID: operator,
  boundingBoxLabelsByFilter: operator,
  updateBoundingBox: operator,
  getDatabaseConnection: operatorOfAll,
  configureDatabaseUser: ownerOfAll,
  addBinaryDataToDatasetByIDs: operator,
  removeBinaryDataFromDatasetByIDs: operator,
  addSequencesToDataset: operatorOfAll,
  removeSequencesFromDataset: operatorOfAll,
  createIndex: ownerOfAll,
  listIndexes: operatorOfAll,
  deleteIndex: ownerOfAll,
  createSavedQuery: ownerOfAll,
  updateSavedQuery: ownerOfAll,
  getSavedQuery: operatorOfAll,
  deleteSavedQuery: ownerOfAll,
  listSavedQueries: operatorOfAll,
  createBinaryDataSignedURL: operator,
  // A machine creates its own with the key of its location; whose they are afterwards is the organization's affair, as at Viam.
  createSequence: operator,
  getSequence: operatorOfAll,
  updateSequence: operatorOfAll,
  deleteSequence: operatorOfAll,
  listSequences: operatorOfAll,
  sequencesByDatasetID: operatorOfAll,
  getSequenceBinaryData: operatorOfAll,
};

const dataset: Record<keyof typeof DatasetService.method, Requirement> = {
  createDataset: operator,
  // Members of a dataset may be in any location, so a key of one location must not change what all see.
  deleteDataset: operatorOfAll,
  renameDataset: operatorOfAll,
  listDatasetsByOrganizationID: operator,
  listDatasetsByIDs: operator,
  mergeDatasets: operatorOfAll,
  startSequenceDatasetExport: operatorOfAll,
  getSequenceDatasetExport: operatorOfAll,
};

const dataPipelines: Record<keyof typeof DataPipelinesService.method, Requirement> = {
  getDataPipeline: operatorOfAll,
  listDataPipelines: operatorOfAll,
  createDataPipeline: ownerOfAll,
  renameDataPipeline: ownerOfAll,
  deleteDataPipeline: ownerOfAll,
  enableDataPipeline: ownerOfAll,
  disableDataPipeline: ownerOfAll,
  listDataPipelineRuns: operatorOfAll,
};

const storage: Record<keyof typeof StorageService.method, Requirement> = { getUsage: operator };

const replay: Record<keyof typeof ReplayService.method, Requirement> = {
  listRecordings: operator,
  streamResults: operator,
};

const requirements = new Map<string, Readonly<Record<string, Requirement>>>([
  [AuthService.typeName, auth],
  [DataSyncService.typeName, dataSync],
  [DataService.typeName, data],
  [DatasetService.typeName, dataset],
  [DataPipelinesService.typeName, dataPipelines],
  [StorageService.typeName, storage],
  [ReplayService.typeName, replay],
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
