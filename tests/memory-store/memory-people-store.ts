import {
  changesOfInvitation,
  changesOfMember,
  changesOfPasskey,
  changesOfSession,
} from '../../src/data-service/ports/describe-people.ts';
import { byPerson, isEnded, renewed, requireOwnerLeft } from '../../src/data-service/ports/member-rules.ts';
import { byName } from '../../src/data-service/ports/name-order.ts';
import type { Member, Membership, PeopleStore, Powers, Session } from '../../src/data-service/ports/people-store.ts';
import { alreadyExists, notFound } from '../../src/data-service/ports/store-refusals.ts';
import { required, type KeepChanges, type Tables } from './tables.ts';

export function memoryPeopleStore(tables: Tables, keep: KeepChanges): PeopleStore {
  const { people, members, passkeys, invitations, sessions } = tables;
  const memberOf = (membership: Membership): Member => ({
    ...membership,
    person: required(people, 'person', membership.personId),
  });
  const membersWhere = (matches: (membership: Membership) => boolean): Member[] =>
    [...members.values()].filter(matches).map(memberOf).sort(byPerson);
  const ofPerson = (personId: string): Member[] => membersWhere((member) => member.personId === personId);
  const ownerLeft = (member: Member, after: Powers | null): void =>
    requireOwnerLeft(
      membersWhere(({ organizationId }) => organizationId === member.organizationId),
      member,
      after,
    );
  const memberById = (id: string): Member => memberOf(required(members, 'member', id));
  const seen = (membershipId: string, time: number): void => {
    const member = required(members, 'member', membershipId);
    members.set(member.id, { ...member, timeSeen: Math.max(time, member.timeSeen ?? 0) });
  };
  const endSession = (session: Session): void => {
    sessions.delete(session.id);
    keep(changesOfSession(session, null, memberById(session.membershipId)));
  };

  return {
    async getPerson(id) {
      return people.get(id) ?? null;
    },
    async findPerson(issuer, subject) {
      if (issuer === '') return null;
      return [...people.values()].find((person) => person.issuer === issuer && person.subject === subject) ?? null;
    },
    async join(invitationId, person, membership, passkey) {
      const invitation = required(invitations, 'invitation', invitationId);
      const { id, issuer, subject } = person;
      const isTaken = [...people.values()].some((other) => other.issuer === issuer && other.subject === subject);
      if (!people.has(id) && issuer !== '' && isTaken) throw alreadyExists('person', subject);
      if (passkey !== null && passkeys.has(passkey.id)) throw alreadyExists('passkey', passkey.id);
      if (members.has(membership.id)) throw alreadyExists('member', membership.id);
      invitations.delete(invitationId);
      if (!people.has(id)) people.set(id, person);
      members.set(membership.id, membership);
      keep([...changesOfInvitation(invitation, null), ...changesOfMember(null, memberOf(membership))]);
      if (passkey === null) return;
      passkeys.set(passkey.id, passkey);
      keep(changesOfPasskey(null, passkey, ofPerson(id)));
    },
    async listMembers(of) {
      return 'personId' in of
        ? ofPerson(of.personId)
        : membersWhere(({ organizationId }) => organizationId === of.organizationId);
    },
    async getMember(id) {
      return members.has(id) ? memberById(id) : null;
    },
    async changeMember(id, powers) {
      const member = memberById(id);
      ownerLeft(member, powers);
      const changed = { ...required(members, 'member', id), ...powers };
      members.set(id, changed);
      keep(changesOfMember(member, memberOf(changed)));
    },
    async removeMember(id) {
      const member = memberById(id);
      ownerLeft(member, null);
      for (const session of [...sessions.values()]) if (session.membershipId === id) endSession(session);
      members.delete(id);
      keep(changesOfMember(member, null));
      if (ofPerson(member.personId).length > 0) return;
      for (const passkey of [...passkeys.values()]) {
        if (passkey.personId === member.personId) passkeys.delete(passkey.id);
      }
      people.delete(member.personId);
    },

    async addPasskey(passkey) {
      required(people, 'person', passkey.personId);
      if (passkeys.has(passkey.id)) throw alreadyExists('passkey', passkey.id);
      passkeys.set(passkey.id, passkey);
      keep(changesOfPasskey(null, passkey, ofPerson(passkey.personId)));
    },
    async getPasskey(id) {
      return passkeys.get(id) ?? null;
    },
    async listPasskeys(personId) {
      return [...passkeys.values()].filter((passkey) => passkey.personId === personId).sort(byName);
    },
    async setPasskeyCounter(id, counter) {
      passkeys.set(id, { ...required(passkeys, 'passkey', id), counter });
    },
    async deletePasskey(id) {
      const passkey = required(passkeys, 'passkey', id);
      passkeys.delete(id);
      keep(changesOfPasskey(passkey, null, ofPerson(passkey.personId)));
    },

    async createInvitation(invitation) {
      if (invitations.has(invitation.id)) throw alreadyExists('invitation', invitation.id);
      invitations.set(invitation.id, invitation);
      keep(changesOfInvitation(null, invitation));
    },
    async findInvitation(tokenHash) {
      return [...invitations.values()].find((invitation) => invitation.tokenHash === tokenHash) ?? null;
    },
    async listInvitations(of) {
      return [...invitations.values()]
        .filter((one) => ('email' in of ? one.email === of.email : one.organizationId === of.organizationId))
        .sort(byName);
    },
    async deleteInvitation(organizationId, id) {
      const invitation = required(invitations, 'invitation', id);
      if (invitation.organizationId !== organizationId) throw notFound('invitation', id);
      invitations.delete(id);
      keep(changesOfInvitation(invitation, null));
    },

    async createSession(session) {
      const member = memberById(session.membershipId);
      if (member.personId !== session.personId) throw notFound('member', session.membershipId);
      sessions.set(session.id, session);
      seen(member.id, session.timeCreated);
      keep(changesOfSession(null, session, member));
    },
    async getSession(id) {
      const session = sessions.get(id);
      return session === undefined ? null : { session, member: memberById(session.membershipId) };
    },
    async renewSession(id, until, now) {
      const session = required(sessions, 'session', id);
      sessions.set(id, renewed(session, until));
      seen(session.membershipId, now);
    },
    async switchSession(id, membershipId) {
      const session = required(sessions, 'session', id);
      const other = members.get(membershipId);
      if (other?.personId !== session.personId || isEnded(session, other)) throw notFound('member', membershipId);
      sessions.set(id, { ...session, membershipId });
    },
    async deleteSession(id) {
      const session = sessions.get(id);
      if (session !== undefined) endSession(session);
    },
    async deleteSessionsOf(personId) {
      for (const session of [...sessions.values()]) if (session.personId === personId) endSession(session);
    },
    async endMemberSessions(membershipId, now) {
      const found = required(members, 'member', membershipId);
      members.set(membershipId, { ...found, sessionsEnded: now });
      for (const session of [...sessions.values()]) if (session.membershipId === membershipId) endSession(session);
    },
    async forgetOver(time) {
      for (const [id, { until }] of sessions) if (until <= time) sessions.delete(id);
      for (const [id, { expires }] of invitations) if (expires <= time) invitations.delete(id);
    },
  };
}
