import {
  byPerson,
  changesOfInvitation,
  changesOfMember,
  changesOfPasskey,
  changesOfSession,
  isEnded,
  type Member,
  type Membership,
  type OpenSession,
  type Passkey,
  type PeopleStore,
  type Person,
  type Powers,
  renewed,
  requireOwnerLeft,
  type Session,
} from '../../../data-service/face/accounts.ts';
import { byName } from '../../../data-service/face/captures.ts';
import { alreadyExists, notFound } from '../../../data-service/face/stores.ts';
import { identityOf } from '../person-identity.ts';
import type { Steps } from '../steps.ts';
import type { Keep, Lock, ReadTables, Table, TableStore, Where, WriteTables } from '../tables.ts';
import { auditRows, invitations, members, passkeys, people, sessions } from './entity-tables.ts';

const all = [people, members, passkeys, invitations, sessions, auditRows];
const itsPerson = { by: 'personId', table: people };
const itsMember = { by: 'membershipId', table: members };

/** Locks are taken in one order, so that no two writes wait for each other: of owners, a member, a session, a person. */
export function peopleStore(store: TableStore, keep: Keep): PeopleStore {
  /** Ends sessions, within a write. */
  function* endSessions(tables: WriteTables, ended: readonly Session[]): Steps<void> {
    for (const session of ended) {
      const [whose] = yield* membersWhere(tables, { id: session.membershipId });
      // where two end it at once, one finds it gone
      const isGone = (yield* tables.delete(sessions, { where: { id: session.id } })) === 0;
      if (!isGone && whose !== undefined) yield* keep(tables, changesOfSession(session, null, whose));
    }
  }
  function* insertPasskey(tables: WriteTables, passkey: Passkey): Steps<void> {
    if (!(yield* tables.insert(passkeys, passkey))) throw alreadyExists('passkey', passkey.id);
    yield* keep(tables, changesOfPasskey(null, passkey, yield* membersWhere(tables, { personId: passkey.personId })));
  }

  return {
    getPerson: (id) => store.read([people], (tables) => tables.find(people, { id })),
    findPerson: async (issuer, subject) =>
      issuer === ''
        ? null
        : store.read([people], (tables) => tables.find(people, { identity: identityOf({ id: '', issuer, subject }) })),
    join: (invitationId, person, membership, passkey) =>
      store.write(all, function* (tables) {
        const invitation = yield* required(tables, invitations, 'invitation', invitationId);
        const identity = identityOf(person);
        yield* tables.lock('people', identity);
        if ((yield* tables.find(people, { id: person.id }, 'change')) === null) {
          if ((yield* tables.find(people, { identity })) !== null) throw alreadyExists('person', person.subject);
          yield* tables.insert(people, person);
        }
        yield* tables.delete(invitations, { where: { id: invitationId } });
        if (!(yield* tables.insert(members, membership))) throw alreadyExists('member', membership.id);
        const added = yield* requiredMember(tables, membership.id);
        yield* keep(tables, [...changesOfInvitation(invitation, null), ...changesOfMember(null, added)]);
        if (passkey !== null) yield* insertPasskey(tables, passkey);
      }),
    listMembers: (of) => store.read([members, people], (tables) => membersWhere(tables, of)),
    getMember: async (id) => (await store.read([members, people], (tables) => membersWhere(tables, { id })))[0] ?? null,
    changeMember: (id, powers) =>
      store.write(all, function* (tables) {
        const before = yield* changeable(tables, id, powers);
        const { person, ...membership } = { ...before, ...powers };
        yield* tables.replace(members, membership);
        yield* keep(tables, changesOfMember(before, { ...membership, person }));
      }),
    removeMember: (id) =>
      store.write(all, function* (tables) {
        const removed = yield* changeable(tables, id, null);
        const { personId } = removed;
        yield* endSessions(tables, yield* tables.list(sessions, { where: { membershipId: id } }, 'change'));
        yield* tables.find(people, { id: personId }, 'change');
        yield* tables.delete(members, { where: { id } });
        yield* keep(tables, changesOfMember(removed, null));
        if ((yield* tables.find(members, { personId })) !== null) return;
        yield* tables.delete(passkeys, { where: { personId } });
        yield* tables.delete(people, { where: { id: personId } });
      }),

    addPasskey: (passkey) =>
      store.write(all, function* (tables) {
        yield* required(tables, people, 'person', passkey.personId);
        yield* insertPasskey(tables, passkey);
      }),
    getPasskey: (id) => store.read([passkeys], (tables) => tables.find(passkeys, { id })),
    listPasskeys: async (personId) =>
      (await store.read([passkeys], (tables) => tables.list(passkeys, { where: { personId } }))).toSorted(byName),
    setPasskeyCounter: (id, counter) =>
      store.write(all, function* (tables) {
        const passkey = yield* required(tables, passkeys, 'passkey', id);
        yield* tables.replace(passkeys, { ...passkey, counter });
      }),
    deletePasskey: (id) =>
      store.write(all, function* (tables) {
        const passkey = yield* required(tables, passkeys, 'passkey', id);
        yield* tables.delete(passkeys, { where: { id } });
        const whose = yield* membersWhere(tables, { personId: passkey.personId });
        yield* keep(tables, changesOfPasskey(passkey, null, whose));
      }),

    createInvitation: (invitation) =>
      store.write(all, function* (tables) {
        if (!(yield* tables.insert(invitations, invitation))) throw alreadyExists('invitation', invitation.id);
        yield* keep(tables, changesOfInvitation(null, invitation));
      }),
    findInvitation: (tokenHash) => store.read([invitations], (tables) => tables.find(invitations, { tokenHash })),
    listInvitations: async (of) =>
      (await store.read([invitations], (tables) => tables.list(invitations, { where: of }))).toSorted(byName),
    deleteInvitation: (organizationId, id) =>
      store.write(all, function* (tables) {
        const invitation = yield* required(tables, invitations, 'invitation', id);
        if (invitation.organizationId !== organizationId) throw notFound('invitation', id);
        yield* tables.delete(invitations, { where: { id } });
        yield* keep(tables, changesOfInvitation(invitation, null));
      }),

    createSession: (session) =>
      store.write(all, function* (tables) {
        const whose = yield* requiredMember(tables, session.membershipId);
        if (whose.personId !== session.personId) throw notFound('member', session.membershipId);
        if (!(yield* tables.insert(sessions, session))) throw alreadyExists('session', session.id);
        yield* seen(tables, whose, session.timeCreated);
        yield* keep(tables, changesOfSession(null, session, whose));
      }),
    async getSession(id) {
      const path = [itsMember, itsPerson] as const;
      const [found] = await store.read(all, (tables) => tables.join(sessions, { id }, path));
      if (found === undefined) return null;
      const [session, membership, person] = found as readonly [Session, Membership, Person];
      return { session, member: { ...membership, person } };
    },
    renewSession: (id, until, now) =>
      store.write(all, function* (tables) {
        const { session, member } = yield* lockedSession(tables, id);
        yield* tables.replace(sessions, renewed(session, until));
        yield* seen(tables, member, now);
      }),
    switchSession: (id, membershipId) =>
      store.write(all, function* (tables) {
        const other = yield* tables.find(members, { id: membershipId }, 'change');
        const session = yield* required(tables, sessions, 'session', id);
        if (other?.personId !== session.personId || isEnded(session, other)) throw notFound('member', membershipId);
        yield* tables.replace(sessions, { ...session, membershipId });
      }),
    deleteSession: (id) =>
      store.write(all, function* (tables) {
        yield* endSessions(tables, yield* tables.list(sessions, { where: { id } }));
      }),
    deleteSessionsOf: (personId) =>
      store.write(all, function* (tables) {
        yield* endSessions(tables, yield* tables.list(sessions, { where: { personId } }));
      }),
    endMemberSessions: (membershipId, now) =>
      store.write(all, function* (tables) {
        const found = yield* required(tables, members, 'member', membershipId);
        yield* tables.replace(members, { ...found, sessionsEnded: now });
        yield* endSessions(tables, yield* tables.list(sessions, { where: { membershipId } }, 'change'));
      }),
    forgetOver: (time) =>
      store.write(all, function* (tables) {
        yield* tables.delete(sessions, { where: {}, order: ['until'], upTo: [time] });
        yield* tables.delete(invitations, { where: {}, order: ['expires'], upTo: [time] });
      }),
  };
}

function* membersWhere(
  tables: ReadTables,
  where: Where<'id' | 'personId' | 'organizationId'>,
  lock?: Lock,
): Steps<readonly Member[]> {
  const found = (yield* tables.join(members, where, [itsPerson], lock)) as readonly (readonly [Membership, Person])[];
  return found.map(([membership, person]) => ({ ...membership, person })).sort(byPerson);
}

/** Locked to the end of the write. */
function* required<Entry>(tables: WriteTables, table: Table<Entry, 'id'>, thing: string, id: string): Steps<Entry> {
  const found = yield* tables.find(table, { id }, 'change');
  if (found === null) throw notFound(thing, id);
  return found;
}

function* requiredMember(tables: WriteTables, id: string): Steps<Member> {
  const [found] = yield* membersWhere(tables, { id }, 'change');
  if (found === undefined) throw notFound('member', id);
  return found;
}

/** The member, where its organization keeps an owner. */
function* changeable(tables: WriteTables, id: string, after: Powers | null): Steps<Member> {
  const found = yield* tables.find(members, { id });
  if (found === null) throw notFound('member', id);
  const { organizationId } = found;
  yield* tables.lock('owners', organizationId);
  const changed = yield* requiredMember(tables, id);
  requireOwnerLeft(yield* tables.list(members, { where: { organizationId } }), changed, after);
  return changed;
}

const seen = (tables: WriteTables, { person: _, ...membership }: Member, time: number): Steps<void> =>
  tables.replace(members, { ...membership, timeSeen: Math.max(time, membership.timeSeen ?? 0) });

/** A session and its member, both locked. */
function* lockedSession(tables: WriteTables, id: string): Steps<OpenSession> {
  const found = yield* tables.find(sessions, { id });
  if (found === null) throw notFound('session', id);
  const member = yield* requiredMember(tables, found.membershipId);
  return { session: yield* required(tables, sessions, 'session', id), member };
}
