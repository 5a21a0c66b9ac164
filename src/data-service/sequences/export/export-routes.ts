import type { ServiceImpl } from '@connectrpc/connect';
import { base64url } from 'jose';
import { SequenceDatasetExportStatus, type DatasetService } from '../../../gen/app/dataset/v1/dataset_pb.ts';
import { installationSecret } from '../../access/installation-secret.ts';
import { principalOf } from '../../access/principal.ts';
import type { Principal } from '../../ports/principal.ts';
import { requireDataset, requireSequenceDataset } from '../../datasets/require-dataset.ts';
import type { DataServiceDependencies } from '../../ports/dependencies.ts';
import { pathOf } from '../../wire/download-address.ts';
import { signUrl } from '../../access/signed-url.ts';
import { fromCursor, toCursor } from '../../wire/cursor.ts';
import type { Position } from '../../ports/capture-filter.ts';
import { notFound, requireText } from '../../wire/invalid-argument.ts';
import { toTimestamp } from '../../wire/timestamps.ts';
import { exportsPath } from './export-download.ts';

type ExportRoutes = Pick<ServiceImpl<typeof DatasetService>, 'startSequenceDatasetExport' | 'getSequenceDatasetExport'>;

const urlSeconds = 60 * 60;

/**
 * Exports of datasets of sequences. An export is made while its zip is downloaded, and nothing of it is stored: so none remains
 * unfinished when a host stops, and a job is complete as soon as it is started. Its id contains the dataset's id, the time, and a
 * signature of both.
 */
export function exportRoutes(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'publicOrigin'>,
): ExportRoutes {
  const { store, clock, secrets } = dependencies;
  const signed = ({ organizationId }: Principal, job: string): string => `export of ${organizationId}: ${job}`;
  const jobKey = () => installationSecret(dependencies, 'signed-urls');

  /** The dataset of a job, by id, and when it was started. @throws ConnectError NotFound for an id that this service did not make */
  async function readJob(principal: Principal, jobId: string): Promise<Position> {
    const [job = '', signature = ''] = requireText(jobId, 'job_id').split('.');
    const isOwn = await secrets.verifySignature(await jobKey(), signed(principal, job), decoded(signature));
    const position = isOwn ? fromCursor(job) : null;
    if (position === null) throw notFound(`There is no export ${jobId.slice(0, 200)}.`);
    return position;
  }

  return {
    async startSequenceDatasetExport({ datasetId }, context) {
      const principal = principalOf(context);
      const dataset = await requireDataset(store, principal.organizationId, datasetId);
      requireSequenceDataset(dataset);
      const job = toCursor({ time: clock.now(), id: dataset.id });
      const signature = await secrets.sign(await jobKey(), signed(principal, job));
      return { jobId: `${job}.${base64url.encode(signature)}` };
    },
    async getSequenceDatasetExport({ jobId }, context) {
      const principal = principalOf(context);
      const { time, id } = await readJob(principal, jobId);
      const job = { jobId, createdAt: toTimestamp(time), completedAt: toTimestamp(time) };
      const [dataset] = await store.datasets.get(principal.organizationId, [id]);
      if (dataset === undefined) {
        const errorMessage = `Dataset ${id} was deleted after the export was started.`;
        return { ...job, status: SequenceDatasetExportStatus.FAILED, errorMessage };
      }
      const path = pathOf(exportsPath, `${principal.organizationId}/${id}`);
      const { url, expiresAt } = await signUrl(dependencies, context, path, urlSeconds);
      return { ...job, status: SequenceDatasetExportStatus.COMPLETED, downloadUrl: url, expiresAt };
    },
  };
}

function decoded(signature: string): Uint8Array {
  try {
    return base64url.decode(signature);
  } catch {
    return new Uint8Array();
  }
}
