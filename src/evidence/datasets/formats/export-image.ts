import type { DatasetItem, SizePx } from '../item/dataset-item.ts';
import type { DatasetReport } from '../item/dataset-report.ts';
import { extensionOf, isImagePath } from '../item/inner-path.ts';
import type { UniqueNames } from '../files/unique-names.ts';
import { readImageSize } from '../image-size/read-image-size.ts';

const extensionsOf = { jpeg: '.jpg', png: '.png', webp: '.webp' } as const;

/** A safe unique file name for a picture, with an extension that training tools accept. */
export async function nameImage(item: DatasetItem, names: UniqueNames): Promise<string> {
  const extension = await extensionOfImage(item);
  // If the name does not end with an image extension, a part after a dot belongs to the stem: add a dot to say so.
  const fileName = isImagePath(item.fileName) ? item.fileName : `${item.fileName}.`;
  return names.take(fileName, extension, item.contentId);
}

/** The extension with its dot: the file's own if it is one of images, otherwise the one for the type of its bytes. */
export async function extensionOfImage({ fileName, content }: DatasetItem): Promise<string> {
  if (isImagePath(fileName)) return extensionOf(fileName);
  const header = await readImageSize(content);
  return header ? extensionsOf[header.kind] : '.jpg';
}

/** The size of the upright picture, for formats with pixel coordinates. Reports an error if the size cannot be found. */
export async function sizeOf(item: DatasetItem, report: DatasetReport): Promise<SizePx | null> {
  const sizePx = item.sizePx ?? (await readImageSize(item.content))?.sizePx ?? null;
  if (sizePx !== null && sizePx.widthPx > 0 && sizePx.heightPx > 0) return sizePx;
  report.error(item.fileName, null, 'Its size in pixels is unknown, and it is not a JPEG, PNG or WebP; left out.');
  return null;
}
