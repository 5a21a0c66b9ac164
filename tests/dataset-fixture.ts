import { strToU8 } from 'fflate';
import { contentOf, readAll } from '../src/evidence/datasets/item/content.ts';
import type { DatasetEntry, DatasetItem, ListedFile } from '../src/evidence/datasets/item/dataset-item.ts';

/** The header of a PNG of this size, which is all that dataset code reads. `orientation`: EXIF orientation. */
export function pngHeader(widthPx: number, heightPx: number, orientation = 1): Uint8Array {
  const head = new Uint8Array(33);
  head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(head.buffer).setUint32(16, widthPx);
  new DataView(head.buffer).setUint32(20, heightPx);
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const exif = orientation === 1 ? [] : [0, 0, 0, tiff.length, 0x65, 0x58, 0x49, 0x66, ...tiff, 0, 0, 0, 0];
  return Uint8Array.from([...head, ...exif, 0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0]);
}

export function datasetItem(fields: Partial<DatasetItem> & Pick<DatasetItem, 'fileName'>): DatasetItem {
  return {
    contentId: `id of ${fields.fileName}`,
    content: contentOf(pngHeader(640, 480)),
    sizePx: { widthPx: 640, heightPx: 480 },
    boxes: [],
    classifications: [],
    tags: [],
    capturedAt: null,
    origin: {},
    split: null,
    ...fields,
  };
}

/** The files of a folder after these entries were written into it. */
export async function listEntries(entries: AsyncIterable<DatasetEntry>): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for await (const { path, content } of entries) listed.push(listedFile(path, await readAll(content, 1e9)));
  return listed;
}

export function listedFile(path: string, content: Uint8Array | string): ListedFile {
  const bytes = typeof content === 'string' ? strToU8(content) : content;
  return { path, sizeBytes: bytes.length, read: () => contentOf(bytes).read() };
}

/** A folder of files by path: text, bytes, or null for the PNG header of a 100×50 picture. */
export function folderOfFiles(files: Readonly<Record<string, string | Uint8Array | null>>): ListedFile[] {
  return Object.entries(files).map(([path, content]) => listedFile(path, content ?? pngHeader(100, 50)));
}

export async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function textOf(listed: readonly ListedFile[], path: string): Promise<string> {
  const file = listed.find((one) => one.path === path);
  if (!file) throw new Error(`no ${path} among ${listed.map((one) => one.path).join(', ')}`);
  return new TextDecoder().decode(await readAll(file, 1e9));
}
