import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import {
  IndexableCollection,
  IndexCreator,
  type CreateIndexRequest,
  type DataService,
  type IndexSchema,
} from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { IndexedCollection, StoredIndex } from '../ports/index-store.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { readIndexSpecification } from './index-specification.ts';
import { withPatience } from './with-patience.ts';

type IndexRoutes = Pick<ServiceImpl<typeof DataService>, 'createIndex' | 'listIndexes' | 'deleteIndex'>;

/** Indexes that clients ask for. The store builds one that it can use, and refuses any other. */
export function indexRoutes(dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'defects'>): IndexRoutes {
  const { store, clock, defects } = dependencies;
  const { indexes, pipelines } = store;

  async function readCollection(
    request: Pick<CreateIndexRequest, 'organizationId' | 'collectionType' | 'pipelineName'>,
  ): Promise<IndexedCollection> {
    const { organizationId, collectionType, pipelineName = '' } = request;
    if (collectionType === IndexableCollection.HOT_STORE) return { kind: 'hot-store' };
    if (collectionType !== IndexableCollection.PIPELINE_SINK)
      throw invalidArgument('collection_type is neither hot store nor pipeline sink; give one of these.');
    requireText(pipelineName, 'pipeline_name');
    const pipeline = (await pipelines.list(organizationId)).find(({ name }) => name === pipelineName);
    if (!pipeline) throw notFound(`There is no pipeline named ${pipelineName}.`);
    return { kind: 'pipeline-sink', pipelineId: pipeline.id };
  }

  return {
    async createIndex(request, context) {
      const { organizationId } = request;
      requireOrganization(principalOf(context), organizationId);
      const collection = await readCollection(request);
      const { key, name, options } = readIndexSpecification(request.indexSpec);
      const index = { organizationId, collection, name, key, options: JSON.stringify(options) };
      const building = indexes.create({ ...index, createdBy: 'customer', timeCreated: clock.now() });
      await withPatience(building, 'build of an index', defects);
      return {};
    },
    async listIndexes(request, context) {
      const { organizationId } = request;
      requireOrganization(principalOf(context), organizationId);
      const collection = await readCollection(request);
      // first those that are being built: one that is whole meanwhile is in both rather than in none
      const building = await indexes.beingBuilt(organizationId, collection);
      const built = await indexes.list(organizationId, collection);
      const names = new Set(built.map(({ name }) => name));
      return {
        indexes: [
          ...built.map((index) => toWire(index, request.pipelineName)),
          ...building
            .filter(({ index }) => !names.has(index.name))
            .map(({ index, progress }) => toWire(index, request.pipelineName, { building: progress ?? {} })),
        ],
      };
    },
    async deleteIndex(request, context) {
      const { organizationId } = request;
      requireOrganization(principalOf(context), organizationId);
      const collection = await readCollection(request);
      const removing = indexes.delete(organizationId, collection, requireText(request.indexName, 'index_name'));
      await withPatience(removing, 'removal of an index', defects);
      return {};
    },
  };
}

/**
 * The key and options are returned as JSON text, which clients show unchanged; of an index that is being built a third says so.
 */
function toWire(
  index: StoredIndex,
  pipelineName: string | undefined,
  state: object | null = null,
): MessageInitShape<typeof IndexSchema> {
  const key = Object.fromEntries(index.key.map(({ path, direction }) => [path, direction]));
  const options = { name: index.name, ...(JSON.parse(index.options) as object) };
  return {
    collectionType:
      index.collection.kind === 'hot-store' ? IndexableCollection.HOT_STORE : IndexableCollection.PIPELINE_SINK,
    ...(index.collection.kind === 'pipeline-sink' ? { pipelineName } : {}),
    indexName: index.name,
    indexSpec: [key, options, ...(state === null ? [] : [state])].map((part) =>
      new TextEncoder().encode(JSON.stringify(part)),
    ),
    createdBy: index.createdBy === 'viam' ? IndexCreator.VIAM : IndexCreator.CUSTOMER,
  };
}
