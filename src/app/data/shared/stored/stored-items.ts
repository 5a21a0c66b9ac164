import { Order } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { wireFilter, type DataFilter } from '../filters/data-filter.ts';
import { isNarrowed, narrowItems, narrowsHere } from '../filters/narrow-items.ts';
import type { PageSource } from '../items/paged-rows.svelte.ts';
import { storedItem, type StoredItem } from '../items/stored-item.ts';

export type SortOrder = 'newest' | 'oldest';

/** The stored files that match a filter, as pages. `mimeTypes` are those of the tab, used if the filter names none. */
export function storedItems(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  filter: DataFilter,
  mimeTypes: readonly string[],
  order: SortOrder,
): PageSource<StoredItem> {
  const wire = wireFilter(filter, home.organizationId, mimeTypes);
  const page: PageSource<StoredItem>['page'] = async ({ last, limit, reverse }, signal) => {
    const sortOrder = (order === 'newest') === reverse ? Order.ASCENDING : Order.DESCENDING;
    const answer = await data.binaryDataByFilter(
      { dataRequest: { filter: wire, limit: BigInt(limit), last, sortOrder }, includeBinary: false },
      { signal },
    );
    return { rows: answer.data.flatMap(({ metadata }) => (metadata ? [storedItem(metadata)] : [])), last: answer.last };
  };
  const all: PageSource<StoredItem> = {
    async count(signal) {
      const answer = await data.binaryDataByFilter({ dataRequest: { filter: wire }, countOnly: true }, { signal });
      return { count: Number(answer.count), totalSizeBytes: Number(answer.totalSizeBytes) };
    },
    page,
    async glance(signal) {
      const ends = await Promise.all([false, true].map((reverse) => page({ last: '', limit: 1, reverse }, signal)));
      return JSON.stringify(ends.map(({ rows }) => rows));
    },
  };
  return narrowsHere(filter) ? narrowItems(all, (item) => isNarrowed(item, filter)) : all;
}
