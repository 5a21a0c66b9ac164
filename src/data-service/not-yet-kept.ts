import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../gen/app/data/v1/data_pb.ts';
import type { DatasetService } from '../gen/app/dataset/v1/dataset_pb.ts';

const refuse = (what: string) => async (): Promise<never> => {
  throw new ConnectError(`${what} are not kept by this service yet.`, Code.Unimplemented);
};

type SequenceRoutes = Pick<
  ServiceImpl<typeof DataService>,
  | 'addSequencesToDataset'
  | 'removeSequencesFromDataset'
  | 'createSequence'
  | 'getSequence'
  | 'updateSequence'
  | 'deleteSequence'
  | 'listSequences'
  | 'sequencesByDatasetID'
  | 'getSequenceBinaryData'
>;

const refuseSequence = refuse('Sequences');
const refuseExport = refuse('Parquet exports of datasets');

/** Operations that exist in the API and are answered with an explanation. */
export const sequenceRoutes: SequenceRoutes = {
  addSequencesToDataset: refuseSequence,
  removeSequencesFromDataset: refuseSequence,
  createSequence: refuseSequence,
  getSequence: refuseSequence,
  updateSequence: refuseSequence,
  deleteSequence: refuseSequence,
  listSequences: refuseSequence,
  sequencesByDatasetID: refuseSequence,
  getSequenceBinaryData: refuseSequence,
};

export const datasetExportRoutes: Pick<
  ServiceImpl<typeof DatasetService>,
  'startSequenceDatasetExport' | 'getSequenceDatasetExport'
> = { startSequenceDatasetExport: refuseExport, getSequenceDatasetExport: refuseExport };
