import type { DatasetSource } from '../../../../../workers/datasets/client.ts';
import type { FormatFindings } from '../../../../datasets/import-dataset.ts';
import { isImagePath } from '../../../../datasets/files/inner-path.ts';
import type { NamedFile } from '../../../../ports/named-file.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { DatasetFiles } from '../../context/dataset-files.ts';
import { importOf } from './dataset-import.svelte.ts';
import { datasetRest } from './dataset-route.ts';

const annotationFile = /\.(jsonl?|ndjson|xml|ya?ml|names|data|csv|tsv|txt)$/i;
/** What lies beside annotations: of a video in MOT its size, of what is downloaded words about it. */
const besideAnnotations = /\.(ini|md)$/i;
/** These may hold readings as well as boxes. */
const tableFile = /\.(csv|tsv|jsonl|ndjson)$/i;
/** Of more tables none is looked at by itself: they are the files of a dataset that has one for each picture. */
const mostTables = 20;

type Ports = Parameters<typeof importOf>[0] & Pick<DataContext, 'place' | 'openDatasetFiles'>;

/**
 * Opens annotations, and the pictures that come along with them, in the import of datasets, for a look at what they would
 * bring. Pictures that come without annotations are no dataset, even in folders of their classes.
 *
 * @returns the files that are no part of a dataset: all of them where there is none
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
