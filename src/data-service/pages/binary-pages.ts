import type { BinaryStore } from '../ports/binary-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { positionOf, type BinaryFilter, type Position } from '../ports/capture-filter.ts';
import { pagesOf } from './pages-of.ts';

const pageRecords = 500;

/** All matches beyond `start`, the oldest first, in batches small enough to change or delete in one transaction each. */
export function binaryPages(
  binary: Pick<BinaryStore, 'page'>,
  filter: BinaryFilter,
  signal: AbortSignal | undefined,
  { start = null, limit = pageRecords }: { readonly start?: Position | null; readonly limit?: number } = {},
): AsyncGenerator<readonly BinaryRecord[], void> {
  const read = (after: Position | null) => {
    signal?.throwIfAborted();
    return binary.page({ filter, order: 'ascending', after, limit });
  };
  return pagesOf(read, limit, positionOf, start);
}
