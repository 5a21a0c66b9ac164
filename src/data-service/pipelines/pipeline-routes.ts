import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';
import {
  DataPipelineRunStatus,
  type DataPipelineRunSchema,
  type DataPipelineSchema,
  type DataPipelinesService,
} from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Pipeline, PipelineRun, RunStatus } from '../ports/pipeline-store.ts';
import { checkedStages } from '../query/query-routes.ts';
import { invalidArgument, notFound, requireBoundedName, requireText } from '../wire/invalid-argument.ts';
import { readPage } from '../wire/page-token.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { Schedule } from './schedule.ts';

const defaultRunsListed = 10;
const maxRunsListed = 100;

/** Queries that run whenever a window of their schedule closes, and their stored results. */
export function pipelineRoutes({
  store,
  ids,
}: Pick<DataServiceDependencies, 'store' | 'ids'>): ServiceImpl<typeof DataPipelinesService> {
  const { indexes, pipelines } = store;

  async function findPipeline(principal: Principal, id: string): Promise<Pipeline | null> {
    const pipeline = await pipelines.get(requireText(id, 'id'));
    return pipeline?.organizationId === principal.organizationId ? pipeline : null;
  }

  async function requirePipeline(principal: Principal, id: string): Promise<Pipeline> {
    const pipeline = await findPipeline(principal, id);
    if (pipeline === null) throw notFound(`There is no pipeline ${id}.`);
    return pipeline;
  }

  return {
    async createDataPipeline(request, context) {
      const { organizationId, name, mqlBinary, schedule, enableBackfill, dataSourceType } = request;
      requireOrganization(principalOf(context), organizationId);
      const now = await store.now(); // by which schedulers go
      if (mqlBinary.length === 0) throw invalidArgument('mql_binary is empty; give at least one stage.'); // a pipeline needs stages
      Schedule.parse(schedule, now);
      const pipeline: Pipeline = {
        id: ids.next(),
        organizationId,
        name: requireBoundedName(name, 'name'),
        stages: checkedStages(mqlBinary),
        schedule,
        enabled: true,
        backfill: enableBackfill ?? false,
        source: readSource(dataSourceType),
        timeCreated: now,
        timeUpdated: now,
        timeEnabled: now,
      };
      await pipelines.create(pipeline);
      return { id: pipeline.id };
    },
    async getDataPipeline({ id }, context) {
      if (takesNoPipelineForNull(context) && (await findPipeline(principalOf(context), id)) === null) return {};
      return { dataPipeline: toWire(await requirePipeline(principalOf(context), id)) };
    },
    async listDataPipelines({ organizationId }, context) {
      requireOrganization(principalOf(context), organizationId);
      return { dataPipelines: (await pipelines.list(organizationId)).map(toWire) };
    },
    async renameDataPipeline({ id, name }, context) {
      await requirePipeline(principalOf(context), id);
      await pipelines.update(id, { name: requireBoundedName(name, 'name'), timeUpdated: await store.now() });
      return {};
    },
    async deleteDataPipeline({ id }, context) {
      const { organizationId } = await requirePipeline(principalOf(context), id);
      const sink = { kind: 'pipeline-sink', pipelineId: id } as const;
      // one by one, so that each leaves a row in the audit
      for (const { name } of await indexes.list(organizationId, sink)) await indexes.delete(organizationId, sink, name);
      await pipelines.delete(id);
      return {};
    },
    async enableDataPipeline({ id }, context) {
      const { enabled } = await requirePipeline(principalOf(context), id);
      const now = await store.now();
      // enabling what is enabled must not make it forget the windows since
      if (!enabled) await pipelines.update(id, { enabled: true, timeUpdated: now, timeEnabled: now });
      return {};
    },
    async disableDataPipeline({ id }, context) {
      const { enabled } = await requirePipeline(principalOf(context), id);
      if (enabled) await pipelines.update(id, { enabled: false, timeUpdated: await store.now() });
      return {};
    },
    async listDataPipelineRuns({ id, pageSize, pageToken }, context) {
      const pipeline = await requirePipeline(principalOf(context), id);
      const listed = pageSize === 0 ? defaultRunsListed : Math.min(pageSize, maxRunsListed);
      const { entries, nextPageToken } = await readPage(
        pageToken,
        listed,
        (after, limit) => pipelines.runs(id, after && { windowStart: after.time, id: after.id }, limit),
        (run) => ({ time: run.window.start, id: run.id }),
      );
      return { pipelineId: id, runs: entries.map((run) => runToWire(run, pipeline)), nextPageToken };
    },
  };
}

/**
 * The TypeScript SDK promises null for an unknown pipeline and makes it from an answer without one. The Go SDK
 * crashes at such an answer and Python makes an empty pipeline of it, so all clients but TypeScript get NotFound.
 */
const takesNoPipelineForNull = ({ requestHeader }: HandlerContext): boolean =>
  requestHeader.get('viam_client')?.startsWith('typescript;') ?? false;

function readSource(type: TabularDataSourceType = TabularDataSourceType.UNSPECIFIED): Pipeline['source'] {
  if (type === TabularDataSourceType.UNSPECIFIED || type === TabularDataSourceType.STANDARD) return 'standard';
  if (type === TabularDataSourceType.HOT_STORAGE) return 'hot-storage';
  throw invalidArgument('data_source_type is neither standard nor hot storage; a pipeline reads one of these.');
}

const sourceTypes: Readonly<Record<Pipeline['source'], TabularDataSourceType>> = {
  standard: TabularDataSourceType.STANDARD,
  'hot-storage': TabularDataSourceType.HOT_STORAGE,
};

const runStatuses: Readonly<Record<RunStatus, DataPipelineRunStatus>> = {
  scheduled: DataPipelineRunStatus.SCHEDULED,
  started: DataPipelineRunStatus.STARTED,
  completed: DataPipelineRunStatus.COMPLETED,
  failed: DataPipelineRunStatus.FAILED,
};

const toWire = (pipeline: Pipeline): MessageInitShape<typeof DataPipelineSchema> => ({
  id: pipeline.id,
  organizationId: pipeline.organizationId,
  name: pipeline.name,
  mqlBinary: [...pipeline.stages],
  schedule: pipeline.schedule,
  enabled: pipeline.enabled,
  createdOn: toTimestamp(pipeline.timeCreated),
  updatedAt: toTimestamp(pipeline.timeUpdated),
  dataSourceType: sourceTypes[pipeline.source],
});

const runToWire = (run: PipelineRun, { source }: Pipeline): MessageInitShape<typeof DataPipelineRunSchema> => ({
  id: run.id,
  ...(run.timeStarted === null ? {} : { startTime: toTimestamp(run.timeStarted) }),
  ...(run.timeEnded === null ? {} : { endTime: toTimestamp(run.timeEnded) }),
  dataStartTime: toTimestamp(run.window.start),
  dataEndTime: toTimestamp(run.window.end),
  status: runStatuses[run.status],
  errorMessage: run.errorMessage,
  dataSourceType: sourceTypes[source],
});
