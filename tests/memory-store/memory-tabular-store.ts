import { matchesTabular } from '../../src/data-service/ports/capture-filter.ts';
import { deletionOfReadings } from '../../src/data-service/ports/describe-capture-changes.ts';
import { packRows } from '../../src/data-service/ports/packed-readings.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';
import { requireInTime } from '../../src/data-service/ports/store-refusals.ts';
import type { TabularStore } from '../../src/data-service/ports/tabular-store.ts';
import { scanCaptures } from './scan-captures.ts';
import { keepReceipt } from '../../src/platform/data-store/entities/receipt-store.ts';
import { requireQuotas, type KeepChanges, type Tables } from './tables.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';

export function memoryTabularStore(tables: Tables, clock: Clock, keep: KeepChanges): TabularStore {
  const page: TabularStore['page'] = async (scan) =>
    scanCaptures(tables.tabular.values(), scan, (row) => matchesTabular(scan.filter, row));

  return {
    async insert(rows, receipt, notAfter = Infinity) {
      requireInTime(clock.now(), notAfter);
      tables.rows.write(function* (kept) {
        yield* keepReceipt(kept, receipt);
        requireQuotas(tables, rows);
        for (const row of rows) tables.tabular.set(row.id, row);
      });
    },
    page,
    pageByHints: page,
    packedPage: async (scan) => packRows(await page(scan)),
    async summarize(filter) {
      const rows = [...tables.tabular.values()].filter((row) => matchesTabular(filter, row));
      return { count: rows.length, totalSizeBytes: rows.reduce((total, { sizeBytes }) => total + sizeBytes, 0) };
    },
    async delete(filter, limit, syncedUntil = Infinity) {
      const rows = [...tables.tabular.values()]
        .filter((row) => matchesTabular(filter, row) && row.timeSynced <= syncedUntil)
        .slice(0, limit);
      for (const { id } of rows) tables.tabular.delete(id);
      keep(deletionOfReadings(filter, rows.length));
      return rows.length;
    },
    async arrivals(organizationId, after, limit) {
      return [...tables.tabular.values()]
        .filter((row) => row.organizationId === organizationId)
        .map(({ id, timeRequested, timeSynced }) => ({ id, timeRequested, timeSynced }))
        .filter(
          (row) => row.timeSynced - after.timeSynced > 0 || (row.timeSynced === after.timeSynced && row.id > after.id),
        )
        .sort((a, b) => a.timeSynced - b.timeSynced || byText(a.id, b.id))
        .slice(0, limit);
    },
  };
}
