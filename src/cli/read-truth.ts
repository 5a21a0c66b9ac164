import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { cameraOf } from '../datasets/camera-of.ts';
import { readAll } from '../datasets/content.ts';
import type { Content, DatasetBox, DatasetClassification, SizePx, Split } from '../datasets/dataset-item.ts';
import { DatasetReport } from '../datasets/dataset-report.ts';
import { FileIndex } from '../datasets/files/file-index.ts';
import { readImageSize } from '../datasets/image-size/read-image-size.ts';
import { statedPicture } from '../datasets/image-size/turned-with-picture.ts';
import { storedBox } from '../datasets/image-size/upright-box.ts';
import { importDataset } from '../datasets/import-dataset.ts';
import { sequenceOf } from '../datasets/tracks/sequences.ts';
import type { Box, TruthTraits } from '../evaluation/build-sets.ts';
import { readCocoTruth, type CocoTruth } from '../evaluation/coco/read-coco.ts';
import { CliError } from './cli-error.ts';
import { listFolder } from './list-folder.ts';
import { readJsonFile } from './read-json-file.ts';

/** A frame whose truth is known: boxes of the picture as it is stored, in pixels, as the machine sees it. */
export interface TrueFrame {
  readonly name: string;
  bytes(): Promise<Uint8Array>;
  readonly boxes: readonly TrueBox[];
  readonly classifications: readonly DatasetClassification[];
  /** where a machine's data has the labels of whole pictures */
  readonly tags: readonly string[];
  /** frames of one video or burst share it; '': a single picture */
  readonly sequence: string;
  /** part and component that captured it; null: the dataset does not say */
  readonly camera: string | null;
  /** when it was captured, in ms since 1970; null: the dataset does not say */
  readonly timeMs: number | null;
}

export interface TrueBox extends TruthTraits {
  readonly label: string;
  readonly box: Box;
}

export interface TrueFrames {
  /** in the order of the dataset's own numbers, as far as it has them */
  readonly labels: readonly string[];
  readonly frames: readonly TrueFrame[];
}

/** No picture is larger. */
const longestPictureBytes = 256 * 1024 * 1024;

/**
 * Reads truth with its pictures: COCO as it is written, with crowds and area fields, and every other format as the data
 * area imports it, of one part where `split` names it. `dataPath` is a file that starts a dataset, with its pictures beside or below, or a folder.
 *
 * @throws CliError, CocoFileError, DatasetError
 */
export async function readTruth(
  dataPath: string,
  split: Split | null,
  say: (text: string) => void,
): Promise<TrueFrames> {
  const isFolder = (await stat(dataPath)).isDirectory();
  if (!isFolder && extname(dataPath).toLowerCase() === '.json') return cocoFrames(dataPath, say);
  return importedFrames(isFolder ? dataPath : dirname(dataPath), split, say);
}

async function cocoFrames(path: string, say: (text: string) => void): Promise<TrueFrames> {
  const truth = readCocoTruth(await readJsonFile(path, 'truth'));
  const folder = dirname(path);
  // COCO's own layout has the pictures beside the folder of its annotations.
  const top = basename(folder) === 'annotations' ? dirname(folder) : folder;
  const files = FileIndex.of(await listFolder(top), new DatasetReport());
  const rowsOfImage = truth.images.map((): number[] => []);
  for (const [row, image] of truth.truth.image.entries()) rowsOfImage[image]!.push(row);
  const frames: TrueFrame[] = [];
  for (const [image, { fileName, sizePx }] of truth.images.entries()) {
    const found = files.find(fileName, top === folder ? '' : 'images');
    if (!found.file) throw new CliError('no-picture', `${path}: ${found.message}`);
    const header = await readImageSize(found.file);
    const stated = statedPicture(sizePx, header);
    const turn = stated.orientation === 1 && header && header.orientation !== 1 ? header : null;
    const boxes = rowsOfImage[image]!.map((row) => cocoBox(truth, row));
    const turned = (one: TrueBox): TrueBox => ({
      ...one,
      box: pixelBox(storedBox(normalized(one, stated.sizePx!), turn!.orientation), turn!.stored),
    });
    frames.push(frameOf(fileName, found.file, turn ? boxes.map(turned) : boxes));
  }
  if (truth.strays > 0) say(`${path}: ${truth.strays} annotations are of images or categories that it does not list.`);
  return { labels: truth.space.labels, frames };
}

function cocoBox({ truth, space }: CocoTruth, row: number): TrueBox {
  const [x, y, width, height] = truth.box.subarray(4 * row, 4 * row + 4);
  return {
    label: space.labels[truth.label[row]!]!,
    box: [x!, y!, width!, height!],
    area: truth.area[row]!,
    isCrowd: truth.crowd[row] === 1,
    isIgnored: truth.ignore[row] === 1,
  };
}

function normalized({ label, box: [x, y, width, height] }: TrueBox, { widthPx, heightPx }: SizePx): DatasetBox {
  return {
    label,
    xMinNormalized: x / widthPx,
    yMinNormalized: y / heightPx,
    xMaxNormalized: (x + width) / widthPx,
    yMaxNormalized: (y + height) / heightPx,
  };
}

function pixelBox(box: DatasetBox, { widthPx, heightPx }: SizePx): Box {
  const { xMinNormalized: left, yMinNormalized: top, xMaxNormalized: right, yMaxNormalized: bottom } = box;
  return [left * widthPx, top * heightPx, (right - left) * widthPx, (bottom - top) * heightPx];
}

async function importedFrames(folder: string, split: Split | null, say: (text: string) => void): Promise<TrueFrames> {
  const report = new DatasetReport();
  const frames: TrueFrame[] = [];
  let trained = 0;
  for await (const item of importDataset(await listFolder(folder), { report })) {
    const { fileName, content, boxes, classifications, tags, capturedAt, origin } = item;
    if (split !== null && item.split !== split) continue;
    if (item.split === 'train') trained++;
    const header = await readImageSize(content);
    if (!header) throw new CliError('unsupported-format', `"${fileName}" is neither PNG, JPEG nor WebP.`);
    const stored = boxes.map((box) => ({
      label: box.label,
      box: pixelBox(storedBox(box, header.orientation), header.stored),
    }));
    const sequence = item.sequence?.name ?? sequenceOf(tags) ?? '';
    frames.push({
      ...frameOf(fileName, content, stored),
      classifications,
      tags,
      sequence,
      camera: cameraOf(origin),
      timeMs: capturedAt === null ? null : new Date(capturedAt).getTime(),
    });
  }
  if (report.errorCount > 0) say(`${folder}: ${report.errorCount} problems, the first: ${report.firstError()}`);
  if (split === null && trained > 0 && trained < frames.length)
    say(`${folder}: ${trained} of ${frames.length} pictures are for training; --split val or test leaves them out.`);
  const seen = frames.flatMap(({ boxes, classifications }) => [...boxes, ...classifications].map(({ label }) => label));
  const classes = report.classes.map(({ label }) => label);
  return { labels: [...new Set([...classes, ...[...new Set(seen)].sort()])], frames };
}

/** A picture of which nothing is known but its boxes. */
export function frameOf(name: string, content: Content, boxes: readonly TrueBox[]): TrueFrame {
  const bytes = (): Promise<Uint8Array> => readAll(content, longestPictureBytes);
  return { name, bytes, boxes, classifications: [], tags: [], sequence: '', camera: null, timeMs: null };
}
