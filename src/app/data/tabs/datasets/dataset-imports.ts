import type { DataContext } from '../../data-context.ts';
import type { DatasetFiles } from './dataset-files.ts';
import { DatasetImport } from './dataset-import.svelte.ts';

const imports = new WeakMap<DataContext, DatasetImport>();

/** The import of a data service: it goes on while another tab is open. */
export function importOf(context: DataContext, { engine }: DatasetFiles): DatasetImport {
  const known = imports.get(context);
  if (known) return known;
  const created = new DatasetImport(context, engine);
  imports.set(context, created);
  return created;
}
