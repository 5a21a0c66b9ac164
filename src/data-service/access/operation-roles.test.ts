import { expect, it } from 'vitest';
import { dataServices } from '../../../tests/data-services.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { requirementOf } from './operation-roles.ts';

// Who may call what, once more and in words: a role that is loosened must be loosened here too, where a reader sees it.
const roles = {
  anyone: `
    Authenticate GetSession LogOut GetInvitation
    BeginPasskeyLogIn FinishPasskeyLogIn BeginPasskeyRegistration FinishPasskeyRegistration`,
  'an annotator': `
    TabularDataByFilter ExportTabularData GetLatestTabularData
    BinaryDataByFilter BinaryDataByIDs TagsByFilter BoundingBoxLabelsByFilter CreateBinaryDataSignedURL
    AddTagsToBinaryDataByIDs RemoveTagsFromBinaryDataByIDs
    AddBoundingBoxToImageByID RemoveBoundingBoxFromImageByID UpdateBoundingBox
    ListOrganizations GetOrganization GetOrganizationsWithAccessToLocation
    ListLocations GetLocation ListRobots GetRobot GetRobotParts GetRobotPart
    ListTasks GetWork SetTaskState SetTaskBoxes EditBoxes AddComment ListComments ResolveComment GetScheme Announce
    ListDatasetsByOrganizationID ListDatasetsByIDs GetUsage ListRecordings StreamResults
    ListMembers SwitchMembership AnswerInvitation`,
  'an annotator of the whole organization': `GetSequence ListSequences SequencesByDatasetID GetSequenceBinaryData`,
  'a reviewer': `AddTagsToBinaryDataByFilter RemoveTagsFromBinaryDataByFilter ListChanges
    AssignImages ReassignTasks DeleteTasks GetAgreement`,
  'a reviewer of the whole organization': `ListActors PutScheme DeleteScheme`,
  'an operator': `
    DataCaptureUpload FileUpload StreamingDataCaptureUpload
    CreateDataset AddBinaryDataToDatasetByIDs RemoveBinaryDataFromDatasetByIDs CreateSequence Log`,
  'an operator of the whole organization': `
    TabularDataBySQL TabularDataByMQL StreamRows GetSavedQuery ListSavedQueries ListIndexes GetDatabaseConnection
    DeleteDataset RenameDataset MergeDatasets
    UpdateSequence DeleteSequence AddSequencesToDataset RemoveSequencesFromDataset
    StartSequenceDatasetExport GetSequenceDatasetExport
    GetDataPipeline ListDataPipelines ListDataPipelineRuns`,
  'an owner': `DeleteTabularData DeleteBinaryDataByFilter DeleteBinaryDataByIDs`,
  'an owner of the whole organization': `
    CreateSavedQuery UpdateSavedQuery DeleteSavedQuery CreateIndex DeleteIndex ConfigureDatabaseUser
    CreateDataPipeline RenameDataPipeline DeleteDataPipeline EnableDataPipeline DisableDataPipeline
    InviteMember ListInvitations DeleteInvitation ChangeMember RemoveMember EndSessions`,
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
    const whom = role === null ? 'anyone' : `${role === 'reviewer' ? 'a' : 'an'} ${role}`;
    return (wholeOrganization ? `${whom} of the whole organization` : whom) === who;
  });
  expect(allowed.map(({ name }) => name).sort()).toEqual(names.trim().split(/\s+/).sort());
});
