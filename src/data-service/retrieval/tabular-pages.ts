import type { TabularRow } from '../ports/stored-captures.ts';
import { positionOf, type Scan, type TabularFilter } from '../ports/capture-filter.ts';
import type { TabularStore } from '../ports/tabular-store.ts';

const firstRows = 50;
// A row may have 4 MB: the size of the rows before decides how many are read at a time.
const batchBytes = 4 * 2 ** 20;

/** All rows of a scan, at most its `limit` at a time, in batches that stay small in memory whatever the size of a row. */
export async function* tabularPages(
  tabular: TabularStore,
  scan: Scan<TabularFilter>,
  signal: AbortSignal,
): AsyncGenerator<readonly TabularRow[], void> {
  let after = scan.after;
  let limit = Math.min(firstRows, scan.limit);
  for (;;) {
    signal.throwIfAborted();
    const rows: readonly TabularRow[] = await tabular.page({ ...scan, after, limit });
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = positionOf(rows.at(-1)!);
    const meanBytes = rows.reduce((total, { sizeBytes }) => total + sizeBytes, 0) / rows.length;
    limit = Math.max(1, Math.min(scan.limit, Math.floor(batchBytes / Math.max(1, meanBytes))));
  }
}
