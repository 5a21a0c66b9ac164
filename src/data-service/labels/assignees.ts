import type { Principal } from '../ports/principal.ts';
import type { Place } from '../ports/access-store.ts';
import { actorKey, type Actor } from '../ports/audit-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import { failedPrecondition, notFound } from '../wire/invalid-argument.ts';

/** Whom images can be given to. */
export interface Assignee extends Actor {
  /** where they may annotate */
  readonly place: Place;
}

/**
 * The people and keys that a call names, as the organization knows them: names are never the caller's words.
 * @param store whose they are
 * @param principal who calls: in a browser the only one that there is
 * @param workers each once
 * @throws ConnectError NotFound for one that is no member and no key of the organization
 */
export async function requireAssignees(
  { access, people }: Pick<DataStore, 'access' | 'people'>,
  principal: Principal,
  workers: readonly Actor[],
): Promise<readonly Assignee[]> {
  const { organizationId, actor } = principal;
  const members = workers.some(({ kind }) => kind === 'person') ? await people?.listMembers({ organizationId }) : [];
  return Promise.all(
    workers.map(async (worker): Promise<Assignee> => {
      const { kind, id } = worker;
      if (kind === 'person') {
        const member = members?.find(({ personId }) => personId === id);
        if (member !== undefined) return { kind, id, name: member.person.name, place: member };
      }
      if (kind === 'key') {
        const key = await access.getKey(id);
        if (key?.organizationId === organizationId) return { kind, id, name: key.name, place: key };
      }
      if (kind === 'browser' && actorKey(worker) === actorKey(actor)) return { ...actor, place: principal };
      throw notFound(`There is no ${kind} ${id} in this organization; give images to a member or a key of it.`);
    }),
  );
}

/** @throws ConnectError FailedPrecondition unless the assignee may annotate where the image is */
export function requireReach({ name, place }: Assignee, image: Pick<Place, 'locationId' | 'partId'>): void {
  const isWithin = [
    [place.locationId, image.locationId],
    [place.partId, image.partId],
  ].every(([own, of]) => own === null || own === of);
  if (isWithin) return;
  throw failedPrecondition(
    `${name || 'The assignee'} may not annotate at location ${image.locationId}, part ${image.partId}; give the images there to somebody else.`,
  );
}
