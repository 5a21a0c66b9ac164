import type { Position } from '../ports/capture-filter.ts';
import { fromCursor, toCursor } from './cursor.ts';
import { invalidArgument } from './invalid-argument.ts';

interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** '': there is no next page */
  readonly nextPageToken: string;
}

/**
 * A page of a list, and the token of the next one.
 * @param pageToken of the request
 * @param limit of entries in a page
 * @param list entries beyond a position, in order
 * @throws ConnectError InvalidArgument for a token that no page ended with
 */
export async function readPage<Entry>(
  pageToken: string,
  limit: number,
  list: (after: Position | null, limit: number) => Promise<readonly Entry[]>,
  positionOf: (entry: Entry) => Position,
): Promise<Page<Entry>> {
  const found = await list(fromPageToken(pageToken), limit + 1);
  const entries = found.slice(0, limit);
  return { entries, nextPageToken: found.length > limit ? toCursor(positionOf(entries.at(-1)!)) : '' };
}

function fromPageToken(token: string): Position | null {
  try {
    return fromCursor(token);
  } catch {
    throw invalidArgument('page_token is none that a page ended with; give next_page_token of a page, or nothing.');
  }
}
