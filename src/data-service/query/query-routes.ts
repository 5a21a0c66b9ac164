import { serialize } from 'bson';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import {
  TabularDataSourceType,
  type DataService,
  type TabularDataByMQLRequest,
  type TabularDataBySQLRequest,
} from '../../gen/app/data/v1/data_pb.ts';
import type { QueryService } from '../../gen/sightglass/query/v1/query_pb.ts';
import { principalOf } from '../access/principal.ts';
import { callerOf } from '../ports/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Query, QueryAsker, QuerySource } from '../ports/query-runner.ts';
import { invalidArgument, notFound } from '../wire/invalid-argument.ts';
import { checkStages } from './mql/check-stages.ts';
import { parseStages } from './mql/parse-stages.ts';
import { defaultQueryLimits, streamedQueryLimits } from './query-limits.ts';
import { allReadings, recentReadings } from './query-sources.ts';
import { compileSql } from './sql/compile-sql.ts';

type QueryRoutes = Pick<ServiceImpl<typeof DataService>, 'tabularDataByMQL' | 'tabularDataBySQL'>;
type QueryDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'queryRunner'>;

/** Questions to the readings of sensors and to the sinks of pipelines. */
export function queryRoutes(dependencies: QueryDependencies): QueryRoutes {
  const { queryRunner } = dependencies;
  const answer = async (query: Query, context: HandlerContext) => {
    const asker = askerOf(context, query.organizationId);
    return { rawData: [...(await queryRunner.run(query, asker, defaultQueryLimits, context.signal))] };
  };
  return {
    tabularDataByMQL: async (request, context) => answer(await queryOfMql(dependencies, request, context), context),
    tabularDataBySQL: async (request, context) => answer(queryOfSql(request, context), context),
  };
}

/** The same questions, with answers of any length. */
export function streamedQueryRoutes(dependencies: QueryDependencies): ServiceImpl<typeof QueryService> {
  return {
    async *streamRows({ query: asked }, context) {
      const query = await (asked.case === 'mql'
        ? queryOfMql(dependencies, asked.value, context)
        : queryOfSql(asked.case === 'sql' ? asked.value : { organizationId: '', sqlQuery: '' }, context));
      // others' questions go first, as an export may take minutes
      const asker = { ...askerOf(context, query.organizationId), isPipeline: true };
      for await (const rows of dependencies.queryRunner.stream(query, asker, streamedQueryLimits, context.signal))
        yield { rows };
    },
  };
}

async function queryOfMql(
  dependencies: QueryDependencies,
  request: TabularDataByMQLRequest,
  context: HandlerContext,
): Promise<Query> {
  const { organizationId, mqlBinary } = request;
  requireOrganization(principalOf(context), organizationId);
  const stages = [...(await prefixStages(dependencies, request)), ...checkedStages(mqlBinary)];
  return { organizationId, source: await sourceOf(dependencies, request), stages };
}

function queryOfSql(
  { organizationId, sqlQuery }: Pick<TabularDataBySQLRequest, 'organizationId' | 'sqlQuery'>,
  context: HandlerContext,
): Query {
  requireOrganization(principalOf(context), organizationId);
  if (sqlQuery.trim() === '') throw invalidArgument('sql_query is empty; give a SELECT.');
  return { organizationId, source: allReadings, stages: compileSql(sqlQuery) };
}

/** Who asks, for fair turns. */
const askerOf = (context: HandlerContext, organizationId: string): QueryAsker => ({
  organizationId,
  keyId: callerOf(principalOf(context)),
  isPipeline: false,
});

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
    throw invalidArgument(`data_source.type is ${type}, which is not a known source.`);
  const recent = useRecentData === true || type === TabularDataSourceType.HOT_STORAGE;
  return recent ? recentReadings(clock.now()) : allReadings;
}
