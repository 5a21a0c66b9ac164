import type { Position } from '../ports/capture-filter.ts';
import { fromCursor, toCursor } from './cursor.ts';
import { Turns } from '../../base/schedule/turns.ts';
import { invalidArgument } from './invalid-argument.ts';

interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** '': there is no next page */
  readonly nextPageToken: string;
}

/** How large entries are, and how large all of a page may be together. */
interface PageSize<Entry> {
  /** in bytes, or about that */
  readonly sizeOf: (entry: Entry) => number;
  /** the first entry of a page may be larger */
  readonly most: number;
  /** so many entries are read at a time */
  readonly readAtOnce: number;
  /** a list that may give fewer entries than asked for, and has ended when it gives none */
  readonly endsEmpty?: boolean;
}

/**
 * A page of a list, and the token of the next one.
 * @param pageToken of the request
 * @param limit of entries in a page
 * @param list entries beyond a position, in order; fewer than asked for: there are no more
 * @param size absent: entries are small
 * @throws ConnectError InvalidArgument for a token that no page ended with
 */
export async function readPage<Entry>(
  pageToken: string,
  limit: number,
  list: (after: Position | null, limit: number) => Promise<readonly Entry[]>,
  positionOf: (entry: Entry) => Position,
  size: PageSize<Entry> = { sizeOf: () => 0, most: 0, readAtOnce: Infinity },
): Promise<Page<Entry>> {
  const entries: Entry[] = [];
  const turns = new Turns();
  let bytes = 0;
  const start = fromPageToken(pageToken);
  // many calls may begin at once
  if (size.most > 0) await turns.next();
  for (let after = start; ; after = positionOf(entries.at(-1)!)) {
    const asked = Math.min(limit + 1 - entries.length, size.readAtOnce);
    const bytesBefore = bytes;
    const found = await list(after, asked);
    for (const entry of found) {
      bytes += size.sizeOf(entry);
      const isFull = entries.length === limit || (entries.length > 0 && bytes > size.most);
      if (isFull) return { entries, nextPageToken: toCursor(positionOf(entries.at(-1)!)) };
      entries.push(entry);
    }
    if (found.length < (size.endsEmpty ? 1 : asked)) return { entries, nextPageToken: '' };
    // to read a byte is about one unit of work
    if (turns.spend(bytes - bytesBefore)) await turns.next();
  }
}

function fromPageToken(token: string): Position | null {
  try {
    return fromCursor(token);
  } catch {
    throw invalidArgument('page_token is none that a page ended with; give next_page_token of a page, or nothing.');
  }
}
