import { byName } from './name-order.ts';
import type { Member, Membership, Powers, Session } from './people-store.ts';
import { lastOwner } from './store-refusals.ts';

// Rules that all stores of people share.

/** By the name of the person, then by id. */
export const byPerson = (a: Member, b: Member): number =>
  byName({ name: a.person.name, id: a.id }, { name: b.person.name, id: b.id });

// access to one part names its location too, so this leaves out owners of one part
const isOwner = ({ role, locationId }: Powers): boolean => role === 'owner' && locationId === null;

/**
 * Refuses a change by which an organization would lose its last owner.
 * @param members of the organization, as they are
 * @param changed the one that is changed
 * @param after as it will be; null: it is removed
 * @throws StoreError last-owner
 * @example
 * const owner = { id: 'm', role: 'owner', locationId: null, partId: null };
 * requireOwnerLeft([owner], owner, null); // throws: This is the last owner of the organization, which would have none. Make another member owner of the whole organization first.
 * requireOwnerLeft([owner, { ...owner, id: 'n' }], owner, null); // => undefined
 */
export function requireOwnerLeft(
  members: readonly (Powers & Pick<Membership, 'id'>)[],
  changed: Powers & Pick<Membership, 'id'>,
  after: Powers | null,
): void {
  if (!isOwner(changed) || (after !== null && isOwner(after))) return;
  if (!members.some((member) => member.id !== changed.id && isOwner(member))) throw lastOwner(changed.id);
}

/**
 * Makes a session last longer.
 * @param session as it is
 * @param until up to when, in microseconds since 1970
 * @returns the session until then, or as long as it lasts already; never beyond its `ends`
 * @example
 * renewed({ until: 5, ends: 9 }, 7).until; // => 7
 * renewed({ until: 5, ends: 9 }, 20).until; // => 9
 */
export const renewed = <Renewed extends Pick<Session, 'until' | 'ends'>>(session: Renewed, until: number): Renewed => ({
  ...session,
  until: Math.min(Math.max(session.until, until), session.ends),
});

/**
 * Whether the sessions of a membership were ended that were as old as this one.
 * @param session of the member's person, in whichever membership
 * @param member to which it would be switched
 * @returns true: it cannot work as that member
 * @example
 * const session = { timeCreated: 5 };
 * isEnded(session, { sessionsEnded: 7 }); // => true
 * isEnded(session, {}); // => false
 */
export const isEnded = (
  { timeCreated }: Pick<Session, 'timeCreated'>,
  { sessionsEnded }: Pick<Membership, 'sessionsEnded'>,
): boolean => sessionsEnded !== undefined && timeCreated <= sessionsEnded;
