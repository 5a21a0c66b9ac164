import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  CaptureMetadataSchema,
  TabularDataByFilterRequest,
  TabularDataByFilterResponseSchema,
} from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { TabularRow } from '../ports/stored-captures.ts';
import { positionOf, type Scan, type TabularFilter } from '../ports/capture-filter.ts';
import type { TabularStore } from '../ports/tabular-store.ts';
import { captureMetadata } from '../wire/capture-metadata.ts';
import { fromCursor, toCursor } from '../wire/cursor.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { readOrder, tabularFilter } from '../access/read-filter.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { answerBytes, toPayload } from './answer-content.ts';
import { tabularPages } from './tabular-pages.ts';

type Metadata = MessageInitShape<typeof CaptureMetadataSchema>;

/** A page of readings, or their number. */
export async function tabularDataByFilter(
  { store }: Pick<DataServiceDependencies, 'store'>,
  { dataRequest, countOnly, includeInternalData }: TabularDataByFilterRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof TabularDataByFilterResponseSchema>> {
  const { limit = 0n, last = '', sortOrder = 0 } = dataRequest ?? {};
  const filter = tabularFilter(principalOf(context), dataRequest?.filter, includeInternalData);
  const after = fromCursor(last);
  if (filter === null) return {};
  if (countOnly) {
    const { count, totalSizeBytes } = await store.tabular.summarize(filter);
    return { count: BigInt(count), totalSizeBytes: BigInt(totalSizeBytes) };
  }
  const scan = { filter, order: readOrder({ sortOrder }), after, limit: pageLimit(limit, false) };
  const rows = await onePage(store.tabular, scan, context.signal);
  const end = rows.at(-1);
  return {
    ...tableOf(rows),
    count: BigInt(rows.length),
    last: end === undefined ? '' : toCursor(positionOf(end)),
    totalSizeBytes: BigInt(rows.reduce((total, { sizeBytes }) => total + sizeBytes, 0)),
  };
}

// A page ends early if the rows are large: the cursor continues after them.
async function onePage(
  tabular: TabularStore,
  scan: Scan<TabularFilter>,
  signal: AbortSignal,
): Promise<readonly TabularRow[]> {
  const rows: TabularRow[] = [];
  let bytes = 0;
  for await (const batch of tabularPages(tabular, scan, signal)) {
    for (const row of batch) {
      bytes += row.sizeBytes;
      if (bytes > answerBytes && rows.length > 0) return rows;
      rows.push(row);
      if (rows.length === scan.limit) return rows;
    }
  }
  return rows;
}

// Rows of one origin share one metadata, which each of them points at.
function tableOf(rows: readonly TabularRow[]): MessageInitShape<typeof TabularDataByFilterResponseSchema> {
  const metadata: Metadata[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (row: TabularRow): number => {
    const key = originKey(row);
    const index = indexes.get(key) ?? metadata.push(captureMetadata(row, '')) - 1;
    indexes.set(key, index);
    return index;
  };
  const data = rows.map((row) => ({
    data: toPayload(row.payload),
    metadataIndex: indexOf(row),
    timeRequested: toTimestamp(row.timeRequested),
    timeReceived: toTimestamp(row.timeReceived),
  }));
  return { metadata, data };
}

const originKey = (row: TabularRow): string => {
  const { locationId, robotId, partId, componentType, componentName, methodName, additionalParameters, tags } = row;
  const names = [row.robotName, row.partName];
  return JSON.stringify([
    locationId,
    robotId,
    partId,
    componentType,
    componentName,
    methodName,
    additionalParameters,
    tags,
    names,
  ]);
};
