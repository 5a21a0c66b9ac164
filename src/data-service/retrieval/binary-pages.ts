import type { BinaryStore } from '../ports/binary-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { positionOf, type BinaryFilter, type Position } from '../ports/capture-filter.ts';

const pageRecords = 500;

/** All matches, the oldest first, in batches small enough to change or delete in one transaction each. */
export async function* binaryPages(
  binary: BinaryStore,
  filter: BinaryFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly BinaryRecord[], void> {
  let after: Position | null = null;
  for (;;) {
    signal.throwIfAborted();
    const records: readonly BinaryRecord[] = await binary.page({
      filter,
      order: 'ascending',
      after,
      limit: pageRecords,
    });
    if (records.length > 0) yield records;
    if (records.length < pageRecords) return;
    after = positionOf(records.at(-1)!);
  }
}
