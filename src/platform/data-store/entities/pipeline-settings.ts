import {
  alreadyExists,
  changesOf,
  notFound,
  type Pipeline,
  type PipelineStore,
} from '../../../data-service/face/stores.ts';
import { byName } from '../../../data-service/face/captures.ts';
import type { Steps } from '../steps.ts';
import type { Keep, TableStore, Where, WriteTables } from '../tables.ts';
import { claimName } from './claim-name.ts';
import { auditRows, pipelines } from './entity-tables.ts';

/** The part of the store of pipelines that is about what they are set to. */
export type PipelineSettings = Pick<PipelineStore, 'create' | 'get' | 'list' | 'listEnabled' | 'update'>;

export function pipelineSettings(store: TableStore, keep: Keep): PipelineSettings {
  const scope = [pipelines, auditRows];
  const listed = async (where: Where<'organizationId' | 'enabled'>): Promise<readonly Pipeline[]> =>
    (await store.read([pipelines], (tables) => tables.list(pipelines, { where }))).toSorted(byName);
  return {
    create: (pipeline) =>
      store.write(scope, function* (tables) {
        yield* claimName(tables, pipelines, 'pipeline', pipeline);
        if (!(yield* tables.insert(pipelines, pipeline))) throw alreadyExists('pipeline', pipeline.id);
        yield* keep(tables, changesOf('pipeline', null, pipeline));
      }),
    get: (id) => store.read([pipelines], (tables) => tables.find(pipelines, { id })),
    list: (organizationId) => listed({ organizationId }),
    listEnabled: () => listed({ enabled: 1 }),
    update: (id, changes) =>
      store.write(scope, function* (tables) {
        const pipeline = yield* requiredPipeline(tables, id);
        const changed = { ...pipeline, ...changes };
        yield* claimName(tables, pipelines, 'pipeline', changed);
        yield* tables.replace(pipelines, changed);
        yield* keep(tables, changesOf('pipeline', pipeline, changed));
        return changed;
      }),
  };
}

/** Deletes what a pipeline is set to, within the write that deletes its runs and results. @throws StoreError `not-found` */
export function* deletePipeline(tables: WriteTables, keep: Keep, id: string): Steps<Pipeline> {
  const pipeline = yield* requiredPipeline(tables, id);
  yield* tables.delete(pipelines, { where: { organizationId: pipeline.organizationId, id } });
  yield* keep(tables, changesOf('pipeline', pipeline, null));
  return pipeline;
}

function* requiredPipeline(tables: WriteTables, id: string): Steps<Pipeline> {
  const pipeline = yield* tables.find(pipelines, { id }, 'change');
  if (pipeline === null) throw notFound('pipeline', id);
  return pipeline;
}
