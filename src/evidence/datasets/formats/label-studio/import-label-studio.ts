import { acceptBox } from '../../item/accept-box.ts';
import { readAll, readHead } from '../../item/content.ts';
import { DatasetError } from '../../item/dataset-error.ts';
import type { DatasetBox, DatasetClassification, DatasetItem, ListedFile } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { extensionOf, folderOf, segmentsOf } from '../../item/inner-path.ts';
import { claimPicture, Claims, isRecord, recordsIn, type DatasetImporter, type JsonRecord } from '../importing.ts';
import { boxAround, boxAroundTurned, partsOf, pictureItem } from '../picture-item.ts';

/**
 * Reads Label Studio's JSON and JSON-MIN exports (labelstud.io, "Export annotations"): a list of tasks, with boxes in
 * percent of the picture. If a task has several annotations, the first one that was not cancelled is used; if it has
 * none, its prediction. Pictures are found by file name, without the eight digits that Label Studio adds on upload.
 */
export const labelStudioImporter: DatasetImporter = { detect, importItems };

const longestJsonBytes = 256 * 1024 * 1024;

async function taskFiles(files: FileIndex): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for (const file of files.files.filter(({ path }) => extensionOf(path) === '.json')) {
    const head = decodeText(await readHead(file, 64 * 1024)).text;
    const isList = /^\s*\[\s*\{/.test(head);
    if (isList && /"(rectanglelabels|from_name|original_width|file_upload|annotator)"\s*:/.test(head)) found.push(file);
  }
  return found;
}

async function detect(files: FileIndex) {
  const [start] = await taskFiles(files);
  return start ? { start } : { start: null, missing: 'there is no .json file with a list of tasks' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  for (const file of await taskFiles(files)) {
    const tasks = await readTasks(file);
    report.expectedImages = (report.expectedImages ?? 0) + tasks.length;
    const at = { file: file.path, line: null };
    for (const task of tasks) {
      if (!isRecord(task)) continue;
      const reference = pictureOf(task);
      if (reference === null) {
        report.error(file.path, null, `Task ${String(task['id'])} names no picture.`);
        continue;
      }
      const isThere = files.stored !== null || files.find(reference, folderOf(file.path)).file !== null;
      const name = isThere ? reference : reference.replace(/^[0-9a-f]{8}-/i, '');
      const picture = claimPicture(name, folderOf(file.path), { files, claims, report }, at);
      if (!picture) continue;
      const results = resultsOf(task);
      const boxes = results.flatMap((result) => boxOf(result, file.path, report) ?? []);
      yield await pictureItem(
        picture,
        { declared: null, shapeCount: 0, boxesIn: () => boxes, classifications: results.flatMap(choicesOf) },
        at,
        report,
      );
    }
  }
}

async function readTasks(file: ListedFile): Promise<readonly unknown[]> {
  try {
    return recordsIn(JSON.parse(decodeText(await readAll(file, longestJsonBytes)).text));
  } catch (error) {
    const message = `${file.path} cannot be read as Label Studio: ${(error as Error).message}`;
    throw new DatasetError('unreadable-file', message, { cause: error });
  }
}

/** The picture's file name, from `data.image` (`image` in JSON-MIN): a path, a URL, or a URL with a local path in `?d=`. */
function pictureOf(task: JsonRecord): string | null {
  const data = isRecord(task['data']) ? task['data'] : task;
  const isPicture = (value: unknown): value is string => typeof value === 'string' && /\.[a-z]{3,4}(\?|$)/i.test(value);
  const found = [data['image'], data['img'], ...Object.values(data)].find(isPicture);
  if (found === undefined) return null;
  const path = /[?&]d=([^&]+)/.exec(found)?.[1] ?? found.replace(/\?.*$/, '');
  return segmentsOf(decoded(path)).at(-1) ?? null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a “%” in the file's own name, not an escape
  }
}

function resultsOf(task: JsonRecord): readonly JsonRecord[] {
  const annotations = recordsIn(task['annotations'] ?? task['completions']).filter(isRecord);
  const chosen = annotations.find(({ was_cancelled: isCancelled }) => isCancelled !== true);
  const [prediction] = recordsIn(task['predictions']).filter(isRecord);
  const listed = chosen ? chosen['result'] : annotations.length === 0 && prediction ? prediction['result'] : [];
  // JSON-MIN has no `value` object: its fields are listed under the name of the labelling control (“label”, “bbox”).
  const flat = Object.values(task).flatMap((value) =>
    recordsIn(value).filter((one): one is JsonRecord => isRecord(one) && 'original_width' in one && !('value' in one)),
  );
  return [...recordsIn(listed).filter(isRecord), ...flat.map((value) => ({ value, ...value }))];
}

function boxOf(result: JsonRecord, path: string, report: DatasetReport): DatasetBox | null {
  const value = isRecord(result['value']) ? result['value'] : {};
  const [rectangle, polygon, brush, points, ellipse] = ['rectangle', 'polygon', 'brush', 'keypoint', 'ellipse'].map(
    (kind) => recordsIn(value[`${kind}labels`])[0],
  );
  if (brush !== undefined) return (report.lose('masks'), null);
  if (points !== undefined) return (report.lose('points'), null);
  if (ellipse !== undefined) return (report.lose('others'), null);
  const label = rectangle ?? polygon;
  if (label === undefined) return null;
  const number = (key: string): number => (typeof value[key] === 'number' ? value[key] : NaN);
  const [x, y, width, height] = [number('x'), number('y'), number('width'), number('height')];
  const [wide, high] = [Number(result['original_width'] ?? 1), Number(result['original_height'] ?? 1)];
  const turn = typeof value['rotation'] === 'number' ? value['rotation'] : 0;
  let corners: readonly [number, number, number, number] = [x, y, x + width, y + height];
  if (polygon !== undefined && rectangle === undefined) {
    report.lose('polygons');
    corners = boxAround(
      recordsIn(value['points']).map((point) => recordsIn(point).map(Number) as unknown as [number, number]),
    );
  } else if (turn !== 0) {
    report.lose('turned');
    // Label Studio rotates a box about its first corner. Compute that in pixels, because one percent of the width is not
    // one percent of the height.
    const inPx = [x * wide, y * high, (x + width) * wide, (y + height) * high] as const;
    corners = partsOf(boxAroundTurned(inPx, turn, [x * wide, y * high]), { widthPx: wide, heightPx: high });
  }
  const parts = partsOf(corners, { widthPx: 100, heightPx: 100 });
  return acceptBox(
    { label, corners: parts, written: [x, y, width, height], confidence: result['score'] },
    report,
    path,
    null,
  );
}

function choicesOf(result: JsonRecord): DatasetClassification[] {
  const value = isRecord(result['value']) ? result['value'] : {};
  return recordsIn(value['choices']).flatMap((label) => (typeof label === 'string' && label !== '' ? [{ label }] : []));
}
