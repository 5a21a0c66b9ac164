import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  ExportTabularDataRequest,
  ExportTabularDataResponseSchema,
  GetLatestTabularDataRequest,
  GetLatestTabularDataResponseSchema,
} from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Micros, TabularRow } from '../ports/stored-captures.ts';
import { positionOf, type Position, type TabularFilter } from '../ports/capture-filter.ts';
import { requireText } from '../wire/invalid-argument.ts';
import { parametersObject, requestedParameters } from '../wire/method-parameters.ts';
import { everything } from '../access/read-filter.ts';
import { fromInterval, toTimestamp } from '../wire/timestamps.ts';
import { toPayload } from './answer-content.ts';
import { tabularPages } from './tabular-pages.ts';

const yearMicros = 365 * 86_400 * 1e6;
const batchRows = 1000;

/** The newest reading of one resource; an empty message if none was synced in the last year. */
export async function latestTabularData(
  { store, clock }: Pick<DataServiceDependencies, 'store' | 'clock'>,
  request: GetLatestTabularDataRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetLatestTabularDataResponseSchema>> {
  const row = await newestSyncedSince(
    store,
    resourceFilter(request, context),
    clock.now() - yearMicros,
    context.signal,
  );
  if (row === null) return {};
  return {
    timeCaptured: toTimestamp(row.timeRequested),
    timeSynced: toTimestamp(row.timeSynced),
    payload: toPayload(row.payload),
  };
}

/**
 * The newest reading that was synced since then. A reading dated by a clock far ahead and synced before does not
 * hide those captured since.
 */
async function newestSyncedSince(
  { tabular }: Pick<DataServiceDependencies['store'], 'tabular'>,
  filter: TabularFilter,
  since: Micros,
  signal: AbortSignal,
): Promise<TabularRow | null> {
  const order = 'descending';
  const recent = { ...filter, interval: { start: since, end: null } };
  let newest: Position | null = null;
  for (let limit = 1; ; limit = batchRows) {
    signal.throwIfAborted();
    const rows: readonly TabularRow[] = await tabular.page({ filter: recent, order, after: newest, limit });
    const found = rows.find(({ timeSynced }) => timeSynced >= since);
    if (found !== undefined) return found;
    if (rows.length < limit) break;
    newest = positionOf(rows.at(-1)!);
  }
  const earlier = { ...filter, interval: { start: null, end: since } };
  const [row] = await tabular.page({ filter: earlier, order, after: null, limit: 1 });
  return row !== undefined && row.timeSynced >= since ? row : null;
}

/** Every reading of one resource in an interval, the oldest first, a page of rows in memory at a time. */
export async function* exportTabularData(
  { store }: Pick<DataServiceDependencies, 'store'>,
  request: ExportTabularDataRequest,
  context: HandlerContext,
): AsyncGenerator<MessageInitShape<typeof ExportTabularDataResponseSchema>, void> {
  const interval = fromInterval(request.interval);
  const filter = { ...resourceFilter(request, context), interval };
  const scan = { filter, order: 'ascending', after: null, limit: batchRows } as const;
  for await (const rows of tabularPages(store.tabular, scan, context.signal)) {
    for (const row of rows) {
      context.signal.throwIfAborted();
      yield exported(row);
    }
  }
}

function exported(row: TabularRow): MessageInitShape<typeof ExportTabularDataResponseSchema> {
  const { organizationId, locationId, robotId, robotName, partId, partName, methodName, tags } = row;
  return {
    organizationId,
    locationId,
    robotId,
    robotName,
    partId,
    partName,
    methodName,
    resourceName: row.componentName,
    resourceSubtype: row.componentType,
    tags: [...tags],
    timeCaptured: toTimestamp(row.timeRequested),
    methodParameters: parametersObject(row.additionalParameters),
    payload: toPayload(row.payload),
  };
}

function resourceFilter(
  request: {
    readonly partId: string;
    readonly resourceName: string;
    readonly resourceSubtype: string;
    readonly methodName: string;
    readonly additionalParameters?: JsonObject | undefined;
  },
  context: HandlerContext,
): TabularFilter {
  return {
    ...everything(principalOf(context), true, { locationIds: [], partId: requireText(request.partId, 'part_id') }),
    componentName: requireText(request.resourceName, 'resource_name'),
    componentType: requireText(request.resourceSubtype, 'resource_subtype'),
    methodName: requireText(request.methodName, 'method_name'),
    additionalParameters: requestedParameters(request.additionalParameters),
  };
}
