import type { ListedFile, Split } from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import { joinPath, type FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf, isImagePath, segmentsOf, splitExtension } from '../../item/inner-path.ts';
import { linesOf } from '../../files/read-lines.ts';
import { readText } from '../../files/read-text.ts';
import { claimPicture, Claims } from '../importing.ts';
import { splitOfPath } from '../../item/split-of-path.ts';
import type { YoloStart } from './yolo-start.ts';

/** A picture of a YOLO dataset with its label file. Without one it has no boxes. */
export interface YoloPicture {
  readonly image: ListedFile;
  readonly labels: ListedFile | null;
  readonly split: Split | null;
}

/**
 * The pictures of `train`, `val` and `test`, and those with a label file. If `data.yaml` names no split, all pictures are
 * included, because pictures without labels are trained as background.
 */
export async function listYoloPictures(
  files: FileIndex,
  start: YoloStart,
  report: DatasetReport,
): Promise<YoloPicture[]> {
  if (files.stored) return storedPictures(files, start, report);
  const splits = await splitsByImage(files, start, report);
  const images = files.files.filter(({ path }) => isImagePath(path));
  return images.flatMap((image) => {
    const labels = labelFileOf(image, files);
    const split = splits.get(image) ?? null;
    if (split === null && labels === null && splits.size > 0) return [];
    return [{ image, labels, split: split ?? splitOfPath(folderOf(image.path)) }];
  });
}

/** Matches each label file with a stored image. */
function storedPictures(files: FileIndex, start: YoloStart, report: DatasetReport): YoloPicture[] {
  const claims = new Claims();
  return files.files
    .filter((file) => isLabelFile(file, start))
    .flatMap((labels) => {
      const [stem] = splitExtension(baseNameOf(labels.path));
      const image = claimPicture(stem, '', { files, claims, report }, { file: labels.path, line: null });
      return image ? [{ image, labels, split: splitOfPath(folderOf(labels.path)) }] : [];
    });
}

/** Whether a .txt file contains labels: others beside them are lists of classes or pictures, or readme files of tools. */
function isLabelFile(file: ListedFile, start: YoloStart): boolean {
  const isOther = /^(classes|train|val|valid|test|readme(\..*)?|_darknet|obj|labels)\.txt$/i.test(
    baseNameOf(file.path),
  );
  return file !== start.file && extensionOf(file.path) === '.txt' && !isOther;
}

/** The label file of a picture: as in Ultralytics, the last `images/` in its path is replaced by `labels/`; otherwise beside the picture. */
function labelFileOf(image: ListedFile, files: FileIndex): ListedFile | null {
  const segments = segmentsOf(folderOf(image.path));
  const name = `${splitExtension(baseNameOf(image.path))[0]}.txt`;
  const at = segments.findLastIndex((segment) => segment.toLowerCase() === 'images');
  const mirrored = at < 0 ? null : files.at([...segments.with(at, 'labels'), name].join('/'));
  return mirrored ?? files.at([...segments, name].join('/'));
}

async function splitsByImage(
  files: FileIndex,
  { file, root, sources }: YoloStart,
  report: DatasetReport,
): Promise<Map<ListedFile, Split>> {
  const folders = new Folders(files);
  const splits = new Map<ListedFile, Split>();
  const add = (image: ListedFile, split: Split) => splits.has(image) || splits.set(image, split);
  // `data.yaml` often uses one folder for two splits, if one is missing. Handle the split that the folder's name says first.
  const agrees = ({ split, path }: (typeof sources)[number]) => splitOfPath(path) === split;
  for (const { split, path } of [...sources].sort((a, b) => Number(agrees(b)) - Number(agrees(a)))) {
    if (extensionOf(path) === '.txt') {
      const list = files.find(path, folderOf(file.path));
      if (list.file) await addListed(list.file, split);
      else report.error(file.path, null, `${split}: ${list.message}`);
      continue;
    }
    const folder = folders.find([...segmentsOf(root), ...segmentsOf(path)], folderOf(file.path));
    if (folder === null) report.error(file.path, null, `${split}: there is no folder ${shown(path)}.`);
    else for (const image of folders.imagesUnder(folder)) add(image, split);
  }
  return splits;

  async function addListed(list: ListedFile, split: Split): Promise<void> {
    for (const { number, text } of linesOf(await readText(list, report))) {
      const reference = (text ?? '').trim();
      if (reference === '') continue;
      const found = files.find(reference, folderOf(list.path));
      if (found.file) add(found.file, split);
      else report.error(list.path, number, found.message);
    }
  }
}

/** The folders that contain pictures. */
class Folders {
  readonly #images: readonly ListedFile[];
  readonly #paths = new Set<string>(['']);

  constructor(files: FileIndex) {
    this.#images = files.files.filter(({ path }) => isImagePath(path));
    for (const { path } of this.#images) {
      for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) this.#paths.add(folder);
    }
  }

  /** Finds a folder by a path relative to `from`, dropping leading segments that exist only on the training machine. */
  find(segments: readonly string[], from: string): string | null {
    for (let dropped = 0; dropped < segments.length; dropped++) {
      for (const start of [from, '']) {
        const path = joinPath(start, segments.slice(dropped));
        if (path !== null && path !== '' && this.#paths.has(path)) return path;
      }
    }
    return segments.length === 0 ? from : null;
  }

  imagesUnder(folder: string): ListedFile[] {
    return this.#images.filter(({ path }) => folder === '' || path.startsWith(`${folder}/`));
  }
}
