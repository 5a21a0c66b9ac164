import type {
  BinaryFilter,
  BinaryRecord,
  Summary,
  TabularFilter,
  TabularRow,
} from '../../../data-service/face/captures.ts';
import { SqliteCaptures, type CaptureCollection } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Counts off the index where it can, else by reading all that may match. */
export function summarize<Capture extends BinaryRecord | TabularRow, Filter extends BinaryFilter | TabularFilter>(
  database: SqliteDatabase,
  collection: CaptureCollection<Capture, Filter>,
  filter: Filter,
): Promise<Summary> {
  return database.readSlowly(function* (reader) {
    const captures = new SqliteCaptures(reader, collection);
    const known = yield* captures.summarizeByIndex(filter);
    if (known !== null) return known;
    const total = { count: 0, totalSizeBytes: 0 };
    for (const matches of captures.scan({ filter, order: 'ascending', after: null, limit: Infinity })) {
      total.count += matches.length;
      for (const { sizeBytes } of matches) total.totalSizeBytes += sizeBytes;
      yield;
    }
    return total;
  });
}
