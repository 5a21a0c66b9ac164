import { acceptBox } from '../../item/accept-box.ts';
import { readHead } from '../../item/content.ts';
import type { DatasetBox, DatasetItem, ListedFile, SizePx } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { extensionOf, folderOf } from '../../item/inner-path.ts';
import { csvRows, parseCsv } from '../../files/parse-csv.ts';
import { readText } from '../../files/read-text.ts';
import { claimPicture, Claims, type DatasetImporter } from '../importing.ts';
import { partsOf, pictureItem, sizeOfNumbers } from '../picture-item.ts';
import { splitOfPath, splitOfWord } from '../../item/split-of-path.ts';
import { findBoxColumns, type BoxColumns } from './box-columns.ts';

/**
 * Reads tables with one box per row. The header names the columns, and a note says how they were understood. If no
 * coordinate is above 1, all are fractions of the picture's sides, otherwise pixels counted from 0. A row without corners
 * is a picture without boxes.
 */
export const csvImporter: DatasetImporter = { detect, importItems };

const headBytes = 16 * 1024;

async function tables(files: FileIndex): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for (const file of files.files.filter(({ path }) => ['.csv', '.tsv'].includes(extensionOf(path)))) {
    const rows = parseCsv(decodeText(await readHead(file, headBytes)).text).slice(0, 2);
    if (findBoxColumns(rows)) found.push(file);
  }
  return found;
}

async function detect(files: FileIndex) {
  const [start] = await tables(files);
  return start
    ? { start }
    : { start: null, missing: 'there is no .csv file with columns for picture, label and corners' };
}

interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  for (const file of await tables(files)) {
    const rows = csvRows(await readText(file, report));
    const columns = findBoxColumns(rows.map(({ fields }) => fields))!;
    const byPicture = new Map<string, TableRow[]>();
    for (const [at, { line, fields: cells }] of rows.entries()) {
      const name = cells[columns.picture]?.trim() ?? '';
      if ((at === 0 && columns.hasHeader) || name === '') continue;
      const of = byPicture.get(name);
      if (of) of.push({ line, cells });
      else byPicture.set(name, [{ line, cells }]);
    }
    const all = [...byPicture.values()].flat();
    const isInParts = all.every(({ cells }) => columns.corners.every((column) => !(Number(cells[column]) > 1)));
    report.note(file.path, null, wordsOf(columns, rows[0]!.fields, isInParts));
    report.expectedImages = (report.expectedImages ?? 0) + byPicture.size;
    for (const [name, of] of byPicture) {
      const at = { file: file.path, line: of[0]!.line };
      const picture = claimPicture(name, folderOf(file.path), { files, claims, report }, at);
      if (!picture) continue;
      const cells = of[0]!.cells;
      const declared = sizeOfNumbers(cells[columns.width], cells[columns.height]);
      yield await pictureItem(
        picture,
        {
          declared: isInParts ? null : declared,
          shapeCount: of.length,
          boxesIn: (sizePx) =>
            of.flatMap((row) => boxOf(row, columns, isInParts ? null : sizePx, file.path, report) ?? []),
          split: splitOfWord(cells[columns.split]) ?? splitOfPath(file.path),
        },
        at,
        report,
      );
    }
  }
}

/** The box of a row; null if the row only lists a picture, or its box is invalid. */
function boxOf(
  { line, cells }: TableRow,
  columns: BoxColumns,
  sizePx: SizePx | null,
  path: string,
  report: DatasetReport,
): DatasetBox | null {
  const written = columns.corners.map((column) => cells[column] ?? '');
  if (written.every((text) => text.trim() === '')) return null;
  const [a, b, c, d] = written.map((text) => (text.trim() === '' ? NaN : Number(text))) as [
    number,
    number,
    number,
    number,
  ];
  const corners =
    columns.shape === 'edges'
      ? ([a, b, c, d] as const)
      : columns.shape === 'corner-size'
        ? ([a, b, a + c, b + d] as const)
        : ([a - c / 2, b - d / 2, a + c / 2, b + d / 2] as const);
  const score = cells[columns.confidence]?.trim();
  const confidence = score ? Number(score) : undefined;
  const label = cells[columns.label]?.trim();
  return acceptBox(
    { label, corners: sizePx ? partsOf(corners, sizePx) : corners, written, confidence },
    report,
    path,
    line,
  );
}

function wordsOf(
  { picture, label, corners, shape, hasHeader }: BoxColumns,
  header: readonly string[],
  isInParts: boolean,
): string {
  const named = (column: number): string => (hasHeader ? `“${header[column]!.trim()}”` : `column ${column + 1}`);
  const box = { edges: 'edges', 'corner-size': 'corner and size', 'middle-size': 'middle and size' }[shape];
  const unit = isInParts ? 'parts of the picture' : 'pixels';
  return `Read as: picture ${named(picture)}, label ${named(label)}, ${box} ${corners.map(named).join(', ')} in ${unit}.`;
}
