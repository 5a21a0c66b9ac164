import { acceptBox, acceptConfidence } from '../../item/accept-box.ts';
import { readHead } from '../../item/content.ts';
import type {
  DatasetBox,
  DatasetClassification,
  DatasetItem,
  ListedFile,
  PictureOrigin,
} from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf } from '../../item/inner-path.ts';
import { readLabelsFile } from '../../files/labels-file.ts';
import { readLines } from '../../files/read-lines.ts';
import { claimPicture, Claims, isRecord, recordsIn, type DatasetImporter, type JsonRecord } from '../importing.ts';
import { splitOfWord } from '../../item/split-of-path.ts';
import type { TrackMark } from '../../tracks/track.ts';
import { parseTime } from '../../item/dataset-times.ts';

/**
 * Reads the lines of `dataset.jsonl` (fields: see `exportViamJsonl`). An `image_path` may be an absolute path on the
 * computer that exported it, with slashes or backslashes. A `classification_annotation` without id and confidence is a tag,
 * because Viam exports tags so, unless the line has `tags`.
 */
export const viamJsonlImporter: DatasetImporter = { detect, importItems };

async function detect(files: FileIndex) {
  const candidates = linesFiles(files);
  let missing = 'there is no .jsonl file';
  for (const start of candidates) {
    const head = decodeText(await readHead(start, 64 * 1024)).text;
    if (head.includes('"image_path"')) return { start };
    missing = `${start.path} has no “image_path” but starts with ${shown(head.trimStart().slice(0, 40))}`;
  }
  return { start: null, missing };
}

/** The JSON Lines files; `dataset.jsonl` comes first. */
function linesFiles(files: FileIndex): ListedFile[] {
  const rank = ({ path }: ListedFile) => (baseNameOf(path).toLowerCase() === 'dataset.jsonl' ? 0 : 1);
  return files.files
    .filter(({ path }) => ['.jsonl', '.ndjson'].includes(extensionOf(path)))
    .sort((a, b) => rank(a) - rank(b));
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  await readLabelsFile(files, report);
  for (const list of linesFiles(files)) {
    for await (const { number, text } of readLines(list)) {
      if (text?.trim() === '') continue;
      const at = { file: list.path, line: number };
      const record = text === null ? null : parseLine(text, report, at);
      if (text === null) report.error(list.path, number, 'The line is longer than 16 MB.');
      if (record === null) continue;
      const path = record['image_path'];
      if (typeof path !== 'string' || path === '') {
        report.error(list.path, number, `“image_path” is not a path, but ${shown(path)}.`);
        continue;
      }
      const keys = [record['binary_data_id'], record['sha256']];
      const image = claimPicture(path, folderOf(list.path), { files, claims, report }, at, { keys });
      if (image) yield itemOf(record, image, report, at);
    }
  }
}

function parseLine(text: string, report: DatasetReport, at: { file: string; line: number }): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    report.error(at.file, at.line, `The line is not a JSON object, but ${shown(value)}.`);
  } catch (error) {
    report.error(at.file, at.line, `The line is not JSON (${(error as Error).message}): ${shown(text)}.`);
  }
  return null;
}

function itemOf(
  record: JsonRecord,
  image: ListedFile,
  report: DatasetReport,
  { file, line }: { file: string; line: number },
): DatasetItem {
  const origin = originOf(record);
  const boxesIn = (field: string): readonly DatasetBox[] =>
    recordsIn(record[field]).flatMap((box) => boxOf(isRecord(box) ? box : {}, report, { file, line }) ?? []);
  const crowds = boxesIn('crowd_annotations');
  return {
    contentId: origin.binaryDataId ?? image.path,
    fileName: baseNameOf(image.path),
    content: image,
    sizePx: null,
    boxes: boxesIn('bounding_box_annotations'),
    ...(crowds.length > 0 && { crowds }),
    ...labelsOf(record, report, file, line),
    capturedAt: parseTime(record['timestamp']),
    origin,
    split: splitOfWord(record['split']),
  };
}

function boxOf(
  found: JsonRecord,
  report: DatasetReport,
  { file, line }: { file: string; line: number },
): DatasetBox | null {
  const written = cornerFields.map((field) => found[field]);
  const corners = written.map((value) => (typeof value === 'number' ? value : NaN)) as [number, number, number, number];
  const { annotation_label: label, confidence, id, area_px: areaPx } = found;
  const box = acceptBox({ label, corners, written, confidence, id }, report, file, line);
  const track = trackOf(found);
  return box && { ...box, ...(typeof areaPx === 'number' && { areaPx }), ...(track && { track }) };
}

function labelsOf(
  record: JsonRecord,
  report: DatasetReport,
  file: string,
  line: number,
): Pick<DatasetItem, 'tags' | 'classifications'> {
  const listed = Array.isArray(record['tags']) ? record['tags'].filter((tag) => typeof tag === 'string') : null;
  const tags = new Set<string>(listed);
  const classifications: DatasetClassification[] = [];
  for (const annotation of recordsIn(record['classification_annotations'])) {
    const { annotation_label: label, confidence, id } = isRecord(annotation) ? annotation : {};
    if (typeof label !== 'string' || label === '') {
      report.error(file, line, `A classification has no label, but ${shown(label)}.`);
      continue;
    }
    const isPlain = confidence === undefined && id === undefined;
    if (isPlain && (listed === null || tags.has(label))) tags.add(label);
    else {
      classifications.push({
        label,
        ...acceptConfidence(confidence, `classification “${label}”`, report, file, line),
        ...(typeof id === 'string' && id !== '' ? { id } : {}),
      });
    }
  }
  return { tags: [...tags], classifications };
}

function trackOf({ track_id: id, keyframe, track_ends: ends }: JsonRecord): TrackMark | null {
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= 1e9) return null;
  return { id, isKey: keyframe !== false, isLast: ends === true };
}

const cornerFields = ['x_min_normalized', 'y_min_normalized', 'x_max_normalized', 'y_max_normalized'];

const originFields = {
  binaryDataId: 'binary_data_id',
  organizationId: 'organization_id',
  locationId: 'location_id',
  robotId: 'robot_id',
  partId: 'part_id',
  componentName: 'component_name',
} as const;

function originOf(record: JsonRecord): PictureOrigin {
  return Object.fromEntries(
    Object.entries(originFields).flatMap(([name, field]) => {
      const value = record[field];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}
