import type { Change } from './audit-store.ts';
import { fieldsThatDiffer } from './describe-changes.ts';
import type { Invitation, Member, Passkey, Session } from './people-store.ts';

// What stores write into the audit of a change of people. No token and no hash of one is in it.

/**
 * Says what of a member has changed.
 * @param before as it was; null: it is new
 * @param after as it is; null: it was removed
 * @returns one change, with the fields that differ; no change where none differs
 * @example
 * const person = { id: 'p', name: 'Ada', email: '', issuer: '', subject: '', timeCreated: 0 };
 * const member = { id: 'm', personId: 'p', organizationId: 'a', locationId: null, partId: null, role: 'annotator', timeCreated: 0, timeSeen: null, person };
 * changesOfMember(member, { ...member, role: 'reviewer' })[0].after; // => { role: 'reviewer' }
 */
export const changesOfMember = (before: Member | null, after: Member | null): Change[] =>
  fieldsThatDiffer('member', describedMember(before), describedMember(after));

const describedMember = (member: Member | null) =>
  member && {
    organizationId: member.organizationId,
    id: member.id,
    name: member.person.name,
    fields: { name: member.person.name, role: member.role, locationId: member.locationId, partId: member.partId },
  };

/**
 * Says that an invitation is new, or was taken or deleted.
 * @param before as it was; null: it is new
 * @param after as it is; null: it is gone
 * @returns one change
 * @example
 * const invitation = { id: 'i', tokenHash: 'x', organizationId: 'a', locationId: null, partId: null, role: 'annotator', name: 'Ada', email: '', invitedBy: 'Eve', timeCreated: 0, expires: 5 };
 * changesOfInvitation(null, invitation)[0].after; // => { name: 'Ada', email: '', role: 'annotator', locationId: null, partId: null }
 */
export const changesOfInvitation = (before: Invitation | null, after: Invitation | null): Change[] =>
  fieldsThatDiffer('invitation', describedInvitation(before), describedInvitation(after));

const describedInvitation = (invitation: Invitation | null) =>
  invitation && {
    organizationId: invitation.organizationId,
    id: invitation.id,
    name: invitation.name,
    fields: {
      name: invitation.name,
      email: invitation.email,
      role: invitation.role,
      locationId: invitation.locationId,
      partId: invitation.partId,
    },
  };

/**
 * Says that a person has another passkey, or one less, in each organization of the person.
 * @param before as it was; null: it is new
 * @param after as it is; null: it was deleted
 * @param memberships of the person
 * @returns a change for each organization
 * @example
 * changesOfPasskey(null, { name: 'phone' }, []); // => []
 */
export function changesOfPasskey(
  before: Pick<Passkey, 'name'> | null,
  after: Pick<Passkey, 'name'> | null,
  memberships: readonly Member[],
): Change[] {
  const ofOrganizations = new Map(memberships.map((member) => [member.organizationId, member]));
  const fields = (passkey: Pick<Passkey, 'name'> | null) => passkey && { passkey: passkey.name };
  return [...ofOrganizations.values()].map(({ organizationId, personId, person }) => ({
    organizationId,
    what: 'passkey',
    objectId: personId,
    objectName: person.name,
    before: fields(before),
    after: fields(after),
  }));
}

/**
 * Says that someone has logged in, or is logged in no longer.
 * @param before as it was; null: it is new
 * @param after as it is; null: it has ended
 * @param member as whom the person works in it
 * @returns one change, of the person
 * @example
 * const person = { id: 'p', name: 'Ada' };
 * changesOfSession(null, { origin: 'https://data.example' }, { organizationId: 'a', personId: 'p', person })[0].after; // => { origin: 'https://data.example' }
 */
export function changesOfSession(
  before: Pick<Session, 'origin'> | null,
  after: Pick<Session, 'origin'> | null,
  { organizationId, personId, person }: Pick<Member, 'organizationId' | 'personId' | 'person'>,
): Change[] {
  const fields = (session: Pick<Session, 'origin'> | null) => session && { origin: session.origin };
  return [
    {
      organizationId,
      what: 'session',
      objectId: personId,
      objectName: person.name,
      before: fields(before),
      after: fields(after),
    },
  ];
}
