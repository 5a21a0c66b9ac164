import type { DataContext } from '../../data-context.ts';
import { DatasetExport } from './dataset-export.svelte.ts';
import type { DatasetFiles } from './dataset-files.ts';

const exports = new WeakMap<DataContext, Map<string, DatasetExport>>();

/** The export of a dataset: it goes on while another tab is open. */
export function exportOf(context: DataContext, { engine }: DatasetFiles, datasetId: string): DatasetExport {
  const ofContext = exports.get(context) ?? new Map<string, DatasetExport>();
  exports.set(context, ofContext);
  const known = ofContext.get(datasetId);
  if (known) return known;
  const created = new DatasetExport(context, engine);
  ofContext.set(datasetId, created);
  return created;
}
