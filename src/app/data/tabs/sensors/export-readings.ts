import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { DataContext } from '../../context/data-context.ts';
import { ColumnCollector } from '../../shared/documents/document-columns.ts';
import { resultFile, resultMediaType } from '../../shared/documents/document-files.ts';
import { intervalMs, type DataFilter } from '../../shared/filters/data-filter.ts';
import { readingRow, type ReadingRow } from './reading-rows.ts';
import type { ReadingSource } from './reading-sources.ts';

export interface ReadingsExport {
  readonly sources: readonly ReadingSource[];
  readonly filter: Pick<DataFilter, 'start' | 'end'>;
  readonly format: 'csv' | 'json';
  readonly signal: AbortSignal;
  /** readings written so far */
  readonly onProgress: (count: number) => void;
}

const rowsAPart = 2000;

/**
 * Writes all readings of some sources in an interval to a file, oldest first. The service streams the rows, so they are
 * never all in memory. A CSV file needs two passes: the first one finds the columns.
 * @throws ConnectError
 */
export async function exportReadings(context: Pick<DataContext, 'data'>, asked: ReadingsExport): Promise<Blob> {
  const collector = new ColumnCollector();
  if (asked.format === 'csv') for await (const row of streamed(context, asked)) collector.add(row);
  const { columns } = collector;
  const parts: Blob[] = [];
  let count = 0;
  const write = (rows: readonly ReadingRow[]): void => {
    const text = [
      ...(asked.format === 'csv' ? resultFile(rows, columns, 'csv') : resultFile(rows.map(plain), [], 'jsonl')),
    ];
    // CSV: the first part keeps the header line. JSON: commas separate the objects, also between two parts.
    if (asked.format === 'csv') parts.push(new Blob(count === 0 ? text : text.slice(1)));
    else parts.push(new Blob([count === 0 ? '[\n' : ',\n', text.join('').trimEnd().split('\n').join(',\n')]));
    count += rows.length;
    asked.onProgress(count);
  };
  let part: ReadingRow[] = [];
  for await (const row of streamed(context, asked)) {
    part.push(row);
    if (part.length < rowsAPart) continue;
    write(part);
    part = [];
  }
  if (part.length > 0) write(part);
  if (asked.format === 'json') parts.push(new Blob([count === 0 ? '[]\n' : '\n]\n']));
  return new Blob(parts, { type: resultMediaType[asked.format] });
}

/** A row as JSON: readings are JSON already, and the time becomes text in the format of exported tables. */
const plain = (row: ReadingRow): ReadingRow => ({
  ...row,
  ...(row['time'] instanceof Date && { time: row['time'].toISOString() }),
});

async function* streamed({ data }: Pick<DataContext, 'data'>, asked: ReadingsExport): AsyncGenerator<ReadingRow> {
  const { start, end } = intervalMs(asked.filter);
  const interval = {
    ...(start !== null && { start: timestampFromMs(start) }),
    ...(end !== null && { end: timestampFromMs(end) }),
  };
  for (const { partId, componentName, componentType, methodName } of asked.sources) {
    const request = { partId, resourceName: componentName, resourceSubtype: componentType, methodName, interval };
    for await (const row of data.exportTabularData(request, { signal: asked.signal }))
      yield readingRow(row.timeCaptured, row.resourceName, row.payload);
  }
}
