import type { PageSource } from '../items/paged-rows.svelte.ts';
import type { StoredItem } from '../items/stored-item.ts';
import { emptyFilter, rangeFields, type DataFilter } from './data-filter.ts';

/**
 * Whether a filter has conditions that the service's Filter cannot express: then this page checks every item itself.
 */
export function narrowsHere(filter: DataFilter): boolean {
  return [...rangeFields, 'fileName', 'madeBy' as const].some(
    (field) => filter[field as keyof DataFilter] !== emptyFilter[field as keyof DataFilter],
  );
}

/** What of an item those conditions look at. */
interface NarrowedItem extends Pick<StoredItem, 'name' | 'sizeBytes'> {
  readonly boxes: readonly Pick<StoredItem['boxes'][number], 'confidence'>[];
}

/** Whether an item meets those conditions. For confidence and origin one matching box is enough, as for labels. */
export function isNarrowed({ name, sizeBytes, boxes }: NarrowedItem, filter: DataFilter): boolean {
  const within = (value: number, from: string, to: string): boolean =>
    (from === '' || value >= Number(from)) && (to === '' || value <= Number(to));
  const isAsked = (from: string, to: string): boolean => from !== '' || to !== '';
  const { fileName, boxesMin, boxesMax, confidenceMin, confidenceMax, sizeMin, sizeMax, madeBy } = filter;
  return (
    name.toLowerCase().includes(fileName.toLowerCase()) &&
    within(boxes.length, boxesMin, boxesMax) &&
    within(sizeBytes / 1000, sizeMin, sizeMax) &&
    (!isAsked(confidenceMin, confidenceMax) ||
      boxes.some(({ confidence }) => confidence !== null && within(confidence, confidenceMin, confidenceMax))) &&
    (madeBy === 'anyone' || boxes.some(({ confidence }) => (confidence === null) === (madeBy === 'person')))
  );
}

const scannedRows = 1000;

/** The matching items of a source. All of it is read once for each count, and pages are slices of the result. */
export function narrowItems(
  source: PageSource<StoredItem>,
  isMeant: (item: StoredItem) => boolean,
): PageSource<StoredItem> {
  let found: { items: Promise<readonly StoredItem[]>; signal: AbortSignal; hasEnded: boolean } | null = null;

  async function scan(signal: AbortSignal): Promise<readonly StoredItem[]> {
    const items: StoredItem[] = [];
    for (let last = ''; ;) {
      const page = await source.page({ last, limit: scannedRows, reverse: false }, signal);
      items.push(...page.rows.filter(isMeant));
      last = page.last;
      if (page.rows.length === 0 || last === '') return items;
    }
  }

  /** Reads everything again, unless a read is running: a list counts and reads its first page together. */
  function readAnew(signal: AbortSignal): Promise<readonly StoredItem[]> {
    if (found && !found.hasEnded && !found.signal.aborted) return found.items;
    const reading = { items: scan(signal), signal, hasEnded: false };
    found = reading;
    reading.items.then(
      () => (reading.hasEnded = true),
      () => {
        if (found === reading) found = null;
      },
    );
    return reading.items;
  }

  return {
    async count(signal) {
      const items = await readAnew(signal);
      return { count: items.length, totalSizeBytes: items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
    },
    ...(source.glance && { glance: source.glance }),
    async page({ last, limit, reverse }, signal) {
      const items = await (last === '' && !reverse ? readAnew(signal) : (found?.items ?? readAnew(signal)));
      const start = Number(last || 0);
      const ordered = reverse ? items.toReversed() : items;
      const rows = ordered.slice(start, start + limit);
      return { rows, last: rows.length === 0 ? '' : String(start + rows.length) };
    },
  };
}
