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
  OpenSession,
  Passkey,
  PeopleStore,
  Person,
  Powers,
  Session,
} from '../../../data-service/ports/people-store.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { identityOf } from '../../data-store/person-identity.ts';
import { advisoryLock } from './advisory-lock.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { KeepChanges } from './postgres-tables.ts';
import type { PostgresDatabase, Row, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

const key = ({ id }: { readonly id: string }) => ({ id: textKey(id) });

/** Who may log in and who is logged in, in tables. */
export const peopleTables = {
  people: new EntryTable<Person>('people', { key, others: (person) => ({ identity: textKey(identityOf(person)) }) }),
  members: new EntryTable<Membership>('members', {
    key,
    others: ({ personId, organizationId }) => ({ person_id: textKey(personId), organization: textKey(organizationId) }),
  }),
  passkeys: new EntryTable<Passkey>('passkeys', { key, others: ({ personId }) => ({ person_id: textKey(personId) }) }),
  invitations: new EntryTable<Invitation>('invitations', {
    key,
    others: ({ tokenHash, organizationId, email, expires }) => ({
      token_hash: textKey(tokenHash),
      organization: textKey(organizationId),
      email: textKey(email),
      expires,
    }),
  }),
  sessions: new EntryTable<Session>('sessions', {
    key,
    others: ({ personId, membershipId, until }) => ({
      person_id: textKey(personId),
      member_id: textKey(membershipId),
      until,
    }),
  }),
};

const { people, members, passkeys, invitations, sessions } = peopleTables;

const joined = 'members JOIN people ON people.id = members.person_id';

async function membersWhere(
  statements: Pick<Statements, 'rows'>,
  column: 'members.id' | 'members.person_id' | 'members.organization',
  value: string,
  locked: '' | 'FOR UPDATE OF members' = '',
): Promise<Member[]> {
  const sql = `SELECT members.entry AS membership, people.entry AS person FROM ${joined} WHERE ${column} = $1 ${locked}`;
  return (await statements.rows(sql, textKey(value))).map(memberOfRow).sort(byPerson);
}

const memberOfRow = ({ membership, person }: Row): Member => ({
  ...readEntry<Membership>(membership),
  person: readEntry<Person>(person),
});

/** Locks are taken in one order, so that no two writes wait for each other: of owners, a member, a session, a person. */
export function postgresPeopleStore(database: PostgresDatabase, keep: KeepChanges): PeopleStore {
  /** Locked to the end of the write. */
  const required = async <Entry>(
    statements: Statements,
    table: EntryTable<Entry>,
    thing: string,
    id: string,
  ): Promise<Entry> => {
    const found = await table.find(statements, key({ id }), 'FOR UPDATE');
    if (found === null) throw notFound(thing, id);
    return found;
  };
  const member = async (statements: Statements, id: string): Promise<Member> => {
    const [found] = await membersWhere(statements, 'members.id', id, 'FOR UPDATE OF members');
    if (found === undefined) throw notFound('member', id);
    return found;
  };
  /** The member, where its organization keeps an owner. */
  const changeable = async (statements: Statements, id: string, after: Powers | null): Promise<Member> => {
    const { organizationId } = (await members.find(statements, key({ id }))) ?? {};
    if (organizationId === undefined) throw notFound('member', id);
    await advisoryLock(statements, 'owners', organizationId);
    const changed = await member(statements, id);
    requireOwnerLeft(await members.list(statements, { organization: textKey(organizationId) }), changed, after);
    return changed;
  };
  const seen = (statements: Statements, { person: _, ...membership }: Member, time: number): Promise<void> =>
    members.replace(statements, { ...membership, timeSeen: Math.max(time, membership.timeSeen ?? 0) });
  const endSessions = async (statements: Statements, ended: readonly Session[]): Promise<void> => {
    for (const session of ended) {
      const [whose] = await membersWhere(statements, 'members.id', session.membershipId);
      // of two that end it at once, one finds it gone
      if ((await sessions.delete(statements, key(session))) === 0 || whose === undefined) continue;
      await keep(statements, changesOfSession(session, null, whose));
    }
  };
  const addPasskey = async (statements: Statements, passkey: Passkey): Promise<void> => {
    if (!(await passkeys.insert(statements, passkey))) throw alreadyExists('passkey', passkey.id);
    const whose = await membersWhere(statements, 'members.person_id', passkey.personId);
    await keep(statements, changesOfPasskey(null, passkey, whose));
  };
  /** A session and its member, both locked. */
  const lockedSession = async (statements: Statements, id: string): Promise<OpenSession> => {
    const { membershipId } = (await sessions.find(statements, key({ id }))) ?? {};
    if (membershipId === undefined) throw notFound('session', id);
    const whose = await member(statements, membershipId);
    return { session: await required(statements, sessions, 'session', id), member: whose };
  };

  return {
    getPerson: (id) => people.find(database, key({ id })),
    findPerson: async (issuer, subject) =>
      issuer === '' ? null : people.find(database, { identity: textKey(identityOf({ id: '', issuer, subject })) }),
    join: (invitationId, person, membership, passkey) =>
      database.write(async (statements) => {
        const invitation = await required(statements, invitations, 'invitation', invitationId);
        await advisoryLock(statements, 'people', identityOf(person));
        if ((await people.find(statements, key(person), 'FOR UPDATE')) === null) {
          const other = await people.find(statements, { identity: textKey(identityOf(person)) });
          if (other !== null) throw alreadyExists('person', person.subject);
          await people.insert(statements, person);
        }
        await invitations.delete(statements, key(invitation));
        if (!(await members.insert(statements, membership))) throw alreadyExists('member', membership.id);
        const added = await member(statements, membership.id);
        await keep(statements, [...changesOfInvitation(invitation, null), ...changesOfMember(null, added)]);
        if (passkey !== null) await addPasskey(statements, passkey);
      }),
    listMembers: (of) =>
      'personId' in of
        ? membersWhere(database, 'members.person_id', of.personId)
        : membersWhere(database, 'members.organization', of.organizationId),
    getMember: async (id) => (await membersWhere(database, 'members.id', id))[0] ?? null,
    changeMember: (id, powers) =>
      database.write(async (statements) => {
        const before = await changeable(statements, id, powers);
        const { person, ...membership } = { ...before, ...powers };
        await members.replace(statements, membership);
        await keep(statements, changesOfMember(before, { ...membership, person }));
      }),
    removeMember: (id) =>
      database.write(async (statements) => {
        const removed = await changeable(statements, id, null);
        await endSessions(statements, await sessions.list(statements, { member_id: textKey(id) }, 'FOR UPDATE'));
        await people.find(statements, { id: textKey(removed.personId) }, 'FOR UPDATE');
        await members.delete(statements, key(removed));
        await keep(statements, changesOfMember(removed, null));
        const person = { person_id: textKey(removed.personId) };
        if ((await members.find(statements, person)) !== null) return;
        await passkeys.delete(statements, person);
        await people.delete(statements, { id: textKey(removed.personId) });
      }),

    addPasskey: (passkey) =>
      database.write(async (statements) => {
        await required(statements, people, 'person', passkey.personId);
        await addPasskey(statements, passkey);
      }),
    getPasskey: (id) => passkeys.find(database, key({ id })),
    listPasskeys: async (personId) => (await passkeys.list(database, { person_id: textKey(personId) })).sort(byName),
    setPasskeyCounter: (id, counter) =>
      database.write(async (statements) => {
        const passkey = await required(statements, passkeys, 'passkey', id);
        await passkeys.replace(statements, { ...passkey, counter });
      }),
    deletePasskey: (id) =>
      database.write(async (statements) => {
        const passkey = await required(statements, passkeys, 'passkey', id);
        await passkeys.delete(statements, key(passkey));
        const whose = await membersWhere(statements, 'members.person_id', passkey.personId);
        await keep(statements, changesOfPasskey(passkey, null, whose));
      }),

    createInvitation: (invitation) =>
      database.write(async (statements) => {
        if (!(await invitations.insert(statements, invitation))) throw alreadyExists('invitation', invitation.id);
        await keep(statements, changesOfInvitation(null, invitation));
      }),
    findInvitation: (tokenHash) => invitations.find(database, { token_hash: textKey(tokenHash) }),
    listInvitations: async (of) =>
      (
        await invitations.list(
          database,
          'email' in of ? { email: textKey(of.email) } : { organization: textKey(of.organizationId) },
        )
      ).sort(byName),
    deleteInvitation: (organizationId, id) =>
      database.write(async (statements) => {
        const invitation = await required(statements, invitations, 'invitation', id);
        if (invitation.organizationId !== organizationId) throw notFound('invitation', id);
        await invitations.delete(statements, key(invitation));
        await keep(statements, changesOfInvitation(invitation, null));
      }),

    createSession: (session) =>
      database.write(async (statements) => {
        const whose = await member(statements, session.membershipId);
        if (whose.personId !== session.personId) throw notFound('member', session.membershipId);
        if (!(await sessions.insert(statements, session))) throw alreadyExists('session', session.id);
        await seen(statements, whose, session.timeCreated);
        await keep(statements, changesOfSession(null, session, whose));
      }),
    async getSession(id) {
      const [row] = await database.rows(
        `SELECT sessions.entry AS session, members.entry AS membership, people.entry AS person
         FROM sessions JOIN ${joined} ON members.id = sessions.member_id WHERE sessions.id = $1`,
        textKey(id),
      );
      return row === undefined ? null : { session: readEntry<Session>(row['session']), member: memberOfRow(row) };
    },
    renewSession: (id, until, now) =>
      database.write(async (statements) => {
        const { session, member: whose } = await lockedSession(statements, id);
        await sessions.replace(statements, renewed(session, until));
        await seen(statements, whose, now);
      }),
    switchSession: (id, membershipId) =>
      database.write(async (statements) => {
        const other = await members.find(statements, { id: textKey(membershipId) }, 'FOR UPDATE');
        const session = await required(statements, sessions, 'session', id);
        if (other?.personId !== session.personId || isEnded(session, other)) throw notFound('member', membershipId);
        await sessions.replace(statements, { ...session, membershipId });
      }),
    deleteSession: (id) =>
      database.write(async (statements) => endSessions(statements, await sessions.list(statements, key({ id })))),
    deleteSessionsOf: (personId) =>
      database.write(async (statements) =>
        endSessions(statements, await sessions.list(statements, { person_id: textKey(personId) })),
      ),
    endMemberSessions: (membershipId, now) =>
      database.write(async (statements) => {
        const found = await required(statements, members, 'member', membershipId);
        await members.replace(statements, { ...found, sessionsEnded: now });
        await endSessions(
          statements,
          await sessions.list(statements, { member_id: textKey(membershipId) }, 'FOR UPDATE'),
        );
      }),
    forgetOver: (time) =>
      database.write(async (statements) => {
        await statements.run('DELETE FROM sessions WHERE until <= $1', time);
        await statements.run('DELETE FROM invitations WHERE expires <= $1', time);
      }),
  };
}
