import type { BinaryFilter, CaptureFilter } from '../../../../data-service/face/captures.ts';
import { parseStreamKey, streamKey, streamMatches, type CaptureStream } from '../../../data-store/capture-stream.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';

/** The streams of both collections, read once each: they are only ever added, so what is known stays true unless the transaction that added it is undone. */
export class IdbStreams {
  readonly #byId = new Map<number, { readonly collection: string; readonly stream: CaptureStream }>();
  readonly #idByKey = new Map<string, number>();
  #newest = 0;
  readonly #addedBy = new WeakMap<WriteTransaction, number[]>();
  /** transactions that know all streams: none but themselves can add some before they end */
  #informed = new WeakSet<ReadTransaction | WriteTransaction>();

  forget(): void {
    this.#byId.clear();
    this.#idByKey.clear();
    this.#newest = 0;
    this.#informed = new WeakSet();
  }

  /** Forgets what a transaction added that was undone. What others know stays known to them: reads may be under way. */
  undo(transaction: WriteTransaction): void {
    for (const id of this.#addedBy.get(transaction) ?? []) {
      const known = this.#byId.get(id);
      if (known) this.#idByKey.delete(known.collection + streamKey(known.stream));
      this.#byId.delete(id);
    }
    this.#addedBy.delete(transaction);
    this.#newest = Math.max(0, ...this.#byId.keys());
  }

  /** A stream that some capture read after `readNew` belongs to. */
  byId(id: number): CaptureStream {
    return this.#byId.get(id)!.stream;
  }

  /** The id of the stream, added if it is new. */
  async idOf(transaction: WriteTransaction, collection: string, stream: CaptureStream): Promise<number> {
    const key = streamKey(stream);
    const known = this.#idByKey.get(collection + key);
    if (known !== undefined) return known;
    const id = await transaction.objectStore('streams').add({ collection, key });
    this.#know(id, collection, key);
    this.#addedBy.set(transaction, [...(this.#addedBy.get(transaction) ?? []), id]);
    return id;
  }

  /** The streams that a filter takes, and how many there are. */
  matching(
    collection: string,
    filter: CaptureFilter & Partial<BinaryFilter>,
  ): { readonly matching: readonly number[]; readonly total: number } {
    const own = [...this.#byId].filter(([, known]) => known.collection === collection);
    const matching = own.filter(([, { stream }]) => streamMatches(filter, stream)).map(([id]) => id);
    return { matching, total: own.length };
  }

  ofOrganization(collection: string, organizationId: string): readonly number[] {
    return [...this.#byId]
      .filter(([, known]) => known.collection === collection && known.stream.organizationId === organizationId)
      .map(([id]) => id);
  }

  /** Learns what was added since, here or by another tab: before anything of a transaction needs it. */
  async readNew(transaction: ReadTransaction | WriteTransaction): Promise<void> {
    if (this.#informed.has(transaction)) return;
    const store = (transaction as ReadTransaction).objectStore('streams');
    const newer = IDBKeyRange.lowerBound(this.#newest, true);
    const [ids, streams] = await Promise.all([store.getAllKeys(newer), store.getAll(newer)]);
    for (const [index, { collection, key }] of streams.entries()) this.#know(ids[index]!, collection, key);
    this.#informed.add(transaction);
  }

  #know(id: number, collection: string, key: string): void {
    this.#byId.set(id, { collection, stream: parseStreamKey(key) });
    this.#idByKey.set(collection + key, id);
    this.#newest = Math.max(this.#newest, id);
  }
}
