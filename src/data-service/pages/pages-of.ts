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

/** How many entries are read at once after a first read of which the reader may not see all. */
const readOn = 500;

/**
 * A page of those entries of an ordered list that its reader may see.
 * @param read up to `limit` entries beyond a position
 * @param seen those of the given entries that the reader may see
 * @param positionOf where an entry stands in the list
 * @param after null: from the beginning
 * @param limit of entries in a page
 * @returns fewer than `limit`: there are no more
 */
export async function seenPage<Entry>(
  read: (after: Position | null, limit: number) => Promise<readonly Entry[]>,
  seen: (entries: readonly Entry[]) => readonly Entry[] | Promise<readonly Entry[]>,
  positionOf: (entry: Entry) => Position,
  after: Position | null,
  limit: number,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  // mostly the reader may see all entries, and the first read is the only one
  for (let [beyond, asked] = [after, limit]; ; asked = Math.max(limit, readOn)) {
    const entries = await read(beyond, asked);
    found.push(...(await seen(entries)));
    if (found.length >= limit || entries.length < asked) return found.slice(0, limit);
    beyond = positionOf(entries.at(-1)!);
  }
}
