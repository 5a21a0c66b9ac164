import { serialize } from 'bson';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import {
  TabularDataSourceType,
  type DataService,
  type TabularDataByMQLRequest,
} from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { QueryAsker, QuerySource } from '../ports/query-runner.ts';
import { invalidArgument, notFound } from '../wire/invalid-argument.ts';
import { checkStages } from './mql/check-stages.ts';
import { parseStages } from './mql/parse-stages.ts';
import { defaultQueryLimits } from './query-limits.ts';
import { allReadings, recentReadings } from './query-sources.ts';
import { compileSql } from './sql/compile-sql.ts';

type QueryRoutes = Pick<ServiceImpl<typeof DataService>, 'tabularDataByMQL' | 'tabularDataBySQL'>;
type QueryDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'queryRunner'>;

/** Questions to the readings of sensors and to the sinks of pipelines. */
export function queryRoutes(dependencies: QueryDependencies): QueryRoutes {
  const { queryRunner } = dependencies;
  return {
    async tabularDataByMQL(request, context) {
      const { organizationId, mqlBinary } = request;
      const asker = askerOf(context, organizationId);
      const stages = [...(await prefixStages(dependencies, request)), ...checkedStages(mqlBinary)];
      const source = await sourceOf(dependencies, request);
      const rows = await queryRunner.run({ organizationId, source, stages }, asker, defaultQueryLimits, context.signal);
      return { rawData: [...rows] };
    },
    async tabularDataBySQL({ organizationId, sqlQuery }, context) {
      const asker = askerOf(context, organizationId);
      if (sqlQuery.trim() === '') throw invalidArgument('sql_query is empty; give a SELECT.');
      const query = { organizationId, source: allReadings, stages: compileSql(sqlQuery) };
      return { rawData: [...(await queryRunner.run(query, asker, defaultQueryLimits, context.signal))] };
    },
  };
}

/**
 * Who asks, for fair turns.
 * @throws ConnectError PermissionDenied
 */
function askerOf(context: HandlerContext, organizationId: string): QueryAsker {
  const principal = principalOf(context);
  requireOrganization(principal, organizationId);
  return { organizationId, keyId: principal.keyId, isPipeline: false };
}

/**
 * Checks the stages of a request.
 * @param mqlBinary one BSON document a stage
 * @returns the stages, each a BSON document
 * @throws QueryError invalid-query
 * @example
 * import { serialize } from 'bson';
 * const stages = [serialize({ $limit: 5 })];
 * checkedStages(stages).length; // => 1
 * checkedStages([serialize({ $out: 'readings' })]); // throws: $out
 */
export function checkedStages(mqlBinary: readonly Uint8Array[]): Uint8Array[] {
  const stages = parseStages(mqlBinary);
  checkStages(stages);
  return stages.map((stage) => serialize(stage));
}

async function prefixStages(
  { store }: QueryDependencies,
  { organizationId, queryPrefixName }: TabularDataByMQLRequest,
): Promise<readonly Uint8Array[]> {
  if (queryPrefixName === undefined || queryPrefixName === '') return [];
  const saved = await store.savedQueries.getByName(organizationId, queryPrefixName);
  if (saved === null) throw notFound(`There is no saved query named ${queryPrefixName}.`);
  return saved.stages;
}

async function sourceOf(
  { store, clock }: QueryDependencies,
  { organizationId, useRecentData, dataSource }: TabularDataByMQLRequest,
): Promise<QuerySource> {
  const type = dataSource?.type ?? TabularDataSourceType.UNSPECIFIED;
  if (type === TabularDataSourceType.PIPELINE_SINK) {
    const pipelineId = dataSource?.pipelineId ?? '';
    if (pipelineId === '')
      throw invalidArgument('data_source.pipeline_id is empty; a pipeline sink needs its pipeline.');
    if (useRecentData)
      throw invalidArgument('use_recent_data reads hot storage, data_source a pipeline sink; give one.');
    const pipeline = await store.pipelines.get(pipelineId);
    if (pipeline?.organizationId !== organizationId) throw notFound(`There is no pipeline ${pipelineId}.`);
    return { kind: 'pipeline-sink', pipelineId };
  }
  if (!Object.values<number>(TabularDataSourceType).includes(type))
    throw invalidArgument(`data_source.type is ${type}, which is no known source.`);
  const recent = useRecentData === true || type === TabularDataSourceType.HOT_STORAGE;
  return recent ? recentReadings(clock.now()) : allReadings;
}
