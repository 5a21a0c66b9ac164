import type { DataContext } from '../../../context/data-context.ts';
import type { PageSource } from '../../../shared/items/paged-rows.svelte.ts';
import { storedItem, type StoredItem } from '../../../shared/items/stored-item.ts';

/** Stored files with known ids, in their order, as pages; a cursor is a position in the list. */
export function itemsOfIds(
  data: Pick<DataContext['data'], 'binaryDataByIDs'>,
  ids: readonly string[],
): PageSource<StoredItem> {
  return {
    count: async () => ({ count: ids.length, totalSizeBytes: 0 }),
    async page({ last, limit, reverse }, signal) {
      const place = last === '' ? (reverse ? ids.length : 0) : Number(last);
      const [first, end] = reverse ? [Math.max(0, place - limit), place] : [place, Math.min(ids.length, place + limit)];
      const asked = ids.slice(first, end);
      if (asked.length === 0) return { rows: [], last };
      const answer = await data.binaryDataByIDs({ binaryDataIds: asked, includeBinary: false }, { signal });
      const rows = answer.data.flatMap(({ metadata }) => (metadata ? [storedItem(metadata)] : []));
      return { rows: reverse ? rows.reverse() : rows, last: String(reverse ? first : end) };
    },
  };
}
