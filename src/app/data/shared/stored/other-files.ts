import type { PageSource } from '../items/paged-rows.svelte.ts';
import { imageTypes, pointCloudTypes } from './tab-media-types.ts';
import type { StoredItem } from '../items/stored-item.ts';
import { storedItems } from './stored-items.ts';

const shown = new Set([...imageTypes, ...pointCloudTypes]);
const scannedRows = 1000;

/**
 * Files that are neither images nor point clouds. The service's filter cannot exclude types, so all files are read and
 * those of other tabs are skipped; if the filter names types, the service filters.
 */
export const otherFiles: typeof storedItems = (context, filter, _mimeTypes, order) => {
  const all = storedItems(context, filter, [], order);
  if (filter.mimeTypes.length > 0) return all;
  const others = storedItems(context, filter, [...shown], order);
  return withoutShown(all, others);
};

/**
 * `all` without those that `others` counts. A cursor is the service's cursor plus the number of rows already returned.
 */
export function withoutShown(all: PageSource<StoredItem>, others: PageSource<StoredItem>): PageSource<StoredItem> {
  let total = Number.POSITIVE_INFINITY;
  return {
    async count(signal) {
      const [every, shownElsewhere] = await Promise.all([all.count(signal), others.count(signal)]);
      total = Math.max(0, every.count - shownElsewhere.count);
      return { count: total, totalSizeBytes: Math.max(0, every.totalSizeBytes - shownElsewhere.totalSizeBytes) };
    },
    ...(all.glance && { glance: all.glance }),
    async page({ last, limit, reverse }, signal) {
      let { cursor, skip, given } = readCursor(last);
      const rows: StoredItem[] = [];
      while (rows.length < limit && given + rows.length < total) {
        const scanned = await all.page({ last: cursor, limit: scannedRows, reverse }, signal);
        const found = scanned.rows.filter(({ mimeType }) => !shown.has(mimeType)).slice(skip);
        const taken = found.slice(0, limit - rows.length);
        rows.push(...taken);
        if (taken.length < found.length) {
          skip += taken.length;
          break;
        }
        skip = 0;
        if (scanned.last === '') break;
        cursor = scanned.last;
      }
      given += rows.length;
      return { rows, last: rows.length === 0 ? '' : `${skip} ${given} ${cursor}` };
    },
  };
}

function readCursor(last: string): { cursor: string; skip: number; given: number } {
  const match = /^(\d+) (\d+) (.*)$/.exec(last);
  return match
    ? { skip: Number(match[1]), given: Number(match[2]), cursor: match[3]! }
    : { cursor: '', skip: 0, given: 0 };
}
