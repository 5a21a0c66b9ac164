import type { DatasetItem, ListedFile } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, folderOf, isImagePath, segmentsOf } from '../../item/inner-path.ts';
import type { DatasetImporter } from '../importing.ts';
import { splitOfPath, splitOfWord } from '../../item/split-of-path.ts';

/** Reads a folder for each class, as torchvision and Keras do: a picture's classification is its folder's name. No boxes. */
export const classFoldersImporter: DatasetImporter = { detect, importItems };

/** Folder names that describe the files, such as "images", and are not class names. */
const plainNames = /^(images?|imgs?|pictures?|photos?|frames?|data|jpegimages|raw|default|labels)$/i;

/** The class of a picture; null if its folder is not that of a class. */
function classOf({ path }: ListedFile): string | null {
  const folder = segmentsOf(folderOf(path)).at(-1);
  return folder === undefined || plainNames.test(folder) || splitOfWord(folder) !== null ? null : folder;
}

async function detect(files: FileIndex) {
  const pictures = files.files.filter(({ path }) => isImagePath(path));
  const classes = new Set(pictures.map(classOf));
  const isWhole = pictures.length > 0 && !classes.has(null) && classes.size > 1;
  return isWhole
    ? { start: pictures[0]! }
    : { start: null, missing: 'the pictures do not lie in a folder for each class' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const pictures = files.files.filter(({ path }) => isImagePath(path));
  report.expectedImages = pictures.length;
  const labels = new Set(pictures.map(classOf).filter((label) => label !== null));
  for (const label of [...labels].sort()) report.addClass(label);
  for (const picture of pictures) {
    const label = classOf(picture);
    yield {
      contentId: picture.path,
      fileName: baseNameOf(picture.path),
      content: picture,
      sizePx: null,
      boxes: [],
      classifications: label === null ? [] : [{ label }],
      tags: [],
      capturedAt: null,
      origin: {},
      split: splitOfPath(folderOf(folderOf(picture.path))),
    };
  }
}
