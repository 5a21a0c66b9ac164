import type { Clock } from '../../../../data-service/face/hosts.ts';
import {
  deletionOfReadings,
  matchesTabular,
  packRows,
  positionOf,
  type Scan,
  type TabularFilter,
  type TabularRow,
  type TabularStore,
} from '../../../../data-service/face/captures.ts';
import { readingsUntil } from '../../../data-store/readings-until.ts';
import { requireInTime } from '../../../../data-service/face/stores.ts';
import { keepReceipt } from '../../../data-store/entities/receipt-store.ts';
import { runInTurn } from '../../../data-store/steps.ts';
import { joinTabular } from '../../../data-store/capture-stream.ts';
import { IdbTables, type KeepChanges } from './idb-tables.ts';
import type { CaptureCollection, IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { IdbFieldIndexes } from './idb-field-indexes.ts';
import type { IdbUsage } from './idb-usage.ts';
import type { IdbSheets } from './idb-sheets.ts';
import { packedPage } from './packed-page.ts';
import type { WriteTransaction } from './schema.ts';

export const tabularCaptures: CaptureCollection<TabularRow, TabularFilter> = {
  name: 'tabular',
  join: joinTabular,
  matches: matchesTabular,
};

export function idbTabularStore(
  database: IdbDatabase,
  captures: IdbCaptures<TabularRow, TabularFilter>,
  usage: IdbUsage,
  indexes: IdbFieldIndexes,
  sheets: IdbSheets,
  clock: Clock,
  keep: KeepChanges,
): TabularStore {
  /** Takes the rows out of their sheets; returns how many there are of each stream. */
  async function unsheet(
    transaction: WriteTransaction,
    rows: readonly TabularRow[],
  ): Promise<ReadonlyMap<number, number>> {
    const streams = await captures.streamsOf(transaction, rows);
    const byStream = new Map<number, TabularRow[]>();
    for (const [index, row] of rows.entries()) {
      const stream = streams[index]!;
      const own = byStream.get(stream);
      if (own) own.push(row);
      else byStream.set(stream, [row]);
    }
    for (const [stream, own] of byStream) await sheets.forget(transaction, stream, own.map(positionOf));
    return new Map(Array.from(byStream, ([stream, own]) => [stream, own.length]));
  }

  const page = (scan: Scan<TabularFilter>): Promise<readonly TabularRow[]> =>
    database.read(['tabular', 'streams'], (transaction) => captures.page(transaction, scan));

  const pageByHints: TabularStore['pageByHints'] = (scan, hints) =>
    database.read(
      ['tabular', 'streams', 'fieldIndexes'],
      async (transaction) => (await indexes.page(transaction, scan, hints)) ?? (await captures.page(transaction, scan)),
    );

  return {
    async insert(rows, receipt, notAfter = Infinity) {
      const stores = ['tabular', 'streams', 'tallies', 'receipts', 'fieldIndexes', 'sheets', 'organizations'] as const;
      const added = await database.writeTogether(stores, async (transaction) => {
        requireInTime(clock.now(), notAfter);
        if (receipt.fromClient) await runInTurn(keepReceipt(new IdbTables(transaction, clock), receipt));
        await captures.put(transaction, rows, { fieldsOf: await indexes.fields(transaction) });
        await usage.requireQuotas(transaction, rows);
        return unsheet(transaction, rows);
      });
      for (const [stream, count] of added) sheets.added(stream, count);
    },
    page,
    pageByHints,
    packedPage: (scan, hints) =>
      database.read(['tabular', 'streams', 'fieldIndexes', 'sheets'], async (transaction) => {
        const found = await indexes.page(transaction, scan, hints);
        return found === null ? packedPage(transaction, captures, sheets, scan) : packRows(found);
      }),
    summarize: (filter) =>
      database.read(['tabular', 'streams', 'tallies'], (transaction) => captures.summarize(transaction, filter)),
    delete: (filter, limit, syncedUntil = Infinity) =>
      database.write(['tabular', 'streams', 'tallies', 'sheets', 'auditRows'], async (transaction) => {
        const rows = await readingsUntil(
          (after, most) => captures.page(transaction, { filter, order: 'ascending', after, limit: most }),
          (row) => row,
          limit,
          syncedUntil,
        );
        await captures.delete(transaction, rows);
        await unsheet(transaction, rows);
        await keep(transaction, deletionOfReadings(filter, rows.length));
        return rows.length;
      }),
    arrivals: (organizationId, after, limit) =>
      database.read(['tabular'], async (transaction) => {
        const beyond = IDBKeyRange.bound(
          [organizationId, after.timeSynced, after.id],
          [organizationId, Infinity, []],
          true,
          false,
        );
        const rows = await transaction.objectStore('tabular').index('arrival').getAll(beyond, limit);
        return rows.map(({ id, time, entry }) => ({ id, timeRequested: time, timeSynced: entry.timeSynced }));
      }),
  };
}
