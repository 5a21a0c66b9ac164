import { base64Encode } from '@bufbuild/protobuf/wire';
import type { RowColumns } from './row-columns.ts';
import { bytesOf, doubleText, jsonText, kindOf, type Row } from './row-values.ts';

/** Rows as CSV (RFC 4180: commas, CRLF, a line of names first), in pieces of some thousand lines. */
export async function* csvRows(
  columns: RowColumns,
  rows: AsyncIterable<Row>,
  isForSpreadsheets: boolean,
): AsyncGenerator<string, void> {
  const field = isForSpreadsheets ? (text: string) => csvField(withoutFormula(text)) : csvField;
  const line = (texts: readonly string[]): string => `${texts.join(',')}\r\n`;
  if (columns.columns.length === 0) return;
  let lines = line(columns.columns.map(({ name }) => field(name)));
  for await (const row of rows) {
    lines += line(columns.valuesOf(row).map((value) => fieldOf(value, field)));
    if (lines.length < pieceLength) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

const pieceLength = 2 ** 20;

/** A missing value and null are nothing at all; the empty text is "". */
function fieldOf(value: unknown, field: (text: string) => string): string {
  switch (kindOf(value)) {
    case null:
      return '';
    case 'text':
      return value === '' ? '""' : field(value as string);
    case 'double':
      return doubleText(value as number);
    case 'time':
      return (value as Date).toISOString();
    case 'bytes':
      return base64Encode(bytesOf(value));
    case 'json':
      return field(jsonText(value));
    default:
      return String(value);
  }
}

const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Puts an apostrophe in front of a text that a spreadsheet would run as a formula, and of one that already has apostrophes in front of a
 * formula: to read the text again, remove one apostrophe from each of these.
 */
const withoutFormula = (text: string): string => (/^'*[=+@\t\r-]/.test(text) && !isNumber(text) ? `'${text}` : text);

const isNumber = (text: string): boolean => text.startsWith('-') && !Number.isNaN(Number(text));
