import { expect, it } from 'vitest';
import { dataServices } from '../../../tests/data-services.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { requirementOf } from './operation-roles.ts';

// Who may call what, once more and in words: a role that is loosened must be loosened here too, where a reader sees it.
const roles = {
  anyone: 'Authenticate',
  'an operator': `
    DataCaptureUpload FileUpload StreamingDataCaptureUpload
    TabularDataByFilter ExportTabularData GetLatestTabularData
    BinaryDataByFilter BinaryDataByIDs TagsByFilter BoundingBoxLabelsByFilter CreateBinaryDataSignedURL
    AddTagsToBinaryDataByIDs AddTagsToBinaryDataByFilter RemoveTagsFromBinaryDataByIDs RemoveTagsFromBinaryDataByFilter
    AddBoundingBoxToImageByID RemoveBoundingBoxFromImageByID UpdateBoundingBox
    CreateDataset AddBinaryDataToDatasetByIDs RemoveBinaryDataFromDatasetByIDs
    ListDatasetsByOrganizationID ListDatasetsByIDs
    ListOrganizations GetOrganization GetOrganizationsWithAccessToLocation
    ListLocations GetLocation ListRobots GetRobot GetRobotParts GetRobotPart
    CreateSequence GetUsage ListRecordings StreamResults ListChanges
    AssignImages ListTasks GetWork SetTaskState ReassignTasks DeleteTasks SetTaskBoxes EditBoxes
    AddComment ListComments ResolveComment GetScheme GetAgreement Announce`,
  'an operator of the whole organization': `
    ListActors PutScheme DeleteScheme
    TabularDataBySQL TabularDataByMQL StreamRows GetSavedQuery ListSavedQueries ListIndexes GetDatabaseConnection
    DeleteDataset RenameDataset MergeDatasets
    UpdateSequence DeleteSequence AddSequencesToDataset RemoveSequencesFromDataset
    GetSequence ListSequences SequencesByDatasetID GetSequenceBinaryData
    StartSequenceDatasetExport GetSequenceDatasetExport
    GetDataPipeline ListDataPipelines ListDataPipelineRuns`,
  'an owner': `DeleteTabularData DeleteBinaryDataByFilter DeleteBinaryDataByIDs`,
  'an owner of the whole organization': `
    CreateSavedQuery UpdateSavedQuery DeleteSavedQuery CreateIndex DeleteIndex ConfigureDatabaseUser
    CreateDataPipeline RenameDataPipeline DeleteDataPipeline EnableDataPipeline DisableDataPipeline`,
} as const;

const methods = dataServices.flatMap((service) => Object.values(service.method));

it.each([
  ['another service', { ...DataService.method.tagsByFilter, parent: AuthService }],
  ['no service', { ...DataService.method.tagsByFilter, localName: 'guess' }],
])('has no rule for an operation of %s', (_, method) => {
  expect(() => requirementOf(method)).toThrow(/^No access rule covers \S+\/TagsByFilter\.$/);
});

it.each(Object.entries(roles))('takes %s to call', (who, names) => {
  const allowed = methods.filter((method) => {
    const { role, wholeOrganization } = requirementOf(method);
    const whom = role === null ? 'anyone' : `an ${role}`;
    return (wholeOrganization ? `${whom} of the whole organization` : whom) === who;
  });
  expect(allowed.map(({ name }) => name).sort()).toEqual(names.trim().split(/\s+/).sort());
});
