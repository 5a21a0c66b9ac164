import type { NamedFile } from '../../../../ports/named-file.ts';
import type { DataContext } from '../../data-context.ts';
import { importOf } from './dataset-import.svelte.ts';
import { datasetRest } from './dataset-route.ts';

const annotationFile = /\.(jsonl?|ndjson|xml|ya?ml|names|data|csv|tsv|txt)$/i;

/** Opens files as a dataset's annotations, for a look at what they would change; false where they are none. */
export async function takeAnnotations(context: DataContext, files: readonly NamedFile[]): Promise<boolean> {
  if (files.length === 0 || !files.every(({ path }) => annotationFile.test(path))) return false;
  const datasetFiles = await context.openDatasetFiles();
  const { number, findings } = await datasetFiles.engine.open({ kind: 'files', files });
  await datasetFiles.engine.close(number);
  if (findings.found.length === 0 && !findings.lacksClassNames) return false;
  void importOf(context, datasetFiles).openFiles(files);
  context.place.go('datasets', datasetRest({ kind: 'import', into: '' }));
  return true;
}
