import {
  type PackedPage,
  packReadings,
  packRows,
  type ReadingToPack,
  type Scan,
  type TabularFilter,
  type TabularRow,
} from '../../../../data-service/face/captures.ts';
import { boundsBeyond, type CaptureRange } from '../../../data-store/capture-ranges.ts';
import { RangeMerge } from '../../../data-store/range-merge.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbSheets } from './idb-sheets.ts';
import type { ReadTransaction } from './schema.ts';

/** A page off sheets, for filters that whole streams and an interval answer; off single rows for any other. */
export async function packedPage(
  transaction: ReadTransaction,
  captures: IdbCaptures<TabularRow, TabularFilter>,
  sheets: IdbSheets,
  scan: Scan<TabularFilter>,
): Promise<PackedPage> {
  const { filter, order, after, limit } = scan;
  const ranges = await captures.ranges(transaction, filter);
  const areStreams = ranges !== 'everything' && ranges.every(({ mark }) => mark === null);
  if (!areStreams || order === 'descending' || filter.additionalParameters !== null) {
    return packRows(await captures.page(transaction, scan));
  }
  const merge = new RangeMerge<CaptureRange, ReadingToPack>(ranges, order, after, limit);
  const readings: ReadingToPack[] = [];
  while (readings.length < limit) {
    const { lanes, batch } = merge.dry();
    const read = lanes.map(async (lane) => {
      const { stream } = lane.range;
      const bounds = boundsBeyond(filter.interval, order, lane.beyond);
      const items = bounds ? await sheets.read(transaction, stream, captures.stream(stream), bounds, batch) : [];
      merge.fill(lane, items, batch);
    });
    await Promise.all(read);
    const items = merge.take();
    if (items.length === 0) break;
    readings.push(...items);
  }
  return packReadings(readings.slice(0, limit));
}
