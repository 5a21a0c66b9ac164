import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { EJSON, serialize } from 'bson';
import {
  DataService,
  type ExportTabularDataRequestSchema,
  type ExportTabularDataResponse,
  TabularDataSourceType,
  type TabularDataByMQLRequestSchema,
  type TabularDataBySQLRequestSchema,
} from '../../gen/app/data/v1/data_pb.ts';
import { QueryService } from '../../gen/sightglass/query/v1/query_pb.ts';
import { joinDocuments } from '../../base/row-files/bson-rows.ts';

/** A query that a data service answers by rows. */
export type RowQuery =
  | { readonly case: 'sql'; readonly value: MessageInitShape<typeof TabularDataBySQLRequestSchema> }
  | { readonly case: 'mql'; readonly value: MessageInitShape<typeof TabularDataByMQLRequestSchema> };

/** Which readings of one resource. */
export type ReadingsRequest = MessageInitShape<typeof ExportTabularDataRequestSchema>;

/**
 * The rows of a query's answer, however many there are: BSON documents, one behind the other, some thousand at a time. A data service that is
 * not Sightglass's answers in one message, or refuses what is too large for one.
 * @throws ConnectError, also after a part of the rows
 */
export async function* queryRows(
  transport: Transport,
  query: RowQuery,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  let hasRows = false;
  try {
    for await (const { rows } of createClient(QueryService, transport).streamRows({ query }, { signal })) {
      hasRows = true;
      yield rows;
    }
    return;
  } catch (error) {
    if (hasRows || ConnectError.from(error).code !== Code.Unimplemented) throw error;
  }
  yield await inOneAnswer(transport, query, signal);
}

async function inOneAnswer(transport: Transport, query: RowQuery, signal: AbortSignal): Promise<Uint8Array> {
  const data = createClient(DataService, transport);
  const answer = await (query.case === 'sql'
    ? data.tabularDataBySQL(query.value, { signal })
    : data.tabularDataByMQL(query.value, { signal }));
  return joinDocuments(answer.rawData);
}

/** The stages of a pipeline, each as BSON, of a list in extended JSON. @throws Error that says what is wrong with the text */
export function stagesOfJson(text: string): Uint8Array<ArrayBuffer>[] {
  const stages = EJSON.parse(text, { relaxed: true }) as unknown;
  if (!Array.isArray(stages) || !stages.every(isStage))
    throw new Error('A pipeline is a list of stages, like [{"$limit": 10}].');
  return stages.map((stage) => new Uint8Array(serialize(stage)));
}

const isStage = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The data source of an MQL query that reads the results of a data pipeline instead of readings. */
export const sinkOf = (pipelineId: string) => ({
  dataSource: { type: TabularDataSourceType.PIPELINE_SINK, pipelineId },
});

const documentsAPart = 1000;

/** The column of `readingRows` that has times, as texts to the microsecond. */
export const readingInstants = ['time_captured'];

/**
 * The rows of ExportTabularData for some resources, one resource after the other, the oldest first: BSON documents of its fields, some
 * thousand at a time.
 * @throws ConnectError, also after a part of the rows
 */
export async function* readingRows(
  transport: Transport,
  requests: readonly ReadingsRequest[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const data = createClient(DataService, transport);
  let documents: Uint8Array[] = [];
  for (const request of requests) {
    for await (const row of data.exportTabularData(request, { signal })) {
      documents.push(serialize(readingDocument(row)));
      if (documents.length < documentsAPart) continue;
      yield joinDocuments(documents);
      documents = [];
    }
  }
  yield joinDocuments(documents);
}

const readingDocument = (row: ExportTabularDataResponse) => ({
  time_captured: row.timeCaptured ? instantText(row.timeCaptured) : null,
  resource_name: row.resourceName,
  resource_subtype: row.resourceSubtype,
  method_name: row.methodName,
  method_parameters: row.methodParameters ?? null,
  part_name: row.partName,
  part_id: row.partId,
  robot_name: row.robotName,
  robot_id: row.robotId,
  location_id: row.locationId,
  organization_id: row.organizationId,
  tags: row.tags,
  payload: row.payload ?? null,
});

/** RFC 3339 in UTC, with as many digits as the time has. */
function instantText({ seconds, nanos }: Timestamp): string {
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction}Z`;
}
