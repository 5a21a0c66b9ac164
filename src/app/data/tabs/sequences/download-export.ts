import { SequenceDatasetExportStatus } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import { saveFile } from '../../../kit/layout/save-file.ts';
import type { DataContext } from '../../context/data-context.ts';

/** Saves the Parquet files of a dataset of sequences, as one zip. @throws ConnectError, or an Error in words for the user */
export async function downloadExport(
  context: Pick<DataContext, 'datasets' | 'linkTrouble'>,
  datasetId: string,
  name: string,
  save = saveFile,
): Promise<void> {
  const trouble = await context.linkTrouble();
  if (trouble !== null) throw new Error(`An export is read by its address, and addresses do not work here. ${trouble}`);
  const { jobId } = await context.datasets.startSequenceDatasetExport({ datasetId });
  const job = await context.datasets.getSequenceDatasetExport({ jobId });
  if (job.status !== SequenceDatasetExportStatus.COMPLETED) throw new Error(job.errorMessage);
  const answer = await fetch(job.downloadUrl);
  if (!answer.ok) throw new Error(`The address of the export answered with ${answer.status}.`);
  save(`${name.replaceAll(/[\\/]/g, '_')}.zip`, await answer.blob());
}
