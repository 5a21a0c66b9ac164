import type { TabularRow } from '../../../data-service/ports/capture.ts';
import { matchesTabular, type TabularFilter } from '../../../data-service/ports/capture-filter.ts';
import { packRows, payloadText } from '../../../data-service/ports/packed-readings.ts';
import type { TabularStore } from '../../../data-service/ports/tabular-store.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import type { CaptureCollection, SqliteCaptures } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { packedPage } from './packed-page.ts';
import { keepReceipt } from './sqlite-receipt-store.ts';
import type { SqliteFieldIndexes } from './sqlite-field-indexes.ts';
import { summarize } from './summarize.ts';

export const tabularCaptures: CaptureCollection<TabularRow, TabularFilter> = {
  table: 'tabular_captures',
  ownColumns: ({ timeSynced, payload }) => ({ time_synced: timeSynced, payload: payloadText(payload) }),
  entryColumns: 'entry, payload',
  join: joinTabular,
  matches: matchesTabular,
};

export function sqliteTabularStore(
  database: SqliteDatabase,
  captures: SqliteCaptures<TabularRow, TabularFilter>,
  indexes: SqliteFieldIndexes,
): TabularStore {
  return {
    insert: (rows, receipt) =>
      database.write(() => {
        keepReceipt(database, receipt);
        for (const row of rows) indexes.add(captures.insert(row), row);
      }),
    page: (scan) => database.read(() => captures.page(scan)),
    pageByHints: (scan, hints) => database.read(() => indexes.page(scan, hints) ?? captures.page(scan)),
    packedPage: (scan, hints) =>
      database.read(() => {
        const found = indexes.page(scan, hints);
        return found === null ? packedPage(captures, scan) : packRows(found);
      }),
    summarize: (filter) => summarize(database, tabularCaptures, filter),
    delete: (filter, limit) =>
      database.write(() => {
        const rows = captures.page({ filter, order: 'ascending', after: null, limit });
        for (const row of rows) captures.delete(row);
        return rows.length;
      }),
    arrivals: (organizationId, after, limit) =>
      database.read(() =>
        database
          .all(
            `SELECT id, time, time_synced FROM tabular_captures WHERE organization_id = ? AND (time_synced, id) > (?, ?)
             ORDER BY time_synced, id LIMIT ?`,
            ...[organizationId, after.timeSynced, after.id, limit],
          )
          .map(({ id, time, time_synced: timeSynced }) => ({
            id: id as string,
            timeRequested: time as number,
            timeSynced: timeSynced as number,
          })),
      ),
  };
}
