import type { Micros, StructValue, TabularRow } from './capture.ts';
import type { Scan, Summary, TabularFilter } from './capture-filter.ts';
import type { PackedPage } from './packed-readings.ts';
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

/** What an arrival scan tells: which times the late data belongs to. */
export interface Arrival {
  readonly id: string;
  readonly timeRequested: Micros;
  readonly timeSynced: Micros;
}

/** The readings of sensors. Every method is atomic and durable by itself, as in BinaryStore. */
export interface TabularStore {
  /** Adds the rows of one upload together with its receipt. A known receipt: `already-exists`. */
  insert(rows: readonly TabularRow[], receipt: UploadReceipt): Promise<void>;

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
   * Removes up to `limit` matches, any of them, in turns that are whole each: others are served in between, and a host that ends
   * has removed some. Returns how many. Fewer than `limit` means that none are left.
   */
  delete(filter: TabularFilter, limit: number): Promise<number>;

  /** What was synced beyond `after` = (time synced, id), ascending: how schedulers find late data. */
  arrivals(
    organizationId: string,
    after: { readonly timeSynced: Micros; readonly id: string },
    limit: number,
  ): Promise<readonly Arrival[]>;
}
