import type { DatasetSource } from '../../../../../../workers/datasets/client.ts';
import type { FormatFindings } from '../../../../../evidence/datasets/face/formats.ts';
import { isImagePath } from '../../../../../evidence/datasets/face/items.ts';
import type { NamedFile } from '../../../../../platform/ports/named-file.ts';
import type { DataContext } from '../../../context/data-context.ts';
import type { DatasetFiles } from '../../../context/dataset-files.ts';
import { importOf } from './dataset-import.svelte.ts';
import { datasetRest } from '../shared/dataset-route.ts';

const annotationFile = /\.(jsonl?|ndjson|xml|ya?ml|names|data|csv|tsv|txt)$/i;
/** Files that may lie beside annotations: the size of a MOT video, descriptions of downloads. */
const besideAnnotations = /\.(ini|md)$/i;
/** Tables may hold readings as well as boxes. */
const tableFile = /\.(csv|tsv|jsonl|ndjson)$/i;
/** More tables than this are not examined one by one: they are a dataset with a table for each picture. */
const mostTables = 20;

type Ports = Parameters<typeof importOf>[0] & Pick<DataContext, 'place' | 'openDatasetFiles'>;

/**
 * Opens annotations, with the pictures that come with them, in the dataset import, for a preview. Pictures without
 * annotations are not a dataset, even in folders named by class.
 * @returns the files that do not belong to a dataset; all of them if there is none
 */
export async function takeAnnotations(context: Ports, files: readonly NamedFile[]): Promise<readonly NamedFile[]> {
  const [first] = files;
  const isZip = files.length === 1 && /\.zip$/i.test(first!.path) && context.place.tab !== 'files';
  const members = isZip ? files : files.filter(({ path }) => isOfDatasets(path));
  if (!isZip && !members.some(({ path }) => annotationFile.test(path))) return files;

  const datasetFiles = await context.openDatasetFiles();
  const { engine } = datasetFiles;
  const isDataset = async (some: readonly NamedFile[]): Promise<boolean> =>
    hasAnnotations(
      await findingsIn(engine, isZip ? { kind: 'zip', zip: first!.file } : { kind: 'files', files: some }),
    );
  if (!(await isDataset(members))) return files;

  const tables = members.filter(({ path }) => tableFile.test(path));
  const readings: NamedFile[] = [];
  if (members.length > 1 && tables.length <= mostTables)
    for (const table of tables) if (!(await isDataset([table]))) readings.push(table);
  const taken = new Set(members.filter((file) => !readings.includes(file)));
  void importOf(context, datasetFiles).openFiles([...taken]);
  context.place.go('datasets', datasetRest({ kind: 'import', into: '' }));
  return files.filter((file) => !taken.has(file));
}

const isOfDatasets = (path: string): boolean =>
  isImagePath(path) || annotationFile.test(path) || besideAnnotations.test(path);

const hasAnnotations = ({ found, lacksClassNames }: FormatFindings): boolean =>
  lacksClassNames || found.some(({ format }) => format !== 'class-folders');

async function findingsIn(engine: DatasetFiles['engine'], source: DatasetSource): Promise<FormatFindings> {
  const { number, findings } = await engine.open(source);
  await engine.close(number);
  return findings;
}
