import type { ServiceImpl } from '@connectrpc/connect';
import type { AuditService, ListChangesRequest } from '../../gen/sightglass/audit/v1/audit_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { permissionDenied, placeWord, requireBinaryAccess, requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { DataStore } from '../ports/data-store.ts';
import { changedThings, isChangedThing, type AuditFilter } from '../ports/audit-store.ts';
import { organizationOf } from '../wire/binary-data-id.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { readPage } from '../wire/page-token.ts';
import { fromInterval } from '../wire/timestamps.ts';
import { changeMessage } from './change-message.ts';

/** A page ends before it is longer than this: a row has what was deleted, as all boxes of a picture or the stages of a query. */
const mostBytes = 4 * 2 ** 20;

/** Lists who changed what. No operation changes or deletes a row. */
export function auditRoutes({ store }: Pick<DataServiceDependencies, 'store'>): ServiceImpl<typeof AuditService> {
  const { audit } = store;
  return {
    async listChanges(request, context) {
      const principal = principalOf(context);
      requireOrganization(principal, request.organizationId);
      await requireObject(store, principal, request.objectId);
      const filter = filterOf(request);
      const { entries, nextPageToken } = await readPage(
        request.pageToken,
        pageLimit(BigInt(request.pageSize), false),
        (after, limit) => audit.page(filter, after, limit),
        (row) => row,
        { sizeOf: ({ before, after }) => JSON.stringify([before, after]).length, most: mostBytes, readAtOnce: 100 },
      );
      return { changes: entries.map(changeMessage), nextPageToken };
    },
    async listActors({ organizationId }, context) {
      requireOrganization(principalOf(context), organizationId);
      return { actors: [...(await audit.actors(organizationId))] };
    },
  };
}

/** A key of one location or part may ask who changed a file of its own, and no more. @throws ConnectError PermissionDenied */
async function requireObject(store: Pick<DataStore, 'binary'>, principal: Principal, objectId: string): Promise<void> {
  if (principal.locationId === null) return;
  const place = placeWord(principal);
  if (organizationOf(objectId) === '')
    throw permissionDenied(
      `This key is for one ${place}: give a file of that ${place} as object_id, or use a key of the whole organization.`,
    );
  await requireBinaryAccess(store, principal, [objectId]);
}

/** @throws ConnectError InvalidArgument */
function filterOf(request: ListChangesRequest): AuditFilter {
  const { each, organizationId, actorKind, actorId, what, objectId, start, end } = request;
  if (actorKind === '' && actorId !== '')
    throw invalidArgument('actor_kind is empty; give it beside actor_id, as "key".');
  if (what !== '' && !isChangedThing(what))
    throw invalidArgument(`what is ${JSON.stringify(what.slice(0, 80))}; give one of ${changedThings.join(', ')}.`);
  return {
    each,
    organizationId,
    actor: actorKind === '' ? null : { kind: actorKind, id: actorId },
    what,
    objectId,
    interval: fromInterval({ start, end }),
  };
}
