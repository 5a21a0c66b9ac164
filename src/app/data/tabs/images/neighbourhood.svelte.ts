import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';
import { FilterSchema, Order, type CaptureIntervalSchema } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { wireFilter, type DataFilter } from '../../shared/filters/data-filter.ts';
import { imageTypes } from '../../shared/stored/tab-media-types.ts';
import { narrowsHere } from '../../shared/filters/narrow-items.ts';
import { storedItems, type SortOrder } from '../../shared/stored/stored-items.ts';

const perSide = 60;
const nearTheEdge = 5;

interface NeighbourList {
  readonly filter: DataFilter;
  readonly order: SortOrder;
}

/** The images before and after an image in the list. They are read around it, so a link may open any image. */
export class Neighbourhood {
  readonly #context: Pick<DataContext, 'data' | 'home'>;
  readonly #list: NeighbourList;
  /** The known part of the list, in its order. */
  ids = $state.raw<readonly string[]>([]);
  /** key of the filter and order that `ids` was read for */
  #readFor = '';

  constructor(context: Pick<DataContext, 'data' | 'home'>, list: NeighbourList) {
    this.#context = context;
    this.#list = list;
  }

  before(id: string): string | null {
    return this.ids[this.ids.indexOf(id) - 1] ?? null;
  }

  after(id: string): string | null {
    const at = this.ids.indexOf(id);
    return at === -1 ? null : (this.ids[at + 1] ?? null);
  }

  /** Reads the images around this one, unless they are known. A failure is not reported: the image itself can still be viewed. */
  async around(id: string, signal: AbortSignal): Promise<void> {
    const { filter, order } = this.#list;
    const about = JSON.stringify([filter, order]);
    const at = this.ids.indexOf(id);
    const inside = at >= nearTheEdge && at < this.ids.length - nearTheEdge;
    if (about === this.#readFor && inside) return;
    try {
      const ids = await this.#read(id, signal);
      if (signal.aborted) return;
      this.#readFor = about;
      this.ids = order === 'newest' ? ids : ids.toReversed();
    } catch {
      if (!signal.aborted && at === -1) this.ids = [];
    }
  }

  async #read(id: string, signal: AbortSignal): Promise<readonly string[]> {
    const { data, home } = this.#context;
    const { data: found } = await data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: false }, { signal });
    const time = found[0]?.metadata?.timeRequested;
    if (!time) return [id];
    if (narrowsHere(this.#list.filter)) return this.#readNarrowed(id, signal);
    const filter = wireFilter(this.#list.filter, home.organizationId, imageTypes);
    const { start, end } = filter.interval ?? {};
    type Interval = MessageInitShape<typeof CaptureIntervalSchema>;
    const idsOf = async (interval: Interval, sortOrder: Order): Promise<readonly string[]> => {
      const dataRequest = { filter: create(FilterSchema, { ...filter, interval }), limit: BigInt(perSide), sortOrder };
      const page = await data.binaryDataByFilter({ dataRequest, includeBinary: false }, { signal });
      return page.data.map(({ metadata }) => metadata?.binaryDataId ?? '');
    };
    // Both intervals contain the image's own time, because a burst can have several images at the same time.
    const [older, newer] = await Promise.all([
      idsOf({ ...(start && { start }), end: justAfter(time) }, Order.DESCENDING),
      idsOf({ start: time, ...(end && { end }) }, Order.ASCENDING),
    ]);
    return [...new Set([...newer.toReversed(), ...older])];
  }

  /**
   * For a filter that the page itself applies: the service's neighbours by time might all be filtered out, so the whole
   * list is read, as for the grid.
   */
  async #readNarrowed(id: string, signal: AbortSignal): Promise<readonly string[]> {
    const source = storedItems(this.#context, this.#list.filter, imageTypes, 'newest');
    const { rows } = await source.page({ last: '', limit: Infinity, reverse: false }, signal);
    const at = rows.findIndex((row) => row.id === id);
    if (at === -1) return [id];
    return rows.slice(Math.max(0, at - perSide), at + perSide).map((row) => row.id);
  }
}

/** The end of an interval that includes this time. Intervals exclude their end, and the service counts microseconds. */
const justAfter = ({ seconds, nanos }: Timestamp): Timestamp =>
  nanos + 1000 < 1e9
    ? create(TimestampSchema, { seconds, nanos: nanos + 1000 })
    : create(TimestampSchema, { seconds: seconds + 1n, nanos: 0 });
