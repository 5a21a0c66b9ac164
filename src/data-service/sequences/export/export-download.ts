import type { DataStore } from '../../ports/data-store.ts';
import type { Dataset } from '../../ports/dataset-store.ts';
import { exportZip } from './export-zip.ts';

/** Exports are served below this path, to everybody who has a signed URL: `/data/exports/<organization id>/<dataset id>`. */
export const exportsPath = '/data/exports/';

/** The dataset of an export, by the id in its path, `<organization id>/<dataset id>`; null: it was deleted. */
export async function exportedDataset({ datasets }: Pick<DataStore, 'datasets'>, id: string): Promise<Dataset | null> {
  const [organizationId = '', datasetId = ''] = id.split('/');
  const [dataset] = await datasets.get(organizationId, [datasetId]);
  return dataset ?? null;
}

/** Answers GET with the zip of a dataset, and HEAD with its headers alone. */
export const exportResponse = (
  store: DataStore,
  { organizationId, id }: Dataset,
  method: string,
  signal: AbortSignal,
) => ({
  status: 200,
  header: new Headers({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${encodeURIComponent(id)}.zip"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  }),
  body: method === 'HEAD' ? null : exportZip(store, { organizationId, datasetId: id }, signal),
});
