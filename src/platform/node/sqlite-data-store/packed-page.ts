import type { StructObject, TabularRow } from '../../../data-service/ports/capture.ts';
import type { Scan, TabularFilter } from '../../../data-service/ports/capture-filter.ts';
import {
  packReadings,
  packRows,
  type PackedPage,
  type ReadingToPack,
} from '../../../data-service/ports/packed-readings.ts';
import { readEntry } from './entry-table.ts';
import type { SqliteCaptures } from './sqlite-captures.ts';

/** A page off the texts of the payloads: only rows that have none are taken apart. */
export function packedPage(captures: SqliteCaptures<TabularRow, TabularFilter>, scan: Scan<TabularFilter>): PackedPage {
  const { filter, limit } = scan;
  // the ranges of a scan settle the rest of a filter, up to streams of others where it reads past them
  if (filter.additionalParameters !== null) return packRows(captures.page(scan));
  const streams = new Map(captures.streams.matching(filter).matching.map((id) => [id, captures.streams.byId(id)]));
  const readings: ReadingToPack[] = [];
  const columns = 'time, id, stream, payload, CASE WHEN payload IS NULL THEN entry END';
  const items = captures.items(scan, columns, ([time, id, stream, text, entry]) => ({
    ...{ time: time as number, id: id as string, text: text as string | null },
    origin: streams.get(stream as number)!,
    payload: () => readEntry<TabularRow>(entry).payload as StructObject,
  }));
  for (const batch of items) {
    for (const reading of batch) if (reading.origin !== undefined) readings.push(reading);
    if (readings.length >= limit) break;
  }
  return packReadings(readings.slice(0, limit));
}
