import { randomBytes } from 'node:crypto';
import { MongoError } from './mongo-error.ts';
import { rawDocument } from './raw-document.ts';

/** MongoDB's own: the first batch of a find, how long a cursor waits for its client, and what fits a document. */
const firstBatchRows = 101;
const idleTimeoutMs = 10 * 60_000;
const maxBatchBytes = 16 * 1024 * 1024;
/** Past these the cursor that waited longest is closed, first an organization's own, then anybody's. */
const maxCursorsPerOwner = 100;
const maxBytesPerOwner = 128 * 1024 * 1024;
const maxBytes = 1024 * 1024 * 1024;

interface Cursor {
  readonly id: bigint;
  readonly owner: string;
  readonly namespace: string;
  readonly rows: readonly Uint8Array[];
  readonly bytes: number;
  next: number;
  idle: NodeJS.Timeout;
}

/** The answers that clients have not read to the end, by their cursors; any connection of the same owner may read on. */
export class OpenCursors {
  /** in order of their last use */
  readonly #cursors = new Map<string, Cursor>();

  /** The first batch of an answer, and a cursor where that is not all. `size` null: as many as MongoDB gives. */
  open(
    owner: string,
    namespace: string,
    rows: readonly Uint8Array[],
    { size, single }: { readonly size: number | null; readonly single: boolean },
  ): Uint8Array {
    const end = endOfBatch(rows, 0, size ?? firstBatchRows);
    if (end === rows.length || single) return batch('firstBatch', rows.slice(0, end), 0n, namespace);
    const bytes = rows.reduce((sum, row) => sum + row.length, 0);
    const cursor: Cursor = {
      id: newId(),
      owner,
      namespace,
      rows,
      bytes,
      next: end,
      idle: setTimeout(() => undefined, 0),
    };
    this.#keep(cursor);
    this.#makeRoom(cursor);
    return batch('firstBatch', rows.slice(0, end), cursor.id, namespace);
  }

  /** @throws MongoError CursorNotFound, also for another owner's */
  read(owner: string, id: string, namespace: string, size: number | null): Uint8Array {
    const cursor = this.#cursors.get(id);
    if (cursor?.owner !== owner) {
      throw new MongoError(
        'CursorNotFound',
        `There is no cursor ${id}; it was read to its end, closed, or idle too long.`,
      );
    }
    if (cursor.namespace !== namespace) {
      throw new MongoError('Unauthorized', `Cursor ${id} is not of ${namespace}.`);
    }
    const start = cursor.next;
    cursor.next = endOfBatch(cursor.rows, start, size === null || size === 0 ? Infinity : size);
    const isEnd = cursor.next === cursor.rows.length;
    if (isEnd) this.#drop(cursor);
    else this.#keep(cursor);
    return batch('nextBatch', cursor.rows.slice(start, cursor.next), isEnd ? 0n : cursor.id, namespace);
  }

  /** Whether there was such a cursor of this owner. */
  close(owner: string, id: string): boolean {
    const cursor = this.#cursors.get(id);
    if (cursor?.owner !== owner) return false;
    this.#drop(cursor);
    return true;
  }

  closeAllOf(owner: string): void {
    for (const cursor of [...this.#cursors.values()]) if (cursor.owner === owner) this.#drop(cursor);
  }

  closeAll(): void {
    for (const cursor of [...this.#cursors.values()]) this.#drop(cursor);
  }

  /** Keeps a cursor as the one used last. */
  #keep(cursor: Cursor): void {
    clearTimeout(cursor.idle);
    cursor.idle = setTimeout(() => this.#drop(cursor), idleTimeoutMs).unref();
    this.#cursors.delete(String(cursor.id));
    this.#cursors.set(String(cursor.id), cursor);
  }

  #drop(cursor: Cursor): void {
    clearTimeout(cursor.idle);
    this.#cursors.delete(String(cursor.id));
  }

  #makeRoom({ owner }: Cursor): void {
    const all = [...this.#cursors.values()];
    const own = all.filter((cursor) => cursor.owner === owner);
    for (const cursor of overBounds(own, maxBytesPerOwner, maxCursorsPerOwner)) this.#drop(cursor);
    for (const cursor of overBounds([...this.#cursors.values()], maxBytes, Infinity)) this.#drop(cursor);
  }
}

/** The first of these, without which the others are within the bounds; never the last. */
function overBounds(cursors: readonly Cursor[], bytesBound: number, countBound: number): readonly Cursor[] {
  let bytes = cursors.reduce((sum, cursor) => sum + cursor.bytes, 0);
  let dropped = 0;
  while (dropped < cursors.length - 1 && (bytes > bytesBound || cursors.length - dropped > countBound)) {
    bytes -= cursors[dropped++]!.bytes;
  }
  return cursors.slice(0, dropped);
}

function endOfBatch(rows: readonly Uint8Array[], start: number, size: number): number {
  let end = start;
  let bytes = 0;
  while (end < rows.length && end - start < size) {
    bytes += rows[end]!.length;
    if (bytes > maxBatchBytes && end > start) break;
    end++;
  }
  return end;
}

/** Clients take 0 for "no cursor", and some read ids as signed. */
const newId = (): bigint => (randomBytes(8).readBigUInt64LE() >> 2n) + 1n;

/** The answer of find, aggregate and getMore. */
const batch = (name: string, rows: readonly Uint8Array[], id: bigint, namespace: string): Uint8Array =>
  rawDocument(['cursor', rawDocument([name, rows], ['id', id], ['ns', namespace])], ['ok', 1]);
