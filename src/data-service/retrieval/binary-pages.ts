import type { BinaryStore } from '../ports/binary-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { positionOf, type BinaryFilter, type Position } from '../ports/capture-filter.ts';

const pageRecords = 500;

/** All matches beyond `start`, the oldest first, in batches small enough to change or delete in one transaction each. */
export async function* binaryPages(
  binary: BinaryStore,
  filter: BinaryFilter,
  signal: AbortSignal,
  { start = null, limit = pageRecords }: { readonly start?: Position | null; readonly limit?: number } = {},
): AsyncGenerator<readonly BinaryRecord[], void> {
  let after = start;
  for (;;) {
    signal.throwIfAborted();
    const records: readonly BinaryRecord[] = await binary.page({ filter, order: 'ascending', after, limit });
    if (records.length > 0) yield records;
    if (records.length < limit) return;
    after = positionOf(records.at(-1)!);
  }
}
