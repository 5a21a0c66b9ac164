import { acceptBox } from '../../item/accept-box.ts';
import { readHead } from '../../item/content.ts';
import type { DatasetBox, DatasetItem, ListedFile, SizePx } from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf, isImagePath, splitExtension } from '../../item/inner-path.ts';
import { readText } from '../../files/read-text.ts';
import { claimPicture, Claims, isRecord, recordsIn, type DatasetImporter, type JsonRecord } from '../importing.ts';
import { boxAround, partsOf, pictureItem, sizeOfNumbers } from '../picture-item.ts';

/**
 * Reads LabelMe (github.com/wkentaro/labelme): a JSON file for each picture with `shapes` in pixels, counted from 0.
 * Polygons and circles become the box around them; a flag that is set becomes a tag. The picture is read from the file
 * beside it, not from `imageData` in the JSON.
 */
export const labelMeImporter: DatasetImporter = { detect, importItems };

/** Bytes to read for detection. `imageData`, which contains the whole picture, may precede the shapes. */
const headBytes = 4096;

async function isLabelMe(file: ListedFile): Promise<boolean> {
  const head = decodeText(await readHead(file, headBytes)).text;
  return /^\s*\{/.test(head) && /"(shapes|imagePath|imageData)"\s*:/.test(head);
}

async function detect(files: FileIndex) {
  const candidates = files.files.filter(({ path }) => extensionOf(path) === '.json');
  for (const start of candidates.slice(0, 20)) if (await isLabelMe(start)) return { start };
  return { start: null, missing: 'there is no .json file with “shapes” and “imagePath”' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  const candidates = files.files.filter(({ path }) => extensionOf(path) === '.json');
  report.expectedImages = candidates.length;
  for (const file of candidates) {
    if (!(await isLabelMe(file))) continue;
    const at = { file: file.path, line: null };
    const record = await readRecord(file, report);
    if (!record) continue;
    const reference = nameOfPicture(record, file, files);
    if (reference === null) {
      report.error(file.path, null, 'It has no “imagePath”, and no picture has its own name.');
      continue;
    }
    const picture = claimPicture(reference, folderOf(file.path), { files, claims, report }, at);
    if (!picture) continue;
    const shapes = recordsIn(record['shapes']);
    const flags = isRecord(record['flags']) ? Object.entries(record['flags']) : [];
    yield await pictureItem(
      picture,
      {
        declared: sizeOfNumbers(record['imageWidth'], record['imageHeight']),
        shapeCount: shapes.length,
        boxesIn: (sizePx) => shapes.flatMap((shape) => boxOf(shape, sizePx, file.path, report) ?? []),
        tags: flags.flatMap(([flag, isSet]) => (isSet === true ? [flag] : [])),
      },
      at,
      report,
    );
  }
}

async function readRecord(file: ListedFile, report: DatasetReport): Promise<JsonRecord | null> {
  try {
    const value: unknown = JSON.parse(await readText(file, report));
    if (isRecord(value)) return value;
    throw new TypeError(`it contains no object, but ${shown(value)}`);
  } catch (error) {
    report.error(file.path, null, `The file cannot be read: ${(error as Error).message}`);
    return null;
  }
}

/** The picture named by `imagePath`; if that does not exist, a picture with the JSON file's name. Null if neither exists. */
function nameOfPicture({ imagePath }: JsonRecord, file: ListedFile, files: FileIndex): string | null {
  const said = typeof imagePath === 'string' && imagePath !== '' ? imagePath : null;
  if (files.stored) return said ?? splitExtension(baseNameOf(file.path))[0];
  if (said !== null && files.find(said, folderOf(file.path)).file) return said;
  const stemOf = (path: string) => splitExtension(path)[0].toLowerCase();
  const own = files.files.find(({ path }) => isImagePath(path) && stemOf(path) === stemOf(file.path));
  return own ? baseNameOf(own.path) : said;
}

function boxOf(shape: unknown, sizePx: SizePx, path: string, report: DatasetReport): DatasetBox | null {
  const { label, points, shape_type: type = 'polygon', flags, score } = isRecord(shape) ? shape : {};
  const ends = recordsIn(points).map((point) => recordsIn(point).map(Number) as unknown as [number, number]);
  if (type === 'point' || type === 'points') return (report.lose('points'), null);
  if (type === 'line' || type === 'linestrip') return (report.lose('lines'), null);
  if (!['rectangle', 'polygon', 'circle', 'mask'].includes(type as string)) return (report.lose('others'), null);
  if (ends.length === 0) {
    report.error(path, null, `The shape ${shown(label)} has no points.`);
    return null;
  }
  if (type === 'polygon') report.lose('polygons');
  if (type === 'mask' || type === 'circle') report.lose(type === 'mask' ? 'masks' : 'others');
  if (isRecord(flags) && Object.values(flags).includes(true)) report.lose('attributes');
  const around = type === 'circle' ? circleBox(ends) : boxAround(ends);
  return acceptBox({ label, corners: partsOf(around, sizePx), written: around, confidence: score }, report, path, null);
}

/** The box around a circle, which LabelMe stores as its centre and a point on its edge. */
function circleBox([middle = [NaN, NaN], edge = [NaN, NaN]]: readonly (readonly [number, number])[]) {
  const [x, y] = middle;
  const radius = Math.hypot(edge[0] - x, edge[1] - y);
  return [x - radius, y - radius, x + radius, y + radius] as const;
}
