import { numberText } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { columnsOf, valueAt, shownText } from '../../shared/documents/document-columns.ts';
import { readingRow } from './reading-rows.ts';
import type { ReadingSource } from './reading-sources.ts';

/** The newest reading of one source as texts: its time, and the name and value of each field. */
export interface LatestReading {
  readonly time: string;
  readonly values: readonly (readonly [name: string, text: string])[];
}

/** Reads the newest reading of a source. @throws ConnectError, also if the source lacks a name that the request needs */
export async function readLatest(
  { data }: Pick<DataContext, 'data'>,
  { partId, componentName, componentType, methodName }: ReadingSource,
  signal: AbortSignal,
): Promise<LatestReading> {
  const request = { partId, resourceName: componentName, resourceSubtype: componentType, methodName };
  const { timeCaptured, payload } = await data.getLatestTabularData(request, { signal });
  const { time, component: _, ...values } = readingRow(timeCaptured, '', payload);
  return {
    time: time === null ? '' : shownText(time),
    values: columnsOf([values]).map((column) => [column.path, inWords(valueAt(values, column))]),
  };
}

const inWords = (value: unknown): string => (typeof value === 'number' ? numberText(value) : shownText(value));
