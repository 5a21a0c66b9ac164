import type { DataStore } from '../ports/data-store.ts';
import type { Dataset } from '../ports/dataset-store.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';

/** The dataset that a call names. @throws ConnectError InvalidArgument for an empty id, NotFound */
export async function requireDataset(
  { datasets }: Pick<DataStore, 'datasets'>,
  organizationId: string,
  datasetId: string,
): Promise<Dataset> {
  const [dataset] = await datasets.get(organizationId, [requireText(datasetId, 'dataset_id')]);
  if (dataset === undefined) throw notFound(`There is no dataset ${datasetId}.`);
  return dataset;
}

/** @throws ConnectError InvalidArgument for a dataset of sequences, which holds no files */
export function requireBinaryDataset({ id, type }: Dataset): void {
  if (type !== 'binary') throw invalidArgument(`Dataset ${id} is one of sequences; give a dataset of binary data.`);
}

/** @throws ConnectError InvalidArgument for a dataset of files, which holds no sequences */
export function requireSequenceDataset({ id, type }: Dataset): void {
  if (type !== 'sequence') throw invalidArgument(`Dataset ${id} is one of binary data; give a dataset of sequences.`);
}
