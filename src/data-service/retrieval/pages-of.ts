import type { Position } from '../ports/capture-filter.ts';

/**
 * All entries of an ordered list beyond `start`, page by page; no page is empty.
 * @param read up to `limit` entries beyond a position; null: from the beginning
 * @param limit of entries in a page
 * @param positionOf where an entry stands in the list
 */
export async function* pagesOf<Entry>(
  read: (after: Position | null) => Promise<readonly Entry[]>,
  limit: number,
  positionOf: (entry: Entry) => Position,
  start: Position | null = null,
): AsyncGenerator<readonly Entry[], void> {
  for (let after = start; ;) {
    const page = await read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < limit) return;
    after = positionOf(last);
  }
}
