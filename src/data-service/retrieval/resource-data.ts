import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  ExportTabularDataRequest,
  ExportTabularDataResponseSchema,
  GetLatestTabularDataRequest,
  GetLatestTabularDataResponseSchema,
} from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { TabularRow } from '../ports/capture.ts';
import type { TabularFilter } from '../ports/capture-filter.ts';
import { requireText } from '../wire/invalid-argument.ts';
import { parametersObject, requestedParameters } from '../wire/method-parameters.ts';
import { everything } from '../wire/read-filter.ts';
import { fromInterval, toTimestamp } from '../wire/timestamps.ts';
import { toPayload } from './payload.ts';
import { tabularPages } from './tabular-pages.ts';

const yearMicros = 365 * 86_400 * 1e6;
const exportBatchRows = 1000;

/** The newest reading of one resource; an empty message if none was synced in the last year. */
export async function latestTabularData(
  { store, clock }: Pick<DataServiceDependencies, 'store' | 'clock'>,
  request: GetLatestTabularDataRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetLatestTabularDataResponseSchema>> {
  const filter = resourceFilter(request, context);
  const [row] = await store.tabular.page({ filter, order: 'descending', after: null, limit: 1 });
  if (row === undefined || row.timeSynced < clock.now() - yearMicros) return {};
  return {
    timeCaptured: toTimestamp(row.timeRequested),
    timeSynced: toTimestamp(row.timeSynced),
    payload: toPayload(row.payload),
  };
}

/** Every reading of one resource in an interval, the oldest first, a page of rows in memory at a time. */
export async function* exportTabularData(
  { store }: Pick<DataServiceDependencies, 'store'>,
  request: ExportTabularDataRequest,
  context: HandlerContext,
): AsyncGenerator<MessageInitShape<typeof ExportTabularDataResponseSchema>, void> {
  const interval = fromInterval(request.interval, 'interval');
  const filter = { ...resourceFilter(request, context), interval };
  const scan = { filter, order: 'ascending', after: null, limit: exportBatchRows } as const;
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
    ...{ organizationId, locationId, robotId, robotName, partId, partName, methodName },
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
    ...everything(principalOf(context), true),
    partId: requireText(request.partId, 'part_id'),
    componentName: requireText(request.resourceName, 'resource_name'),
    componentType: requireText(request.resourceSubtype, 'resource_subtype'),
    methodName: requireText(request.methodName, 'method_name'),
    additionalParameters: requestedParameters(request.additionalParameters),
  };
}
