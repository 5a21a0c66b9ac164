import { valueAt, valueNumber, shownText, type DocumentColumn, type ResultRow } from '../documents/document-columns.ts';

export interface ChartPoints {
  /** ascending: seconds since 1970, numbers, or 0, 1, 2 … if x are texts */
  readonly x: readonly number[];
  /** the text at each x; null if x are times or numbers */
  readonly names: readonly string[] | null;
  readonly isTime: boolean;
  /** one line each, in the requested order; null where a row has no number */
  readonly lines: readonly (readonly (number | null)[])[];
}

/** Most points of a chart: more would share pixels. */
export const mostPoints = 100_000;

/** The points of a chart: sorted by `across` if that is a time or a number, otherwise in row order. */
export function chartPoints(
  rows: readonly ResultRow[],
  across: DocumentColumn,
  drawn: readonly DocumentColumn[],
): ChartPoints {
  const shown = rows.slice(0, mostPoints);
  const isTime = isOf(across, 'date');
  const named = !isTime && !isOf(across, 'number');
  if (named)
    return {
      x: shown.map((_, index) => index),
      names: shown.map((row) => shownText(valueAt(row, across))),
      isTime,
      lines: drawn.map((column) => shown.map((row) => valueNumber(valueAt(row, column)))),
    };
  const placed = shown
    .map((row) => ({ row, at: valueNumber(valueAt(row, across)) }))
    .filter((point): point is { row: ResultRow; at: number } => point.at !== null)
    .sort((a, b) => a.at - b.at);
  return {
    x: placed.map(({ at }) => at),
    names: null,
    isTime,
    lines: drawn.map((column) => placed.map(({ row }) => valueNumber(valueAt(row, column)))),
  };
}

export interface ChartChoice {
  readonly across: DocumentColumn;
  readonly drawn: readonly DocumentColumn[];
  readonly kind: 'line' | 'bar';
}

/** A first chart for some columns: numbers over time, or bars over names; null if neither is possible. */
export function firstChart(rows: readonly ResultRow[], columns: readonly DocumentColumn[]): ChartChoice | null {
  const times = columns.filter((column) => isOf(column, 'date'));
  const time = times.find((column) => passes(rows, column));
  const name = columns.find((column) => isOf(column, 'text'));
  const numbers = columns.filter((column) => isOf(column, 'number'));
  const across = time ?? name ?? times[0] ?? numbers[0];
  const drawn = numbers.filter((column) => column !== across).slice(0, 3);
  if (!across || drawn.length === 0) return null;
  return { across, drawn, kind: across === name ? 'bar' : 'line' };
}

/** Whether a time increases from row to row: a few distinct values make no axis. */
const passes = (rows: readonly ResultRow[], column: DocumentColumn): boolean =>
  new Set(rows.slice(0, 200).map((row) => valueNumber(valueAt(row, column)))).size > 2;

const isOf = ({ types }: DocumentColumn, type: DocumentColumn['types'][number]): boolean =>
  types.every((other) => other === type);
