import { acceptBox } from '../../accept-box.ts';
import { readHead } from '../../content.ts';
import type { DatasetBox, DatasetItem, ListedFile, SizePx } from '../../dataset-item.ts';
import { shown, type DatasetReport } from '../../dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf, isImagePath, splitExtension } from '../../files/inner-path.ts';
import { readText } from '../../files/read-text.ts';
import { claimPicture, Claims, isRecord, recordsIn, type DatasetImporter, type JsonRecord } from '../../importing.ts';
import { boxAround, partsOf, pictureItem, sizeOfNumbers } from '../../picture-item.ts';

/**
 * Reads LabelMe (github.com/wkentaro/labelme): a JSON file a picture with `shapes` in pixels from 0. The box around
 * polygons and circles comes; a flag that is set becomes a tag. The picture is a file beside it, not the `imageData` inside.
 */
export const labelMeImporter: DatasetImporter = { detect, importItems };

/** `imageData` may stand before the shapes, with the whole picture in it. */
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
    throw new TypeError(`it holds no object, but ${shown(value)}`);
  } catch (error) {
    report.error(file.path, null, `The file cannot be read: ${(error as Error).message}`);
    return null;
  }
}

/** What `imagePath` says; a picture of the file's own name where that one is not there; null without either. */
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

/** A circle is its middle and a point on its edge. */
function circleBox([middle = [NaN, NaN], edge = [NaN, NaN]]: readonly (readonly [number, number])[]) {
  const [x, y] = middle;
  const radius = Math.hypot(edge[0] - x, edge[1] - y);
  return [x - radius, y - radius, x + radius, y + radius] as const;
}
