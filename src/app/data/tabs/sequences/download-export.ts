import { SequenceDatasetExportStatus } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { byAddress, saveContent } from '../../shared/stored/download-stored.ts';

/** Saves the Parquet files of a dataset of sequences, as one zip. @throws ConnectError, or an Error in words for the user */
export async function downloadExport(
  context: Pick<DataContext, 'datasets' | 'linkTrouble'>,
  datasetId: string,
  name: string,
): Promise<void> {
  const zip = await byAddress(context, 'An export', async () => {
    const { jobId } = await context.datasets.startSequenceDatasetExport({ datasetId });
    const { status, errorMessage, downloadUrl } = await context.datasets.getSequenceDatasetExport({ jobId });
    if (status !== SequenceDatasetExportStatus.COMPLETED) throw new Error(errorMessage);
    return downloadUrl;
  });
  saveContent(`${name}.zip`, zip);
}
