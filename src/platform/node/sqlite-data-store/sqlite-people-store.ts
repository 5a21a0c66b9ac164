import {
  changesOfInvitation,
  changesOfMember,
  changesOfPasskey,
  changesOfSession,
} from '../../../data-service/ports/describe-people.ts';
import { byPerson, isEnded, renewed, requireOwnerLeft } from '../../../data-service/ports/member-rules.ts';
import { byName } from '../../../data-service/ports/name-order.ts';
import type {
  Invitation,
  Member,
  Membership,
  Passkey,
  PeopleStore,
  Person,
  Powers,
  Session,
} from '../../../data-service/ports/people-store.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { identityOf } from '../../data-store/person-identity.ts';
import { EntryTable } from './entry-table.ts';
import type { KeepChanges } from './sqlite-tables.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Who may log in and who is logged in, in tables. */
export const peopleTables = (database: SqliteDatabase) => ({
  people: new EntryTable<Person>(database, 'people', (person) => ({ id: person.id, identity: identityOf(person) })),
  members: new EntryTable<Membership>(database, 'members', ({ id, personId, organizationId }) => ({
    id,
    person_id: personId,
    organization_id: organizationId,
  })),
  passkeys: new EntryTable<Passkey>(database, 'passkeys', ({ id, personId }) => ({ id, person_id: personId })),
  invitations: new EntryTable<Invitation>(
    database,
    'invitations',
    ({ id, tokenHash, organizationId, email, expires }) => ({
      id,
      token_hash: tokenHash,
      organization_id: organizationId,
      email,
      expires,
    }),
  ),
  sessions: new EntryTable<Session>(database, 'sessions', ({ id, personId, membershipId, until }) => ({
    id,
    person_id: personId,
    member_id: membershipId,
    until,
  })),
});

export function sqlitePeopleStore(database: SqliteDatabase, keep: KeepChanges): PeopleStore {
  const { people, members, passkeys, invitations, sessions } = peopleTables(database);
  const required = <Entry>(table: EntryTable<Entry>, thing: string, id: string): Entry => {
    const found = table.find({ id });
    if (found === undefined) throw notFound(thing, id);
    return found;
  };
  const memberOf = (membership: Membership): Member => ({
    ...membership,
    person: required(people, 'person', membership.personId),
  });
  const member = (id: string): Member => memberOf(required(members, 'member', id));
  const membersOf = (of: { readonly person_id: string } | { readonly organization_id: string }): Member[] =>
    members.list(of).map(memberOf).sort(byPerson);
  const requireOwner = (changed: Member, after: Powers | null): void =>
    requireOwnerLeft(members.list({ organization_id: changed.organizationId }), changed, after);
  const seen = (id: string, time: number): void => {
    const found = required(members, 'member', id);
    members.replace({ ...found, timeSeen: Math.max(time, found.timeSeen ?? 0) }, { id });
  };
  const endSessions = (ended: readonly Session[]): void => {
    for (const session of ended) {
      sessions.delete({ id: session.id });
      keep(changesOfSession(session, null, member(session.membershipId)));
    }
  };
  const addPasskey = (passkey: Passkey): void => {
    if (passkeys.find({ id: passkey.id }) !== undefined) throw alreadyExists('passkey', passkey.id);
    passkeys.insert(passkey);
    keep(changesOfPasskey(null, passkey, membersOf({ person_id: passkey.personId })));
  };

  return {
    getPerson: (id) => database.read(() => people.find({ id }) ?? null),
    findPerson: async (issuer, subject) =>
      issuer === ''
        ? null
        : database.read(() => people.find({ identity: identityOf({ id: '', issuer, subject }) }) ?? null),
    join: (invitationId, person, membership, passkey) =>
      database.write(() => {
        const invitation = required(invitations, 'invitation', invitationId);
        if (people.find({ id: person.id }) === undefined) {
          if (people.find({ identity: identityOf(person) })) throw alreadyExists('person', person.subject);
          people.insert(person);
        }
        if (members.find({ id: membership.id })) throw alreadyExists('member', membership.id);
        invitations.delete({ id: invitationId });
        members.insert(membership);
        keep([...changesOfInvitation(invitation, null), ...changesOfMember(null, memberOf(membership))]);
        if (passkey !== null) addPasskey(passkey);
      }),
    listMembers: (of) =>
      database.read(() =>
        membersOf('personId' in of ? { person_id: of.personId } : { organization_id: of.organizationId }),
      ),
    getMember: (id) =>
      database.read(() => {
        const found = members.find({ id });
        return found === undefined ? null : memberOf(found);
      }),
    changeMember: (id, powers) =>
      database.write(() => {
        const before = member(id);
        requireOwner(before, powers);
        const { person, ...membership } = { ...before, ...powers };
        members.replace(membership, { id });
        keep(changesOfMember(before, { ...membership, person }));
      }),
    removeMember: (id) =>
      database.write(() => {
        const removed = member(id);
        requireOwner(removed, null);
        endSessions(sessions.list({ member_id: id }));
        members.delete({ id });
        keep(changesOfMember(removed, null));
        if (members.find({ person_id: removed.personId }) !== undefined) return;
        passkeys.delete({ person_id: removed.personId });
        people.delete({ id: removed.personId });
      }),

    addPasskey: (passkey) =>
      database.write(() => {
        required(people, 'person', passkey.personId);
        addPasskey(passkey);
      }),
    getPasskey: (id) => database.read(() => passkeys.find({ id }) ?? null),
    listPasskeys: (personId) => database.read(() => passkeys.list({ person_id: personId }).sort(byName)),
    setPasskeyCounter: (id, counter) =>
      database.write(() => passkeys.replace({ ...required(passkeys, 'passkey', id), counter }, { id })),
    deletePasskey: (id) =>
      database.write(() => {
        const passkey = required(passkeys, 'passkey', id);
        passkeys.delete({ id });
        keep(changesOfPasskey(passkey, null, membersOf({ person_id: passkey.personId })));
      }),

    createInvitation: (invitation) =>
      database.write(() => {
        if (invitations.find({ id: invitation.id })) throw alreadyExists('invitation', invitation.id);
        invitations.insert(invitation);
        keep(changesOfInvitation(null, invitation));
      }),
    findInvitation: (tokenHash) => database.read(() => invitations.find({ token_hash: tokenHash }) ?? null),
    listInvitations: (of) =>
      database.read(() =>
        invitations.list('email' in of ? { email: of.email } : { organization_id: of.organizationId }).sort(byName),
      ),
    deleteInvitation: (organizationId, id) =>
      database.write(() => {
        const invitation = required(invitations, 'invitation', id);
        if (invitation.organizationId !== organizationId) throw notFound('invitation', id);
        invitations.delete({ id });
        keep(changesOfInvitation(invitation, null));
      }),

    createSession: (session) =>
      database.write(() => {
        const whose = member(session.membershipId);
        if (whose.personId !== session.personId) throw notFound('member', session.membershipId);
        sessions.insert(session);
        seen(whose.id, session.timeCreated);
        keep(changesOfSession(null, session, whose));
      }),
    getSession: (id) =>
      database.read(() => {
        const session = sessions.find({ id });
        return session === undefined ? null : { session, member: member(session.membershipId) };
      }),
    renewSession: (id, until, now) =>
      database.write(() => {
        const session = renewed(required(sessions, 'session', id), until);
        sessions.replace(session, { id });
        seen(session.membershipId, now);
      }),
    switchSession: (id, membershipId) =>
      database.write(() => {
        const session = required(sessions, 'session', id);
        const other = members.find({ id: membershipId, person_id: session.personId });
        if (other === undefined || isEnded(session, other)) throw notFound('member', membershipId);
        sessions.replace({ ...session, membershipId }, { id });
      }),
    deleteSession: (id) => database.write(() => endSessions(sessions.list({ id }))),
    deleteSessionsOf: (personId) => database.write(() => endSessions(sessions.list({ person_id: personId }))),
    endMemberSessions: (membershipId, now) =>
      database.write(() => {
        const found = required(members, 'member', membershipId);
        members.replace({ ...found, sessionsEnded: now }, { id: membershipId });
        endSessions(sessions.list({ member_id: membershipId }));
      }),
    forgetOver: (time) =>
      database.write(() => {
        database.run('DELETE FROM sessions WHERE until <= ?', time);
        database.run('DELETE FROM invitations WHERE expires <= ?', time);
      }),
  };
}
