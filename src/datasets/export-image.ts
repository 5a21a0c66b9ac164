import type { DatasetItem, SizePx } from './dataset-item.ts';
import type { DatasetReport } from './dataset-report.ts';
import { extensionOf, isImagePath } from './files/inner-path.ts';
import type { UniqueNames } from './files/unique-names.ts';
import { readImageSize } from './image-size/read-image-size.ts';

const extensionsOf = { jpeg: '.jpg', png: '.png', webp: '.webp' } as const;

/** A safe unique name for a picture, with an extension that trainers know: the file's own, else that of its bytes. */
export async function nameImage(item: DatasetItem, names: UniqueNames): Promise<string> {
  let extension = extensionOf(item.fileName);
  let fileName = item.fileName;
  if (!isImagePath(fileName)) {
    const header = await readImageSize(item.content);
    extension = header ? extensionsOf[header.kind] : '.jpg';
    fileName += '.'; // what follows a dot in such a name is no extension: all of it is the stem
  }
  return names.take(fileName, extension, item.contentId);
}

/** The size of the upright picture, for formats that count in pixels; reports a picture of which nothing tells it. */
export async function sizeOf(item: DatasetItem, report: DatasetReport): Promise<SizePx | null> {
  const sizePx = item.sizePx ?? (await readImageSize(item.content))?.sizePx ?? null;
  if (sizePx !== null && sizePx.widthPx > 0 && sizePx.heightPx > 0) return sizePx;
  report.error(item.fileName, null, 'Its size in pixels is unknown, and it is no JPEG, PNG or WebP; left out.');
  return null;
}
