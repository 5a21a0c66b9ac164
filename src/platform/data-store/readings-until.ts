import { type Micros, type Position, positionOf, type TabularRow } from '../../data-service/face/captures.ts';

/**
 * Reads what `TabularStore.delete` deletes next.
 * @param page up to `limit` readings beyond a position, in order
 * @param readingOf the reading of an entry
 * @param limit of entries
 * @param syncedUntil those synced later are left out
 * @returns fewer than `limit`: there are no more
 */
export async function readingsUntil<Entry>(
  page: (after: Position | null, limit: number) => Promise<readonly Entry[]>,
  readingOf: (entry: Entry) => TabularRow,
  limit: number,
  syncedUntil: Micros,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for (let after: Position | null = null; ;) {
    const entries = await page(after, limit);
    found.push(...entries.filter((entry) => readingOf(entry).timeSynced <= syncedUntil));
    if (found.length >= limit || entries.length < limit) return found.slice(0, limit);
    after = positionOf(readingOf(entries.at(-1)!));
  }
}
