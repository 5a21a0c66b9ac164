import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { parseCsv } from '../../../../evidence/datasets/face/files.ts';
import { readTimeMicros } from './read-time.ts';

/** A table that was read from a file. */
export interface RowsTable {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
  /** columns in which every value is a moment, the likeliest first */
  readonly timeColumns: readonly string[];
}

/** Why a file is not a table, in words for the person who dropped it. */
class RowsError extends Error {
  override readonly name = 'RowsError';
  readonly code: 'not-json' | 'not-rows' | 'empty';
  constructor(code: RowsError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads CSV, a JSON array of objects, or one object a line. @throws RowsError */
export function readRows(text: string, fileName: string): RowsTable {
  const rows = /\.(csv|tsv)$/i.test(fileName) ? csvRows(text) : jsonRows(text);
  if (rows.length === 0) throw new RowsError('empty', 'It has no rows.');
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, rows, timeColumns: timeColumns(columns, rows) };
}

function csvRows(text: string): JsonObject[] {
  const [header, ...lines] = parseCsv(text);
  if (!header || lines.length === 0) throw new RowsError('empty', 'It has no rows below its header.');
  const names = header.map((name, at) => name.trim() || `column ${at + 1}`);
  return lines.map((fields) =>
    Object.fromEntries(
      names.flatMap((name, at) => {
        const value = cellValue(fields[at] ?? '');
        return value === null ? [] : [[name, value]];
      }),
    ),
  );
}

/** Converts numbers and booleans; an empty cell is null. A leading zero or + marks a code, not a number. */
function cellValue(text: string): JsonValue {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(trimmed) && Math.abs(Number(trimmed)) <= Number.MAX_SAFE_INTEGER)
    return Number(trimmed);
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  return text;
}

function jsonRows(text: string): JsonObject[] {
  const parsed = parseWhole(text) ?? parseLines(text);
  const list = Array.isArray(parsed) ? parsed : isObject(parsed) ? innerRows(parsed) : null;
  if (!list) throw new RowsError('not-rows', 'It is JSON, but not a list of objects.');
  const other = list.findIndex((row) => !isObject(row));
  if (other !== -1) throw new RowsError('not-rows', `Its row ${other + 1} is not an object.`);
  return list as JsonObject[];
}

function parseWhole(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function parseLines(text: string): JsonValue[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as JsonValue];
    } catch {
      throw new RowsError('not-json', `Its line ${at + 1} is not JSON.`);
    }
  });
}

/** The rows of an object: the first list of objects in it; otherwise the object itself is the only row. */
function innerRows(object: JsonObject): readonly JsonValue[] {
  const list = Object.values(object).find((value) => Array.isArray(value) && value.length > 0 && value.every(isObject));
  return (list as JsonValue[] | undefined) ?? [object];
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sampledRows = 200;

function timeColumns(columns: readonly string[], rows: readonly JsonObject[]): readonly string[] {
  const some = rows.slice(0, sampledRows);
  const isTime = (column: string): boolean => some.every((row) => readTimeMicros(row[column]) !== null);
  const byName = (column: string): number =>
    /^(time|timestamp|ts|time_?requested|time_?captured|captured_?at|date_?time)$/i.test(column)
      ? 0
      : /time|date|stamp/i.test(column)
        ? 1
        : 2;
  return columns.filter(isTime).toSorted((a, b) => byName(a) - byName(b));
}
