import {
  contentOf,
  DatasetError,
  type DatasetItem,
  DatasetReport,
  extensionOf,
  isImagePath,
  type ListedFile,
  readAll,
  shown,
  type Split,
} from '../../../src/evidence/datasets/face/items.ts';
import { detectFormats, importDataset, type ImportFormat } from '../../../src/evidence/datasets/face/formats.ts';
import { readImageHeader } from '../../../src/evidence/datasets/face/image-size.ts';
import { StoredFile, type StoredIndex, type StoredName } from '../../../src/evidence/datasets/face/files.ts';
import type { DatasetPreview, DatasetSource, ImportItem, ImportPicture, OpenedDataset } from '../protocol.ts';
import { listFiles, listFolder } from '../../../src/platform/browser/files/dataset-folder.ts';
import { listZip } from '../../../src/platform/browser/files/list-zip.ts';
import { sha256 } from '../../../src/platform/browser/bytes/sha256.ts';
import { indexStored } from './index-stored.ts';

interface Opened {
  readonly listed: readonly ListedFile[];
  /** the stored images to which annotations without pictures are joined */
  stored: readonly StoredFile[] | null;
  items: readonly DatasetItem[];
}

/** Larger files are not read as pictures: one picture at a time is held in memory. */
const mostPictureBytes = 512 * 1024 * 1024;
const progressEveryMs = 100;

/** Datasets that are being imported, by number: their file lists, and their pictures without the bytes. */
export class DatasetReader {
  readonly #opened = new Map<number, Opened>();
  #lastNumber = 0;

  /**
   * @param classNames the class names for YOLO labels that have none, in class order
   * @throws DatasetError for a zip that cannot be read
   */
  async open(source: DatasetSource, classNames: readonly string[] = []): Promise<OpenedDataset> {
    const given = await list(source);
    const listed = classNames.length > 0 ? [...given, namesFile(classNames)] : given;
    const findings = await detectFormats(listed);
    if (findings.found.length === 0) refuseZipsWithin(listed);
    const number = ++this.#lastNumber;
    this.#opened.set(number, { listed, stored: null, items: [] });
    const pictureCount = listed.filter(({ path }) => isImagePath(path)).length;
    return { number, fileCount: listed.length, pictureCount, findings };
  }

  /**
   * Joins annotations to stored images for all later calls of `read`.
   * @param readBytes reads the bytes of a stored image; it is called for as long as the dataset is open
   */
  async join(
    number: number,
    stored: readonly StoredName[],
    readBytes: (id: string) => Promise<Uint8Array>,
  ): Promise<void> {
    this.#get(number).stored = stored.map((name) => new StoredFile(name, readBytes));
  }

  /**
   * Reads the boxes and names of all pictures.
   * @throws DatasetError if nothing would be imported
   */
  async read(
    number: number,
    format: ImportFormat,
    onProgress: (imageCount: number) => void,
    signal: AbortSignal,
  ): Promise<DatasetPreview> {
    const opened = this.#get(number);
    const report = new DatasetReport();
    const stored = opened.stored && (await indexStored(opened.stored, opened.listed, signal));
    const items: DatasetItem[] = [];
    let toldMs = performance.now();
    for await (const item of importDataset(opened.listed, { format, report, stored })) {
      signal.throwIfAborted();
      items.push(item);
      if (performance.now() - toldMs < progressEveryMs) continue;
      toldMs = performance.now();
      onProgress(items.length);
    }
    opened.items = items;
    return preview(format, items, report, stored);
  }

  async items(number: number, start: number, end: number): Promise<readonly ImportItem[]> {
    return this.#get(number)
      .items.slice(start, end)
      .map(({ content, ...item }) => ({ ...item, storedId: content instanceof StoredFile ? content.id : null }));
  }

  async picture(number: number, index: number): Promise<ImportPicture> {
    const item = this.#get(number).items[index]!;
    const bytes = new Uint8Array(await readAll(item.content, mostPictureBytes));
    const header = readImageHeader(bytes);
    const mimeType = header ? `image/${header.kind}` : mimeTypes[extensionOf(item.fileName)];
    if (mimeType === undefined) {
      const start = shown(String.fromCharCode(...bytes.subarray(0, 24)));
      throw new DatasetError(
        'unreadable-image',
        `The file is not a JPEG, PNG or WebP: its ${bytes.length.toLocaleString('en')} bytes start with ${start}.`,
      );
    }
    return { bytes, sha256: await sha256(bytes), mimeType, orientation: header?.orientation ?? 1 };
  }

  async close(number: number): Promise<void> {
    this.#opened.delete(number);
  }

  #get(number: number): Opened {
    const opened = this.#opened.get(number);
    if (!opened) throw new DatasetError('unreadable-file', 'The dataset is no longer open. Choose it again.');
    return opened;
  }
}

/** A file of class names as labelling tools write it, one class a line. */
function namesFile(classNames: readonly string[]): ListedFile {
  const bytes = new TextEncoder().encode(classNames.join('\n'));
  return { ...contentOf(bytes), path: 'classes.txt', sizeBytes: bytes.length };
}

/** Media types of pictures whose headers are not parsed here. */
const mimeTypes: Readonly<Record<string, string>> = {
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.avif': 'image/avif',
};

/** @throws DatasetError 'unknown-format' if the chosen files contain zips, one of which may hold the dataset */
function refuseZipsWithin(listed: readonly ListedFile[]): void {
  const zips = listed.filter(({ path }) => extensionOf(path) === '.zip').map(({ path }) => path);
  if (zips.length === 0) return;
  const names = zips.length > 3 ? `${zips.slice(0, 3).join(', ')} and ${zips.length - 3} more` : zips.join(', ');
  throw new DatasetError(
    'unknown-format',
    `There is no dataset beside the zips in it: ${names}. Unpack them into one folder, and import that.`,
  );
}

function list(source: DatasetSource): Promise<readonly ListedFile[]> {
  switch (source.kind) {
    case 'zip':
      return listZip(source.zip);
    case 'files':
      return Promise.resolve(listFiles(source.files));
    case 'folder':
      return listFolder(source.folder);
  }
}

function preview(
  format: ImportFormat,
  items: readonly DatasetItem[],
  report: DatasetReport,
  stored: StoredIndex | null,
): DatasetPreview {
  const labels = new Map<string, number>();
  const tags = new Set<string>();
  const splits: Record<Split, number> = { train: 0, val: 0, test: 0 };
  let [emptyCount, classificationCount] = [0, 0];
  for (const item of items) {
    for (const { label } of item.boxes) labels.set(label, (labels.get(label) ?? 0) + 1);
    for (const tag of item.tags) tags.add(tag);
    if (item.split) splits[item.split]++;
    if (item.boxes.length === 0) emptyCount++;
    classificationCount += item.classifications.length;
  }
  const { datasetName, classes, lost, imageCount, boxCount, problems, errorCount, noteCount } = report;
  return {
    format,
    datasetName,
    classes,
    lost,
    imageCount,
    boxCount,
    problems,
    errorCount,
    noteCount,
    splits,
    emptyCount,
    classificationCount,
    labels: [...labels].map(([label, count]) => ({ label, boxCount: count })).sort((a, b) => b.boxCount - a.boxCount),
    tags: [...tags].sort(),
    join: stored && {
      ...stored.tally(),
      storedCount: stored.files.length,
      withBoxes: items.filter(({ content }) => content instanceof StoredFile && content.boxCount > 0).length,
    },
  };
}
