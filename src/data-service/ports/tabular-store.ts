import type { Micros, StructValue, TabularRow } from './stored-captures.ts';
import type { Scan, Summary, TabularFilter } from './capture-filter.ts';
import type { PackedPage, PackedReadings, ReadingParts } from './packed-readings.ts';
import type { UploadReceipt } from './upload-receipt.ts';

/**
 * A necessary condition on one field of the document of a row, as `data.readings.temp` or `component_name`
 * (data-service/query makes the documents). Bounds compare within one type, as MongoDB does.
 */
export interface FieldHint {
  readonly path: string;
  readonly from: { readonly value: StructValue; readonly inclusive: boolean } | null;
  readonly to: { readonly value: StructValue; readonly inclusive: boolean } | null;
}

/** The times of late data, for schedulers. */
export interface Arrival {
  readonly id: string;
  readonly timeRequested: Micros;
  readonly timeSynced: Micros;
}

/** The readings of sensors. Every method is atomic and durable by itself, as in BinaryStore. */
export interface TabularStore {
  /**
   * Adds the rows of one upload together with its receipt. A known receipt: `already-exists`. A store whose time is beyond `notAfter`
   * takes nothing: `unavailable`. What it is given in time is added in time, or counts as under way (`DataStore.oldestWrite`).
   */
  insert(rows: readonly TabularRow[], receipt: UploadReceipt, notAfter?: Micros): Promise<void>;

  /** Up to `limit` matches beyond `after`, in order. Fewer than `limit` means that there are no more. */
  page(scan: Scan<TabularFilter>): Promise<readonly TabularRow[]>;

  /**
   * Like `page`, but may leave out rows that break a hint, by means of an index; the caller still tests every row.
   * A store without a fitting index answers as `page` does. Order, position and limit hold for what is returned.
   */
  pageByHints(scan: Scan<TabularFilter>, hints: readonly FieldHint[]): Promise<readonly TabularRow[]>;

  /**
   * `pageByHints` for queries that look at nothing but origin, time requested and payload. A store that keeps rows in no
   * cheaper form packs them: `packRows(await pageByHints(scan, hints))`.
   */
  packedPage(scan: Scan<TabularFilter>, hints: readonly FieldHint[]): Promise<PackedPage>;

  summarize(filter: TabularFilter): Promise<Summary>;

  /**
   * Deletes up to `limit` matches in any order, in several transactions, so that other calls are served in between;
   * if the host dies, some are deleted. Resolves to the number. Fewer than `limit`: none are left.
   * @param syncedUntil those synced later stay; absent: none do
   */
  delete(filter: TabularFilter, limit: number, syncedUntil?: Micros): Promise<number>;

  /** Readings synced after `after` = (time synced, id), ascending: schedulers find late data by it. */
  arrivals(
    organizationId: string,
    after: { readonly timeSynced: Micros; readonly id: string },
    limit: number,
  ): Promise<readonly Arrival[]>;
}

/** A store that packs all that a query reads, each page while the one before is being used. */
export interface PackedScans {
  /**
   * Up to `limit` readings that match a filter, ascending, in one consistent state; it may leave out readings that break a hint.
   * For filters without additional parameters. It may hold more than the wanted parts.
   */
  packedScan(
    filter: TabularFilter,
    hints: readonly FieldHint[],
    limit: number,
    wanted: ReadingParts,
  ): AsyncIterable<PackedReadings>;
}
