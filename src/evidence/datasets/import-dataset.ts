import { DatasetError } from './item/dataset-error.ts';
import { datasetFormats, importTitles, type ImportFormat } from './dataset-formats.ts';
import type { Content, DatasetItem, ListedFile } from './item/dataset-item.ts';
import { DatasetReport } from './item/dataset-report.ts';
import { FileIndex } from './files/file-index.ts';
import { extensionOf, isImagePath } from './item/inner-path.ts';
import { cocoImporter } from './formats/coco/import-coco.ts';
import { classFoldersImporter } from './formats/class-folders/import-class-folders.ts';
import { csvImporter } from './formats/csv/import-csv.ts';
import { cvatImporter } from './formats/cvat/import-cvat.ts';
import { cvatVideoImporter } from './formats/cvat-video/import-cvat-video.ts';
import { labelStudioImporter } from './formats/label-studio/import-label-studio.ts';
import { labelMeImporter } from './formats/labelme/import-labelme.ts';
import { motImporter } from './formats/mot/import-mot.ts';
import { pascalVocImporter } from './formats/pascal-voc/import-pascal-voc.ts';
import { viamJsonlImporter } from './formats/viam-jsonl/import-viam-jsonl.ts';
import { yoloImporter } from './formats/yolo/import-yolo.ts';
import type { DatasetImporter } from './formats/importing.ts';
import { recognizeFormat } from './recognize-format.ts';
import type { StoredIndex } from './stored/stored-index.ts';

const importers: Readonly<Record<ImportFormat, DatasetImporter>> = {
  'viam-jsonl': viamJsonlImporter,
  'label-studio': labelStudioImporter,
  labelme: labelMeImporter,
  coco: cocoImporter,
  mot: motImporter,
  yolo: yoloImporter,
  'cvat-video': cvatVideoImporter,
  cvat: cvatImporter,
  'pascal-voc': pascalVocImporter,
  csv: csvImporter,
  'class-folders': classFoldersImporter,
};

/** The formats that match a listing of files, likeliest first; for all other formats, what is missing. */
export interface FormatFindings {
  readonly found: readonly { readonly format: ImportFormat; readonly startPath: string }[];
  readonly missing: readonly { readonly format: ImportFormat; readonly reason: string }[];
  /** if no format matches: the unsupported format that it seems to be, and what to do; '' if unknown */
  readonly recognized: string;
  /** whether these are YOLO labels that only lack their class names */
  readonly lacksClassNames: boolean;
}

/** Detects the format from the names and first bytes of files. Reads no pictures. */
export async function detectFormats(listed: readonly ListedFile[]): Promise<FormatFindings> {
  return detectIn(FileIndex.of(listed, new DatasetReport()));
}

async function detectIn(files: FileIndex): Promise<FormatFindings> {
  const found: { format: ImportFormat; startPath: string }[] = [];
  const missing: { format: ImportFormat; reason: string }[] = [];
  for (const format of Object.keys(importers) as ImportFormat[]) {
    const { start, missing: reason } = await importers[format].detect(files);
    if (start) found.push({ format, startPath: start.path });
    else missing.push({ format, reason: reason ?? '' });
  }
  if (found.length > 0) return { found, missing, recognized: '', lacksClassNames: false };
  const { sentence, lacksClassNames } = await recognizeFormat(files);
  return { found, missing, recognized: sentence, lacksClassNames };
}

export interface ImportOptions {
  /** absent: the format is detected */
  readonly format?: ImportFormat;
  /** collects problems and counts while items are read */
  readonly report?: DatasetReport;
  /** stored images to match with annotations, if the files contain no pictures */
  readonly stored?: StoredIndex | null;
}

/**
 * Reads a dataset from the files of a folder or an archive, one picture at a time. A picture's bytes are read when the
 * caller reads the item's content. All items are valid for the data service: labels are not empty, corners within 0..1.
 *
 * @throws DatasetError 'unknown-format' with what each format lacks, 'unreadable-file', or 'nothing-imported' with the
 * first problem if there was no picture (not if stored images were searched)
 */
export async function* importDataset(
  listed: readonly ListedFile[],
  { format, report = new DatasetReport(), stored = null }: ImportOptions = {},
): AsyncGenerator<DatasetItem> {
  const files = FileIndex.of(listed, report, stored);
  const chosen = format ?? (await onlyFormat(files));
  const imported = new Set<Content>();
  for await (const item of importers[chosen].importItems(files, report)) {
    imported.add(item.content);
    if (item.content.sizeBytes === 0) {
      report.error(item.fileName, null, 'The picture is empty: its file has 0 bytes.');
      continue;
    }
    report.imageCount++;
    report.boxCount += item.boxes.length;
    yield item;
  }
  if (report.imageCount > 0) return noteOthers(files, imported, report);
  if (stored && stored.askedCount > 0) return; // the tally lists the names without a match
  const title = importTitles[chosen];
  const reason = report.firstError() ?? 'it lists no pictures';
  const more = report.errorCount > 1 ? ` (the first of ${report.errorCount} problems)` : '';
  throw new DatasetError('nothing-imported', `Read as ${title}, nothing could be imported: ${reason}${more}`);
}

/** Notes the pictures that no annotation refers to. */
function noteOthers({ files }: FileIndex, imported: ReadonlySet<Content>, report: DatasetReport): void {
  const [first, ...more] = files.filter((file) => isImagePath(file.path) && !imported.has(file));
  if (!first) return;
  const others = more.length === 0 ? 'This picture is' : `This picture and ${more.length} more are`;
  report.note(first.path, null, `${others} in no annotation that was imported; left out.`);
}

async function onlyFormat(files: FileIndex): Promise<ImportFormat> {
  const { found, missing, recognized } = await detectIn(files);
  if (found[0]) return found[0].format;
  if (files.files.length === 0) throw new DatasetError('unknown-format', 'There are no files in it.');
  if (recognized !== '') throw new DatasetError('unknown-format', recognized);
  throw new DatasetError(
    'unknown-format',
    `Among ${files.files.length} files (${kindsOf(files)}) none starts a dataset. ${missingWords(missing)}`,
  );
}

/** What each format lacks: with reasons for the formats that can also be exported, which are the common ones; by title for the others. */
export function missingWords(missing: FormatFindings['missing']): string {
  const [full, brief] = [true, false].map((isFull) =>
    missing.filter(({ format }) => format in datasetFormats === isFull),
  );
  const reasons = full!.map(({ format, reason }) => `${importTitles[format]}: ${reason}`).join('; ');
  return `${reasons}. Nor is it ${brief!.map(({ format }) => importTitles[format]).join(', ')}.`;
}

/** The number of files by extension, most frequent first: `12 .jpg, 3 .txt`. */
function kindsOf(files: FileIndex): string {
  const counts = new Map<string, number>();
  for (const { path } of files.files) {
    const kind = extensionOf(path) || 'without extension';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort(([, a], [, b]) => b - a).slice(0, 5);
  return kinds.map(([kind, count]) => `${count} ${kind}`).join(', ');
}
