import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService, QuerySchema } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { SavedQuery } from '../ports/saved-query-store.ts';
import { invalidArgument, notFound, requireBoundedName, requireText } from '../wire/invalid-argument.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { checkedStages } from './query-routes.ts';

type SavedQueryRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'createSavedQuery' | 'updateSavedQuery' | 'getSavedQuery' | 'deleteSavedQuery' | 'listSavedQueries'
>;

const defaultListed = 50;
const maxListed = 1000;

/** Queries kept under a name, to be run or to be the beginning of another (`query_prefix_name`). */
export function savedQueryRoutes({
  store,
  clock,
  ids,
}: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids'>): SavedQueryRoutes {
  const { savedQueries } = store;

  async function requireQuery(principal: Principal, id: string): Promise<SavedQuery> {
    const query = await savedQueries.get(requireText(id, 'id'));
    if (query?.organizationId !== principal.organizationId) throw notFound(`There is no saved query ${id}.`);
    return query;
  }

  return {
    async createSavedQuery({ organizationId, name, mqlBinary }, context) {
      requireOrganization(principalOf(context), organizationId);
      const now = clock.now();
      const query: SavedQuery = {
        id: ids.next(),
        organizationId,
        name: requireBoundedName(name, 'name'),
        stages: requireStages(mqlBinary),
        timeCreated: now,
        timeUpdated: now,
      };
      await savedQueries.create(query);
      return { id: query.id };
    },
    async updateSavedQuery({ id, name, mqlBinary }, context) {
      await requireQuery(principalOf(context), id);
      const changes = {
        name: requireBoundedName(name, 'name'),
        stages: requireStages(mqlBinary),
        timeUpdated: clock.now(),
      };
      await savedQueries.update(id, changes);
      return {};
    },
    async getSavedQuery({ id }, context) {
      return { savedQuery: toWire(await requireQuery(principalOf(context), id)) };
    },
    async deleteSavedQuery({ id }, context) {
      await requireQuery(principalOf(context), id);
      await savedQueries.delete(id);
      return {};
    },
    async listSavedQueries({ organizationId, limit }, context) {
      requireOrganization(principalOf(context), organizationId);
      if (limit < 0n) throw invalidArgument(`limit is ${limit}; give a number of queries, or 0 for ${defaultListed}.`);
      const listed = limit === 0n ? defaultListed : Math.min(Number(limit), maxListed);
      return { queries: (await savedQueries.list(organizationId, listed)).map(toWire) };
    },
  };
}

function requireStages(mqlBinary: readonly Uint8Array[]): Uint8Array[] {
  if (mqlBinary.length === 0) throw invalidArgument('mql_binary is empty; give at least one stage.');
  return checkedStages(mqlBinary);
}

const toWire = (query: SavedQuery): MessageInitShape<typeof QuerySchema> => ({
  id: query.id,
  organizationId: query.organizationId,
  name: query.name,
  mqlBinary: [...query.stages],
  createdOn: toTimestamp(query.timeCreated),
  updatedAt: toTimestamp(query.timeUpdated),
});
