import type { BinaryFilter, CaptureFilter } from '../../../data-service/face/captures.ts';
import { parseStreamKey, streamKey, streamMatches, type CaptureStream } from '../../data-store/capture-stream.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/**
 * The streams of one collection, read once each: they are only ever added, so what is known stays true until a
 * transaction that added some is undone.
 */
export class SqliteStreams {
  readonly #database: SqliteDatabase;
  readonly #collection: string;
  readonly #byId = new Map<number, CaptureStream>();
  readonly #idByKey = new Map<string, number>();
  #newest = 0;

  constructor(database: SqliteDatabase, collection: string) {
    this.#database = database;
    this.#collection = collection;
  }

  forget(): void {
    this.#byId.clear();
    this.#idByKey.clear();
    this.#newest = 0;
  }

  byId(id: number): CaptureStream {
    if (!this.#byId.has(id)) this.#readNew();
    return this.#byId.get(id)!;
  }

  /** The id of the stream, added if it is new: within a write. */
  idOf(stream: CaptureStream): number {
    const key = streamKey(stream);
    if (!this.#idByKey.has(key)) this.#readNew();
    const known = this.#idByKey.get(key);
    if (known !== undefined) return known;
    this.#database.run('INSERT INTO streams (collection, key) VALUES (?, ?)', this.#collection, key);
    this.#readNew();
    return this.#idByKey.get(key)!;
  }

  /** The streams that a filter takes, and how many its organization has. */
  matching(filter: CaptureFilter & Partial<BinaryFilter>): {
    readonly matching: readonly number[];
    readonly total: number;
  } {
    const own = this.ofOrganization(filter.organizationId);
    return { matching: own.filter((id) => streamMatches(filter, this.byId(id))), total: own.length };
  }

  ofOrganization(organizationId: string): readonly number[] {
    this.#readNew();
    return [...this.#byId].filter(([, stream]) => stream.organizationId === organizationId).map(([id]) => id);
  }

  #readNew(): void {
    const sql = 'SELECT id, key FROM streams WHERE collection = ? AND id > ? ORDER BY id';
    for (const { id, key } of this.#database.all(sql, this.#collection, this.#newest)) {
      this.#byId.set(id as number, parseStreamKey(key as string));
      this.#idByKey.set(key as string, id as number);
      this.#newest = id as number;
    }
  }
}
