import { acceptBox } from '../../item/accept-box.ts';
import type { DatasetBox, DatasetItem, ListedFile, SizePx } from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { joinPath } from '../../files/file-index.ts';
import { linesOf, readLines } from '../../files/read-lines.ts';
import { readText } from '../../files/read-text.ts';
import { Claims, type DatasetImporter } from '../importing.ts';
import { partsOf } from '../picture-item.ts';
import { frameFiles, parentOf, sequenceItems, sequenceNameOf } from '../frame-items.ts';

/** The classes of MOT16 to MOT20 (arXiv:1603.00831, table 3), used if there is no file with class names. */
const motClasses = [
  'Pedestrian',
  'Person on vehicle',
  'Car',
  'Bicycle',
  'Motorbike',
  'Non motorized vehicle',
  'Static person',
  'Distractor',
  'Occluder',
  'Occluder on the ground',
  'Occluder full',
  'Reflection',
  'Crowd',
];

/**
 * Reads MOTChallenge ground truth (see `exportMot`): every `gt/gt.txt`, with the pictures in `img1` or in the folder that
 * `seqinfo.ini` names. Rows that are not evaluated (7th column 0) are left out. Key frames are the boxes that cannot be
 * interpolated from others.
 */
export const motImporter: DatasetImporter = { detect, importItems };

const groundTruths = ({ files }: FileIndex): readonly ListedFile[] =>
  files.filter(({ path }) => /(^|\/)gt\/gt\.txt$/i.test(path));

async function detect(files: FileIndex) {
  const [start] = groundTruths(files);
  return start ? { start } : { start: null, missing: 'there is no gt/gt.txt' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  for (const file of groundTruths(files)) {
    const folder = parentOf(file.path);
    const info = await readInfo(files, folder, report);
    const pictures = joinPath(folder, [info.get('imdir') ?? 'img1']) ?? folder;
    const frames = frameFiles(files, pictures, claims, 1);
    report.expectedImages = (report.expectedImages ?? 0) + frames.length;
    if (frames.length === 0) report.error(file.path, null, `There are no pictures in ${shown(pictures)}.`);
    const labels = await readLabels(files, folder, report);
    const rows = await readRows(file, new Set(frames.map(({ frame }) => frame)), report);
    const said = frames.map((one) => {
      const found = rows.get(one.frame) ?? [];
      const boxesIn = (sizePx: SizePx) => found.flatMap((row) => boxOf(row, sizePx, labels, file.path, report) ?? []);
      return { ...one, said: { shapeCount: found.length, boxesIn } };
    });
    yield* sequenceItems(said, info.get('name') || sequenceNameOf(folder), file.path, { claims, report });
  }
}

/** The values of `seqinfo.ini`, by key in lower case. */
async function readInfo(files: FileIndex, folder: string, report: DatasetReport): Promise<ReadonlyMap<string, string>> {
  const file = files.at(joinPath(folder, ['seqinfo.ini'])!);
  const info = new Map<string, string>();
  for (const { text } of file ? linesOf(await readText(file, report)) : []) {
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(text ?? '') ?? [];
    if (key !== undefined) info.set(key.toLowerCase(), value!);
  }
  return info;
}

async function readLabels(files: FileIndex, folder: string, report: DatasetReport): Promise<readonly string[]> {
  const file = files.at(joinPath(folder, ['gt', 'labels.txt'])!);
  if (!file) return motClasses;
  const labels = linesOf(await readText(file, report)).flatMap(({ text }) => (text ? [text] : []));
  for (const label of labels) report.addClass(label);
  return labels;
}

interface Row {
  readonly line: number;
  readonly id: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly classNumber: number;
}

/** The rows of `gt.txt`, by frame. */
async function readRows(
  file: ListedFile,
  frames: ReadonlySet<number>,
  report: DatasetReport,
): Promise<ReadonlyMap<number, readonly Row[]>> {
  const rows = new Map<number, Row[]>();
  let ignored = 0;
  for await (const { number: line, text } of readLines(file)) {
    if (text?.trim() === '') continue;
    const values = (text ?? '').split(/[,;\s]+/).map((part) => (part === '' ? NaN : Number(part)));
    const [frame, id, left, top, width, height, counts = 1, classNumber = 1] = values as [number, number, number, number, number, number, number?, number?]; // prettier-ignore
    if (!Number.isInteger(frame) || !Number.isInteger(id) || values.slice(2, 6).length < 4) {
      report.error(file.path, line, `The line is not frame, id, left, top, width and height: ${shown(text)}.`);
    } else if (counts === 0) ignored++;
    else if (!frames.has(frame)) report.error(file.path, line, `There is no picture of frame ${frame}.`);
    else {
      const of = rows.get(frame) ?? [];
      rows.set(frame, of);
      of.push({ line, id, left, top, width, height, classNumber });
    }
  }
  if (ignored > 0) report.note(file.path, null, `${ignored} of its boxes do not count (7th column 0); left out.`);
  return rows;
}

function boxOf(
  { line, id, left, top, width, height, classNumber }: Row,
  sizePx: SizePx,
  labels: readonly string[],
  path: string,
  report: DatasetReport,
): DatasetBox | null {
  const label = labels[classNumber - 1] ?? labels[0];
  const edges = [left - 1, top - 1, left - 1 + width, top - 1 + height] as const;
  const written = [left, top, width, height];
  const box = acceptBox({ label, corners: partsOf(edges, sizePx), written }, report, path, line);
  if (!box) return null;
  return id >= 0 && id < 1e9 ? { ...box, track: { id, isKey: false, isLast: false } } : box;
}
