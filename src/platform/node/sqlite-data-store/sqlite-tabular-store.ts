import type { Clock } from '../../../data-service/face/hosts.ts';
import {
  deletionOfReadings,
  packRows,
  type Position,
  positionOf,
  type ReadingRuns,
  type TabularFilter,
  type TabularRow,
  type TabularStore,
} from '../../../data-service/face/captures.ts';
import { requireInTime } from '../../../data-service/face/stores.ts';
import type { KeepChanges, SqliteTables } from './sqlite-tables.ts';
import type { SqliteCaptures } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { keepReceipt } from '../../data-store/entities/receipt-store.ts';
import { runNow } from '../../data-store/steps.ts';
import type { SqliteFieldIndexes } from './sqlite-field-indexes.ts';
import type { ReadingPacking } from './reading-packing.ts';
import { originCounts } from './origin-counts.ts';
import { readingRuns } from './reading-runs.ts';
import { arrivedBefore } from './sqlite-sheets.ts';
import { countAdded, countDeleted } from './sqlite-usage-store.ts';
import { summarize } from './summarize-captures.ts';
import { tabularCaptures } from './tabular-captures.ts';
import type { TurnRows } from '../../data-store/turn-rows.ts';

/** The part of the tabular store that only reads. */
export type SqliteTabularReader = Omit<TabularStore, 'insert' | 'delete'> & ReadingRuns;

export function sqliteTabularReader(
  database: SqliteDatabase,
  captures: SqliteCaptures<TabularRow, TabularFilter>,
  indexes: SqliteFieldIndexes,
): SqliteTabularReader {
  return {
    page: (scan) => database.read(() => captures.page(scan)),
    pageByHints: (scan, hints) => database.read(() => indexes.page(scan, hints) ?? captures.page(scan)),
    packedPage: (scan, hints) => database.read(() => packRows(indexes.page(scan, hints) ?? captures.page(scan))),
    summarize: (filter) => summarize(database, tabularCaptures, filter),
    readingRuns(filter, hints) {
      const needsPages = filter.tags.length > 0 || filter.additionalParameters !== null;
      if (needsPages || indexes.answers(filter.organizationId, hints)) return null;
      return database.readAll(() => readingRuns(captures, filter));
    },
    originCounts: (filter) => database.readAll(() => originCounts(captures, filter)),
    arrivals: (organizationId, after, limit) =>
      database.read(() => {
        const loose = database
          .all(
            `SELECT id, time, time_synced FROM tabular_captures WHERE organization_id = ? AND (time_synced, id) > (?, ?)
             ORDER BY time_synced, id LIMIT ?`,
            organizationId,
            after.timeSynced,
            after.id,
            limit,
          )
          .map(({ id, time, time_synced: timeSynced }) => ({
            id: id as string,
            timeRequested: time as number,
            timeSynced: timeSynced as number,
          }));
        const packed = captures.sheets!.arrivals(captures.streams.ofOrganization(organizationId), after, limit);
        return [...loose, ...packed].sort((a, b) => (arrivedBefore(a, b) ? -1 : 1)).slice(0, limit);
      }),
  };
}

export function sqliteTabularStore(
  database: SqliteDatabase,
  tables: SqliteTables,
  captures: SqliteCaptures<TabularRow, TabularFilter>,
  indexes: SqliteFieldIndexes,
  packing: ReadingPacking,
  turnRows: TurnRows,
  clock: Clock,
  keep: KeepChanges,
): TabularStore {
  const deleteRows = (organizationId: string, rows: readonly TabularRow[]): void => {
    const inSheets = rows.filter((row) => !captures.delete(row));
    for (const [stream, own] of captures.byStream(inSheets)) captures.sheets!.remove(stream, own.map(positionOf));
    countDeleted(database, 'readings', organizationId, {
      count: rows.length,
      totalSizeBytes: rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    });
  };
  const deleteSheets = (filter: TabularFilter, limit: number, syncedUntil: number): number => {
    const deleted = captures.deleteSheets(filter, limit, syncedUntil);
    countDeleted(database, 'readings', filter.organizationId, deleted);
    return deleted.count;
  };

  return {
    ...sqliteTabularReader(database, captures, indexes),
    async insert(rows, receipt, notAfter = Infinity) {
      const added = await database.write(() => {
        requireInTime(clock.now(), notAfter);
        runNow(keepReceipt(tables, receipt));
        const left = packing.packAtOnce(rows);
        for (const row of left) indexes.add(captures.insert(row), row);
        countAdded(database, 'readings', rows);
        return captures.byStream(left);
      });
      packing.added(added);
    },
    async delete(filter, limit, syncedUntil = Infinity) {
      let deleted = 0;
      let after: Position | null = null;
      while (deleted < limit) {
        const left = limit - deleted;
        const isOver = await database.write(() => {
          let gone = deleteSheets(filter, left, syncedUntil);
          let isLast = false;
          if (gone === 0) {
            turnRows.run((most) => {
              const page = captures.page({ filter, order: 'ascending', after, limit: Math.min(most, left) });
              const rows = page.filter(({ timeSynced }) => timeSynced <= syncedUntil);
              deleteRows(filter.organizationId, rows);
              gone = rows.length;
              isLast = page.length === 0;
              if (page.length > 0) after = positionOf(page.at(-1)!);
              return page.length;
            });
          }
          keep(deletionOfReadings(filter, gone));
          deleted += gone;
          return isLast;
        });
        if (isOver) break;
      }
      return deleted;
    },
  };
}
