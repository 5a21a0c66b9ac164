import type { TabularRow } from '../../../data-service/ports/capture.ts';
import { matchesTabular, type Scan, type TabularFilter } from '../../../data-service/ports/capture-filter.ts';
import { packRows } from '../../../data-service/ports/packed-readings.ts';
import type { TabularStore } from '../../../data-service/ports/tabular-store.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import type { CaptureCollection, IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { IdbFieldIndexes } from './idb-field-indexes.ts';
import { keepReceipt } from './idb-receipt-store.ts';

export const tabularCaptures: CaptureCollection<TabularRow, TabularFilter> = {
  name: 'tabular',
  join: joinTabular,
  matches: matchesTabular,
};

export function idbTabularStore(
  database: IdbDatabase,
  captures: IdbCaptures<TabularRow, TabularFilter>,
  indexes: IdbFieldIndexes,
): TabularStore {
  const page = (scan: Scan<TabularFilter>): Promise<readonly TabularRow[]> =>
    database.read(['tabular', 'streams'], (transaction) => captures.page(transaction, scan));

  const pageByHints: TabularStore['pageByHints'] = (scan, hints) =>
    database.read(
      ['tabular', 'streams', 'fieldIndexes'],
      async (transaction) => (await indexes.page(transaction, scan, hints)) ?? (await captures.page(transaction, scan)),
    );

  return {
    insert: (rows, receipt) =>
      database.writeTogether(['tabular', 'streams', 'receipts', 'fieldIndexes'], async (transaction) => {
        await keepReceipt(transaction, receipt);
        await captures.put(transaction, rows, await indexes.fields(transaction));
      }),
    page,
    pageByHints,
    packedPage: async (scan, hints) => packRows(await pageByHints(scan, hints)),
    summarize: (filter) =>
      database.read(['tabular', 'streams'], (transaction) => captures.summarize(transaction, filter)),
    delete: (filter, limit) =>
      database.write(['tabular', 'streams'], async (transaction) => {
        const rows = await captures.page(transaction, { filter, order: 'ascending', after: null, limit });
        await captures.delete(transaction, rows);
        return rows.length;
      }),
    arrivals: (organizationId, after, limit) =>
      database.read(['tabular'], async (transaction) => {
        const beyond = IDBKeyRange.bound(
          [organizationId, after.timeSynced, after.id],
          [organizationId, Infinity, []],
          ...([true, false] as const),
        );
        const rows = await transaction.objectStore('tabular').index('arrival').getAll(beyond, limit);
        return rows.map(({ id, time, entry }) => ({ id, timeRequested: time, timeSynced: entry.timeSynced }));
      }),
  };
}
