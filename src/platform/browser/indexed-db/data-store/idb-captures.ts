import type { IDBPObjectStore } from 'idb';
import type {
  BinaryFilter,
  BinaryRecord,
  Order,
  Position,
  Scan,
  Summary,
  TabularFilter,
  TabularRow,
} from '../../../../data-service/face/captures.ts';
import { marksOf, wantedMarks } from '../../../data-store/capture-marks.ts';
import {
  boundsBeyond,
  captureRanges,
  type CaptureRange,
  type CaptureRanges,
} from '../../../data-store/capture-ranges.ts';
import { splitCapture, type CaptureStream } from '../../../data-store/capture-stream.ts';
import { RangeMerge } from '../../../data-store/range-merge.ts';
import type { IdbStreams } from './idb-streams.ts';
import { summarizeDays, tally } from './idb-tallies.ts';
import { readRange, type RangeSource } from './read-range.ts';
import type { DataSchema, FieldKey, ReadTransaction, StoredCapture, StoreName, WriteTransaction } from './schema.ts';
import { splitAtDays, type Tallied } from './tally-days.ts';

/** What tells the stores of pictures and of readings apart. */
export interface CaptureCollection<Capture, Filter> {
  readonly name: 'binary' | 'tabular';
  readonly join: (stream: CaptureStream, entry: never) => Capture;
  readonly matches: (filter: Filter, capture: Capture) => boolean;
}

type Range = CaptureRange | 'everything';
type Transaction = ReadTransaction | WriteTransaction;
/** The two stores are shaped alike, their types are not: the one that has all indexes stands for both. */
type AllIndexes = IDBPObjectStore<DataSchema, StoreName[], 'binary'>;

/** Captures of one collection with their streams and marks. Transactions given hold its store and `streams`. */
export class IdbCaptures<Capture extends BinaryRecord | TabularRow, Filter extends BinaryFilter | TabularFilter> {
  readonly #collection: CaptureCollection<Capture, Filter>;
  readonly #streams: IdbStreams;

  constructor(collection: CaptureCollection<Capture, Filter>, streams: IdbStreams) {
    this.#collection = collection;
    this.#streams = streams;
  }

  /** The ids of the streams that captures are of, added if they are new. */
  async streamsOf(transaction: WriteTransaction, captures: readonly Capture[]): Promise<number[]> {
    await this.#streams.readNew(transaction);
    const ids: number[] = [];
    for (const capture of captures) {
      ids.push(await this.#streams.idOf(transaction, this.#collection.name, splitCapture(capture).stream));
    }
    return ids;
  }

  /** The ranges that hold all matches of a filter. */
  async ranges(transaction: Transaction, filter: Filter): Promise<CaptureRanges> {
    await this.#streams.readNew(transaction);
    return captureRanges(this.#streams.matching(this.#collection.name, filter), wantedMarks(filter));
  }

  stream(id: number): CaptureStream {
    return this.#streams.byId(id);
  }

  /** Adds captures, or writes them over what they were `before`; times and ids stay. */
  async put(
    transaction: WriteTransaction,
    captures: readonly Capture[],
    {
      before = [],
      fieldsOf,
    }: { readonly before?: readonly Capture[]; readonly fieldsOf?: (capture: Capture) => readonly FieldKey[] } = {},
  ): Promise<void> {
    const streamIds = await this.streamsOf(transaction, captures);
    const tallying = tally(transaction, talliedOf(captures, streamIds), await this.#tallied(transaction, before));
    const store = this.#writable(transaction);
    const written = captures.map(async (capture, index) => {
      const { id, timeRequested: time, organizationId } = capture;
      const stream = streamIds[index]!;
      const marks = marksOf(capture).map((mark) => [stream, mark, time, id] as const);
      const fields = fieldsOf ? { fields: fieldsOf(capture) } : {};
      await store.put({ time, id, stream, marks, organizationId, ...fields, entry: splitCapture(capture).entry });
    });
    await Promise.all([tallying, ...written]);
  }

  /** By id, for the collection that has such an index. */
  async get(transaction: Transaction, organizationId: string, ids: readonly string[]): Promise<(Capture | null)[]> {
    await this.#streams.readNew(transaction);
    const byId = this.#readable(transaction).index('id');
    const found = await Promise.all(ids.map((id) => byId.get(id)));
    return found.map((stored) => (stored?.organizationId === organizationId ? this.#join(stored) : null));
  }

  async delete(transaction: WriteTransaction, captures: readonly Capture[]): Promise<void> {
    const store = this.#writable(transaction);
    await tally(transaction, [], await this.#tallied(transaction, captures));
    await Promise.all(captures.map(({ timeRequested, id }) => store.delete([timeRequested, id])));
  }

  async #tallied(transaction: WriteTransaction, captures: readonly Capture[]): Promise<readonly Tallied[]> {
    return talliedOf(captures, await this.streamsOf(transaction, captures));
  }

  async page(transaction: Transaction, scan: Scan<Filter>): Promise<Capture[]> {
    const found: Capture[] = [];
    for await (const batch of this.scan(transaction, scan)) {
      found.push(...batch);
      if (found.length >= scan.limit) break;
    }
    return found.slice(0, scan.limit);
  }

  /** All matches beyond `after` in batches, some of them empty. */
  async *scan(transaction: Transaction, { filter, order, after, limit }: Scan<Filter>): AsyncGenerator<Capture[]> {
    const ranges = await this.ranges(transaction, filter);
    const merge = new RangeMerge<Range, StoredCapture<Capture>>(
      ranges === 'everything' ? [ranges] : ranges,
      order,
      after,
      limit,
    );
    for (;;) {
      const { lanes, batch } = merge.dry();
      const read = lanes.map(async (lane) => {
        const items = await this.#readRange(transaction, lane.range, filter, order, lane.beyond, batch);
        merge.fill(lane, items, batch);
      });
      await Promise.all(read);
      const items = merge.take();
      if (items.length === 0) return;
      yield items.map((item) => this.#join(item)).filter((capture) => this.#collection.matches(filter, capture));
    }
  }

  /** The captures that match the filter, of those that some other index found. */
  async matching(
    transaction: Transaction,
    filter: Filter,
    items: readonly StoredCapture<Capture>[],
  ): Promise<Capture[]> {
    await this.#streams.readNew(transaction);
    return items.map((item) => this.#join(item)).filter((capture) => this.#collection.matches(filter, capture));
  }

  async summarize(transaction: Transaction, filter: Filter): Promise<Summary> {
    const isOfStreams =
      wantedMarks(filter).anyOf === null && !('additionalParameters' in filter && filter.additionalParameters !== null);
    const { days, edges } = splitAtDays(filter.interval);
    if (!isOfStreams) return this.#summarizeRows(transaction, [filter]);
    await this.#streams.readNew(transaction);
    const { matching } = this.#streams.matching(this.#collection.name, filter);
    const whole = await summarizeDays(transaction, matching, days);
    const parts = edges.map((interval) => ({ ...filter, interval }));
    const rest = await this.#summarizeRows(transaction, parts);
    return { count: whole.count + rest.count, totalSizeBytes: whole.totalSizeBytes + rest.totalSizeBytes };
  }

  async #summarizeRows(transaction: Transaction, filters: readonly Filter[]): Promise<Summary> {
    const total = { count: 0, totalSizeBytes: 0 };
    for (const filter of filters) {
      const all = { filter, order: 'ascending', after: null, limit: Infinity } as const;
      for await (const captures of this.scan(transaction, all)) {
        total.count += captures.length;
        for (const { sizeBytes } of captures) total.totalSizeBytes += sizeBytes;
      }
    }
    return total;
  }

  /**
   * The marks of a kind that the filter's captures bear, by leaps over the index; null where that cannot tell. Each
   * costs two requests, however many captures bear it.
   */
  async marks(
    transaction: Transaction,
    filter: Filter,
    kind: { readonly from: string; readonly to: string },
  ): Promise<ReadonlySet<string> | null> {
    if (wantedMarks(filter).anyOf !== null) return null;
    await this.#streams.readNew(transaction);
    const bounds = boundsBeyond(filter.interval, 'ascending', null);
    const marks = new Set<string>();
    if (bounds === null) return marks;
    const { lower, upper } = bounds;
    const index = this.#readable(transaction).index('marks');
    const leaps = this.#streams.matching(this.#collection.name, filter).matching.map(async (stream) => {
      for (let from = kind.from; ;) {
        const next = await index.openKeyCursor(IDBKeyRange.bound([stream, from], [stream, kind.to]));
        if (next === null) return;
        const [, mark] = next.key;
        const [first, last] = [
          [stream, mark, lower.time, lower.id],
          [stream, mark, upper.time, upper.id],
        ];
        if ((await index.getKey(IDBKeyRange.bound(first, last, true, true))) !== undefined) marks.add(mark);
        from = `${mark}\0`; // the very next text
      }
    });
    await Promise.all(leaps);
    return marks;
  }

  async bears(transaction: Transaction, organizationId: string, mark: string): Promise<boolean> {
    await this.#streams.readNew(transaction);
    const index = this.#readable(transaction).index('marks');
    const streams = this.#streams.ofOrganization(this.#collection.name, organizationId);
    const keys = await Promise.all(
      streams.map((stream) => index.getKey(IDBKeyRange.bound([stream, mark], [stream, mark, []]))),
    );
    return keys.some((key) => key !== undefined);
  }

  async #readRange(
    transaction: Transaction,
    range: Range,
    { interval }: Filter,
    order: Order,
    beyond: Position | null,
    limit: number,
  ): Promise<readonly StoredCapture<Capture>[]> {
    const bounds = boundsBeyond(interval, order, beyond);
    if (bounds === null) return [];
    const { lower, upper } = bounds;
    const prefix = range === 'everything' ? [] : range.mark === null ? [range.stream] : [range.stream, range.mark];
    const keys = IDBKeyRange.bound([...prefix, lower.time, lower.id], [...prefix, upper.time, upper.id], true, true);
    const store = this.#readable(transaction);
    const source = range === 'everything' ? store : store.index(range.mark === null ? 'stream' : 'marks');
    return readRange(source as unknown as RangeSource<StoredCapture<Capture>>, keys, order, limit);
  }

  #readable(transaction: Transaction): AllIndexes {
    return transaction.objectStore(this.#collection.name) as unknown as AllIndexes;
  }

  #writable(transaction: WriteTransaction) {
    return transaction.objectStore(this.#collection.name) as unknown as {
      put(stored: StoredCapture<Capture>): Promise<unknown>;
      delete(place: [number, string]): Promise<void>;
    };
  }

  #join({ stream, entry }: Pick<StoredCapture<BinaryRecord | TabularRow>, 'stream' | 'entry'>): Capture {
    return this.#collection.join(this.#streams.byId(stream), entry as never);
  }
}

const talliedOf = (captures: readonly (BinaryRecord | TabularRow)[], streams: readonly number[]): Tallied[] =>
  captures.map(({ timeRequested: time, sizeBytes }, index) => ({ stream: streams[index]!, time, sizeBytes }));
