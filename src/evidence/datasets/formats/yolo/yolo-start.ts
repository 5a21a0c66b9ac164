import { DatasetError } from '../../item/dataset-error.ts';
import type { ListedFile, Split } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf } from '../../item/inner-path.ts';
import { linesOf } from '../../files/read-lines.ts';
import { readText } from '../../files/read-text.ts';
import { splitOfWord } from '../../item/split-of-path.ts';
import { readDataYaml, type DataYaml } from './read-data-yaml.ts';

/** The file with the class names of a YOLO dataset, and its content. */
export interface YoloStart extends DataYaml {
  readonly file: ListedFile;
}

/**
 * Finds the class names of a YOLO dataset: `data.yaml` (Ultralytics), `obj.data` and `obj.names` (YOLO 1.1, Darknet), or
 * `classes.txt` (written by labelling tools). Returns a text on what is missing if there is none.
 */
export async function findYoloStart(files: FileIndex, report: DatasetReport): Promise<YoloStart | string> {
  const yamls = files.files.filter(({ path }) => ['.yaml', '.yml'].includes(extensionOf(path)));
  const rank = ({ path }: ListedFile) => (/^(data|dataset)\.ya?ml$/i.test(baseNameOf(path)) ? 0 : 1);
  let missing = 'there is no data.yaml, obj.names or classes.txt';
  for (const file of yamls.sort((a, b) => rank(a) - rank(b))) {
    const start = await readYamlStart(file, report);
    if (start) return start;
    missing = `${file.path} has no “names”`;
  }
  for (const name of ['obj.names', 'classes.txt']) {
    const file = files.files.find(({ path }) => baseNameOf(path).toLowerCase() === name);
    if (file) return readNamesStart(file, files, report);
  }
  return missing;
}

async function readYamlStart(file: ListedFile, report: DatasetReport): Promise<YoloStart | null> {
  try {
    const yaml = readDataYaml(await readText(file, report));
    return yaml && { ...yaml, file };
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]!.replace(/:$/, '');
    throw new DatasetError('unreadable-file', `${file.path} cannot be read: ${reason}`, { cause: error });
  }
}

/** Reads a file with one class per line. Darknet's `obj.data` beside it names the lists of `train` and `valid`. */
async function readNamesStart(file: ListedFile, files: FileIndex, report: DatasetReport): Promise<YoloStart> {
  const lines = linesOf(await readText(file, report)).map(({ text }) => (text ?? '').trim());
  const names = new Map(lines.flatMap((label, i) => (label === '' ? [] : [[i, label] as const])));
  const data = files.at(`${folderOf(file.path)}/obj.data`) ?? files.at('obj.data');
  const sources: { split: Split; path: string }[] = [];
  for (const { text } of data ? linesOf(await readText(data, report)) : []) {
    const [key, path] = (text ?? '').split('=').map((part) => part.trim());
    const split = splitOfWord(key);
    if (split && path) sources.push({ split, path });
  }
  return { file, names, root: '', sources, keyPointColumns: 0 };
}
