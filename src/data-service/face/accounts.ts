// People, organizations and what was changed: rows of their stores, and what is said of them.

export { changeJson } from '../audit/change-message.ts';
export { linkOfInvitation } from '../people/invitation-link.ts';
export { createInvitation, openInvitationsTo, shownInvitation, takeInvitation } from '../people/invitations.ts';
export { requireEmail, requireName } from '../people/person-fields.ts';
export { seenLast } from '../people/seen-last.ts';
export {
  type AccessStore,
  type ApiKey,
  type DatabaseUser,
  isAtLeast,
  isRole,
  type Location,
  type Organization,
  type Part,
  type Place,
  type RefusedLogIns,
  type Role,
  roles,
  type ShownLogIn,
} from '../ports/access-store.ts';
export {
  type Actor,
  actorKey,
  type AuditFilter,
  type AuditRow,
  type AuditStore,
  type Change,
  type ChangedThing,
  changedThings,
  isChangedThing,
  mostActors,
  serviceActor,
} from '../ports/audit-store.ts';
export { changesOfInvitation, changesOfMember, changesOfPasskey, changesOfSession } from '../ports/describe-people.ts';
export { byPerson, isEnded, renewed, requireOwnerLeft } from '../ports/member-rules.ts';
export type { PasskeyCeremonies, PasskeyCeremony } from '../ports/passkey-ceremonies.ts';
export type {
  Invitation,
  Member,
  Membership,
  OpenSession,
  Passkey,
  PeopleStore,
  Person,
  Powers,
  Session,
} from '../ports/people-store.ts';
