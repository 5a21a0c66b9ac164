import { EJSON } from 'bson';
import { valueAt, valueText, type DocumentColumn, type ResultRow } from './document-columns.ts';

export type ResultFormat = 'csv' | 'json' | 'jsonl';

const linesAPart = 2000;

/**
 * The rows as a file, in pieces of some thousand lines. CSV has the flattened columns (RFC 4180, CRLF); JSON is one
 * list, JSONL one document a line, both in relaxed extended JSON, which preserves dates and large numbers.
 */
export function* resultFile(
  rows: readonly ResultRow[],
  columns: readonly DocumentColumn[],
  format: ResultFormat,
): Generator<string> {
  if (format === 'csv') yield `${columns.map(({ path }) => csvField(path)).join(',')}\r\n`;
  if (format === 'json') yield '[\n';
  for (let start = 0; start < rows.length; start += linesAPart) {
    const part = rows.slice(start, start + linesAPart);
    if (format === 'csv')
      yield part
        .map(
          (row) => `${columns.map((column) => csvField(valueText(valueAt(row, column) ?? undefined))).join(',')}\r\n`,
        )
        .join('');
    else {
      const lines = part.map((row) => EJSON.stringify(row, { relaxed: true }));
      const last = start + linesAPart >= rows.length;
      yield format === 'json' ? lines.join(',\n') + (last ? '\n' : ',\n') : lines.map((line) => `${line}\n`).join('');
    }
  }
  if (format === 'json') yield ']\n';
}

/** Quotes a field if necessary; a text that a spreadsheet would run as a formula gets a leading apostrophe. */
function csvField(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) || (text.startsWith('-') && Number.isNaN(Number(text))) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const resultMediaType: Readonly<Record<ResultFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
};
