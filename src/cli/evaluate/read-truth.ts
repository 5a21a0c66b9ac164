import { stat } from 'node:fs/promises';
import { basename, dirname, extname, relative } from 'node:path';
import {
  cameraOf,
  type Content,
  type DatasetBox,
  type DatasetClassification,
  DatasetReport,
  readAll,
  sequenceOf,
  type SizePx,
  type Split,
} from '../../evidence/datasets/face/items.ts';
import { FileIndex } from '../../evidence/datasets/face/files.ts';
import { cocoImageFacts, importDataset, type JsonRecord, recordsIn } from '../../evidence/datasets/face/formats.ts';
import { recordedGroup } from '../../evidence/datasets/face/independence.ts';
import {
  type ImageHeader,
  isResized,
  readImageSize,
  statedPicture,
  storedBox,
} from '../../evidence/datasets/face/image-size.ts';
import type { Box, TruthTraits } from '../../evidence/evaluation/face/sets.ts';
import { cocoRemarks, type CocoTruth, readCocoTruth } from '../../evidence/evaluation/face/matches.ts';
import { CliError } from '../record/cli-error.ts';
import { listFolder } from '../shared/list-folder.ts';
import { readJsonFile } from '../shared/read-json-file.ts';

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
 * Reads truth with its pictures, of one part where `split` names it: every format as the data area imports it.
 * `dataPath` is a file that starts a dataset, with its pictures beside or below, or a folder.
 *
 * @throws CliError, CocoFileError, DatasetError
 */
export async function readTruth(
  dataPath: string,
  split: Split | null,
  say: (text: string) => void,
): Promise<TrueFrames> {
  const isFolder = (await stat(dataPath)).isDirectory();
  if (!isFolder && extname(dataPath).toLowerCase() === '.json') return cocoFrames(dataPath, split, say);
  return importedFrames(isFolder ? dataPath : dirname(dataPath), split, say);
}

async function cocoFrames(path: string, split: Split | null, say: (text: string) => void): Promise<TrueFrames> {
  const value = await readJsonFile(path, 'truth');
  const truth = readCocoTruth(value);
  for (const remark of cocoRemarks(truth)) say(`${path}: ${remark}`);
  const folder = dirname(path);
  // COCO's own layout has the pictures beside the folder of its annotations.
  const top = basename(folder) === 'annotations' ? dirname(folder) : folder;
  const files = FileIndex.of(await listFolder(top), new DatasetReport());
  const factsOf = cocoImageFacts(value as JsonRecord, relative(top, path), null);
  const recordOf = new Map(recordsIn((value as JsonRecord)['images']).map((one) => [(one as JsonRecord)['id'], one]));
  const rowsOfImage = truth.images.map((): number[] => []);
  for (const [row, image] of truth.truth.image.entries()) rowsOfImage[image]!.push(row);
  const frames: TrueFrame[] = [];
  const resized: string[] = [];
  const splits = new Set<Split | null>();
  for (const [image, { id, fileName, sizePx }] of truth.images.entries()) {
    const found = files.find(fileName, top === folder ? '' : 'images');
    if (!found.file) throw new CliError('no-picture', `${path}: ${found.message}`);
    const facts = factsOf(recordOf.get(id) as JsonRecord, found.file);
    splits.add(facts.split);
    if (split !== null && facts.split !== split) continue;
    const header = await readImageSize(found.file);
    const boxes = rowsOfImage[image]!.map((row) => cocoBox(truth, row));
    if (isResized(sizePx, header)) resized.push(`"${fileName}" has ${sizeText(header!.stored)}, and ${sizeText(sizePx!)} is stated`); // prettier-ignore
    frames.push({
      ...frameOf(fileName, found.file, onStoredPicture(boxes, sizePx, header)),
      sequence: facts.sequence?.name ?? '',
      timeMs: timeOf(facts.capturedAt),
    });
  }
  if (split !== null && frames.length === 0) throw new CliError('no-split', noSplitWords(path, split, splits));
  if (resized.length > 0)
    say(`${path}: ${resized.length} pictures are not of the stated size; their boxes are scaled with them: ${resized[0]}.`); // prettier-ignore
  return { labels: truth.space.labels, frames };
}

function noSplitWords(path: string, split: Split, found: ReadonlySet<Split | null>): string {
  const others = [...found].filter((one) => one !== null);
  const has =
    others.length > 0 ? `its pictures are of ${others.join(' and ')}` : 'nothing says which part they belong to';
  return `"${path}" has no pictures of ${split}: ${has}. A COCO file belongs to the part that its path, or its pictures' folders, name (instances_${split}.json, ${split}/); leave --split out, or give the file of that part.`;
}

const sizeText = ({ widthPx, heightPx }: SizePx): string => `${widthPx}×${heightPx} px`;

const timeOf = (capturedAt: string | null): number | null =>
  capturedAt === null ? null : new Date(capturedAt).getTime();

/** Boxes of the picture as it is stored, in pixels, of boxes in pixels of the size that the file states. */
function onStoredPicture(
  boxes: readonly TrueBox[],
  statedPx: SizePx | null,
  header: ImageHeader | null,
): readonly TrueBox[] {
  if (!header) return boxes;
  const stated = statedPicture(statedPx, header);
  const sizePx = statedPx ?? header.sizePx;
  // Boxes that are turned with the picture are those of the stored picture already.
  const turn = stated.orientation === 1 ? header.orientation : 1;
  const scale = (header.stored.widthPx * header.stored.heightPx) / (sizePx.widthPx * sizePx.heightPx);
  // Nothing is computed where nothing changes: the figures stay pycocotools' to the last bit.
  if (turn === 1 && !isResized(statedPx, header)) return boxes;
  return boxes.map((one) => ({
    ...one,
    box: pixelBox(storedBox(normalized(one, sizePx), turn), header.stored),
    ...(one.area !== undefined && { area: one.area * scale }),
  }));
}

function cocoBox({ truth, space }: CocoTruth, row: number): TrueBox {
  const [x, y, width, height] = truth.box.subarray(4 * row, 4 * row + 4) as unknown as Box;
  return {
    label: space.labels[truth.label[row]!]!,
    // Corners in the wrong order are swapped, as an import does.
    box: [x + Math.min(0, width), y + Math.min(0, height), Math.abs(width), Math.abs(height)],
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
    const { fileName, content, boxes, crowds = [], classifications, tags, capturedAt, origin } = item;
    if (split !== null && item.split !== split) continue;
    if (item.split === 'train') trained++;
    const header = await readImageSize(content);
    if (!header) throw new CliError('unsupported-format', `"${fileName}" is neither PNG, JPEG nor WebP.`);
    const storedOf = (box: DatasetBox, isCrowd: boolean): TrueBox => ({
      label: box.label,
      box: pixelBox(storedBox(box, header.orientation), header.stored),
      ...(box.areaPx !== undefined && { area: box.areaPx }),
      isCrowd,
    });
    const stored = [...boxes.map((box) => storedOf(box, false)), ...crowds.map((crowd) => storedOf(crowd, true))];
    const sequence = item.sequence?.name ?? sequenceOf(tags) ?? '';
    frames.push({
      ...frameOf(fileName, content, stored),
      classifications,
      tags,
      sequence,
      camera: cameraOf(origin),
      timeMs: timeOf(capturedAt),
    });
  }
  if (report.errorCount > 0) say(`${folder}: ${report.errorCount} problems, the first: ${report.firstError()}`);
  if (split === null && trained > 0 && trained < frames.length)
    say(`${folder}: ${trained} of ${frames.length} pictures are for training; --split val or test leaves them out.`);
  const seen = frames.flatMap(({ boxes, classifications }) => [...boxes, ...classifications].map(({ label }) => label));
  const classes = report.classes.map(({ label }) => label);
  return { labels: [...new Set([...classes, ...[...new Set(seen)].sort()])], frames };
}

/** The recorded facts of the frames that a frame depends on. */
export const recordedOf = ({ sequence, timeMs, camera }: Pick<TrueFrame, 'sequence' | 'timeMs' | 'camera'>): string =>
  recordedGroup(sequence || null, timeMs, camera);

/** A picture of which nothing is known but its boxes. */
export function frameOf(name: string, content: Content, boxes: readonly TrueBox[]): TrueFrame {
  const bytes = (): Promise<Uint8Array> => readAll(content, longestPictureBytes);
  return { name, bytes, boxes, classifications: [], tags: [], sequence: '', camera: null, timeMs: null };
}
