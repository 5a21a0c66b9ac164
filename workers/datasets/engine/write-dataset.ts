import {
  contentOf,
  type DatasetBox,
  type DatasetItem,
  DatasetReport,
} from '../../../src/evidence/datasets/face/items.ts';
import { exportDataset } from '../../../src/evidence/datasets/face/formats.ts';
import { readImageHeader, uprightBox } from '../../../src/evidence/datasets/face/image-size.ts';
import type { ExportPicture, ExportRequest, WrittenDataset } from '../protocol.ts';
import { writeFolder } from '../../../src/platform/browser/files/dataset-folder.ts';
import { zipEntries, zipToBlob } from '../../../src/platform/browser/files/dataset-zip.ts';

/**
 * Writes a dataset while its pictures arrive. Only the pictures of one answer of `next` are in memory.
 * @param next returns some more pictures; an empty list: there are no more
 */
export async function writeDataset(
  { format, target, ...options }: ExportRequest,
  next: () => Promise<readonly ExportPicture[]>,
  signal: AbortSignal,
): Promise<WrittenDataset> {
  const report = new DatasetReport();
  const turned = { count: 0 };
  const entries = exportDataset(format, itemsOf(next, turned, signal), { ...options, report });
  let zip: Blob | null = null;
  switch (target.kind) {
    case 'folder':
      await writeFolder(target.folder, entries, { signal });
      break;
    case 'zip-file':
      await writeFile(target.file, zipEntries(entries, signal), signal);
      break;
    case 'zip-blob':
      zip = await zipToBlob(entries, signal);
      break;
  }
  const { imageCount, boxCount, problems } = report;
  return { zip, imageCount, boxCount, turnedCount: turned.count, problems };
}

async function* itemsOf(
  next: () => Promise<readonly ExportPicture[]>,
  turned: { count: number },
  signal: AbortSignal,
): AsyncGenerator<DatasetItem> {
  for (let pictures = await next(); pictures.length > 0; pictures = await next()) {
    for (const { bytes, ...picture } of pictures) {
      signal.throwIfAborted();
      const header = readImageHeader(bytes);
      if (header && header.orientation !== 1) turned.count += 1;
      const upright = (box: DatasetBox): DatasetBox => (header ? uprightBox(box, header.orientation) : box);
      const { boxes, crowds } = picture;
      const shapes = { boxes: boxes.map(upright), ...(crowds && { crowds: crowds.map(upright) }) };
      yield { ...picture, ...shapes, content: contentOf(bytes), sizePx: header?.sizePx ?? null };
    }
  }
}

/**
 * The old content of the file stays until the new one is complete. On failure, a file that the picker has just
 * created is removed again.
 */
async function writeFile(
  file: FileSystemFileHandle,
  zip: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const writable = await file.createWritable();
    await zip.pipeTo(writable as WritableStream<Uint8Array>, { signal });
  } catch (error) {
    // Chromium only: a file handle that can remove its file.
    const { remove } = file as FileSystemFileHandle & { remove?: () => Promise<void> };
    if (remove && (await file.getFile()).size === 0) await remove.call(file).catch(() => undefined);
    throw error;
  }
}
