import { acceptBox } from '../../item/accept-box.ts';
import { DatasetError } from '../../item/dataset-error.ts';
import type { DatasetBox, DatasetItem, ListedFile } from '../../item/dataset-item.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf } from '../../item/inner-path.ts';
import { linesOf } from '../../files/read-lines.ts';
import { readText } from '../../files/read-text.ts';
import type { DatasetImporter, FormatMatch } from '../importing.ts';
import { parseLabelLine } from './parse-label-line.ts';
import { listYoloPictures } from './yolo-pictures.ts';
import { findYoloStart, type YoloStart } from './yolo-start.ts';

/**
 * Reads YOLO datasets of Ultralytics (see `exportYolo`), and YOLO 1.1 with `obj.names`. Absolute paths of the training
 * machine are matched by their last segments. A polygon becomes the box around it, with a note.
 */
export const yoloImporter: DatasetImporter = { detect, importItems };

async function detect(files: FileIndex): Promise<FormatMatch> {
  try {
    const start = await findYoloStart(files, new DatasetReport());
    return typeof start === 'string' ? { start: null, missing: start } : { start: start.file };
  } catch (error) {
    if (error instanceof DatasetError) return { start: null, missing: error.message.replace(/\.$/, '') };
    throw error;
  }
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const start = await findYoloStart(files, report);
  if (typeof start === 'string') throw new DatasetError('unknown-format', `No YOLO dataset: ${start}.`);
  const pictures = await listYoloPictures(files, start, report);
  report.expectedImages = pictures.length;
  for (const [, label] of [...start.names].sort(([a], [b]) => a - b)) report.addClass(label);
  for (const { image, labels, split } of pictures) {
    yield {
      contentId: image.path,
      fileName: baseNameOf(image.path),
      content: image,
      sizePx: null,
      boxes: labels ? await readBoxes(labels, start, report) : [],
      classifications: [],
      tags: [],
      capturedAt: null,
      origin: {},
      split,
    };
  }
}

async function readBoxes(file: ListedFile, start: YoloStart, report: DatasetReport): Promise<DatasetBox[]> {
  const boxes: DatasetBox[] = [];
  let polygons = 0;
  for (const { number, text } of linesOf(await readText(file, report))) {
    if (text === null || text.trim() === '') continue;
    const line = parseLabelLine(text, start.keyPointColumns);
    if (typeof line === 'string') {
      report.error(file.path, number, line);
      continue;
    }
    const { classNumber, corners, confidence, isPolygon } = line;
    const label = start.names.get(classNumber);
    if (label === undefined) {
      const count = start.names.size;
      report.error(file.path, number, `${start.file.path} has ${count} names, and none for class ${classNumber}.`);
      continue;
    }
    const box = acceptBox({ label, corners, confidence }, report, file.path, number);
    if (box) boxes.push(box);
    if (isPolygon) polygons++;
  }
  report.lose('polygons', polygons);
  if (start.keyPointColumns > 0) report.lose('keyPoints', boxes.length);
  if (polygons > 0) report.note(file.path, null, `${polygons} polygons became the boxes around them.`);
  return boxes;
}
