import { describe, expect, it } from 'vitest';
import type { Actor, AuditRow } from '../../../src/data-service/ports/audit-store.ts';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';
import type {
  Invitation,
  Membership,
  Passkey,
  PeopleStore,
  Person,
  Session,
} from '../../../src/data-service/ports/people-store.ts';
import { auditFilter } from './audit.ts';
import { testNow } from './blobs.ts';
import type { Subject } from './store-under-test.ts';

const eve: Actor = { kind: 'key', id: 'eve', name: 'Eve' };

export const personOf = (id: string, changes: Partial<Person> = {}): Person => ({
  id,
  name: `name of ${id}`,
  email: `${id}@example.org`,
  issuer: '',
  subject: '',
  timeCreated: testNow,
  ...changes,
});
export const membershipOf = (personId: string, changes: Partial<Membership> = {}): Membership => ({
  id: `member-${personId}`,
  personId,
  organizationId: 'org',
  locationId: null,
  partId: null,
  role: 'annotator',
  timeCreated: testNow,
  timeSeen: null,
  ...changes,
});
export const invitationOf = (id: string, changes: Partial<Invitation> = {}): Invitation => ({
  id,
  tokenHash: `digest-of-${id}`,
  organizationId: 'org',
  locationId: null,
  partId: null,
  role: 'annotator',
  name: `name of ${id}`,
  email: `${id}@example.org`,
  invitedBy: 'Eve',
  timeCreated: testNow,
  expires: testNow + 1000,
  ...changes,
});
export const passkeyOf = (id: string, personId: string): Passkey => ({
  id,
  personId,
  publicKey: Uint8Array.of(0, 7, 255),
  counter: 0,
  transports: ['internal', 'hybrid'],
  name: `name of ${id}`,
  timeCreated: testNow,
});
export const sessionOf = (id: string, personId: string, changes: Partial<Session> = {}): Session => ({
  id,
  personId,
  membershipId: `member-${personId}`,
  origin: 'https://data.example',
  timeCreated: testNow,
  until: testNow + 100,
  ends: testNow + 1000,
  ...changes,
});

/** Lets a person join, by an invitation. */
export async function join(
  people: PeopleStore,
  person: Person,
  membership: Membership = membershipOf(person.id),
  passkey: Passkey | null = null,
): Promise<void> {
  const id = `invitation-${membership.id}`;
  await people.createInvitation(invitationOf(id, { organizationId: membership.organizationId }));
  await people.join(id, person, membership, passkey);
}

export function describePeople(subject: Subject): void {
  const rowsOf = async ({ audit }: DataStore, organizationId = 'org'): Promise<readonly AuditRow[]> =>
    audit.page(auditFilter({ organizationId }), null, 1000);
  const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

  describe('people', () => {
    // a store of one person, as in a browser, has no people to test
    const test = (name: string, run: (people: PeopleStore, store: DataStore) => Promise<void>): void =>
      it(name, async ({ skip }) => {
        const { store } = subject();
        if (store.people === null) return skip('this store is of one person');
        await run(store.people, store);
      });

    test('join by an invitation, which is taken once', async (people) => {
      await people.createInvitation(invitationOf('i'));
      const [person, membership] = [
        personOf('ada'),
        membershipOf('ada', { role: 'reviewer', locationId: 'barn', partId: 'arm' }),
      ];
      await people.join('i', person, membership, passkeyOf('k', 'ada'));
      expect(await people.getPerson('ada')).toEqual(person);
      expect(await people.getMember('member-ada')).toEqual({ ...membership, person });
      expect(await people.getPasskey('k')).toEqual(passkeyOf('k', 'ada'));
      expect(await people.listInvitations({ organizationId: 'org' })).toEqual([]);
      const again = people.join('i', personOf('bob'), membershipOf('bob'), null);
      await expect(again).rejects.toMatchObject({ code: 'not-found' });
      expect([await people.getPerson('bob'), await people.getMember('member-bob')]).toEqual([null, null]);
    });

    test('join once of two who take an invitation at once', async (people) => {
      await people.createInvitation(invitationOf('i'));
      const both = await Promise.allSettled(
        ['ada', 'bob'].map((id) => people.join('i', personOf(id), membershipOf(id), null)),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await people.listMembers({ organizationId: 'org' })).toHaveLength(1);
    });

    test('have memberships in several places, as one person', async (people) => {
      await join(people, personOf('ada', { name: 'Ada' }));
      const other = membershipOf('ada', { id: 'm2', organizationId: 'other', role: 'owner' });
      await join(people, personOf('ada', { name: 'another name' }), other);
      await join(people, personOf('bob', { name: 'Aaron' }));
      expect(idsOf(await people.listMembers({ organizationId: 'org' }))).toEqual(['member-bob', 'member-ada']);
      expect(idsOf(await people.listMembers({ personId: 'ada' }))).toEqual(['m2', 'member-ada']);
      expect((await people.getMember('m2'))!.person.name).toBe('Ada');
      expect(await people.listMembers({ organizationId: 'none' })).toEqual([]);
      expect(await people.getMember('none')).toBeNull();
    });

    test('are found by whom a provider says they are', async (people) => {
      const ofIssuer = { issuer: 'https://id.example', subject: '42' };
      await join(people, personOf('ada', ofIssuer));
      await join(people, personOf('bob'));
      expect((await people.findPerson('https://id.example', '42'))!.id).toBe('ada');
      expect(await people.findPerson('https://id.example', '4')).toBeNull();
      expect(await people.findPerson('', '')).toBeNull();
      await expect(join(people, personOf('eve', ofIssuer))).rejects.toMatchObject({ code: 'already-exists' });
      expect(await people.getPerson('eve')).toBeNull();
      expect(idsOf(await people.listInvitations({ organizationId: 'org' }))).toEqual(['invitation-member-eve']);
    });

    test('change what they may do', async (people) => {
      await join(people, personOf('ada'));
      const powers = { role: 'operator', locationId: 'barn', partId: 'arm' } as const;
      await people.changeMember('member-ada', powers);
      expect(await people.getMember('member-ada')).toMatchObject(powers);
      await people.changeMember('member-ada', { ...powers, partId: null });
      expect(await people.getMember('member-ada')).toMatchObject({ ...powers, partId: null });
      const unknown = people.changeMember('none', { role: 'owner', locationId: null, partId: null });
      await expect(unknown).rejects.toMatchObject({ code: 'not-found' });
    });

    test('leave each organization at least one owner', async (people) => {
      await join(people, personOf('ada'), membershipOf('ada', { role: 'owner' }));
      await join(people, personOf('bob'), membershipOf('bob', { role: 'owner', locationId: 'barn' }));
      const elsewhere = membershipOf('cleo', { organizationId: 'other', role: 'owner' });
      await join(people, personOf('cleo'), elsewhere);
      for (const refused of [
        () => people.removeMember('member-ada'),
        () => people.changeMember('member-ada', { role: 'operator', locationId: null, partId: null }),
        () => people.changeMember('member-ada', { role: 'owner', locationId: 'barn', partId: null }),
      ]) {
        await expect(refused()).rejects.toMatchObject({ code: 'last-owner', subject: 'member-ada' });
      }
      await people.changeMember('member-ada', { role: 'owner', locationId: null, partId: null });
      await people.changeMember('member-bob', { role: 'owner', locationId: null, partId: null });
      const both = await Promise.allSettled(['ada', 'bob'].map((id) => people.removeMember(`member-${id}`)));
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await people.listMembers({ organizationId: 'org' })).toHaveLength(1);
    });

    test('are forgotten with their last membership, with sessions and passkeys', async (people) => {
      await join(people, personOf('ada'), undefined, passkeyOf('k', 'ada'));
      await join(people, personOf('ada'), membershipOf('ada', { id: 'm2', organizationId: 'other' }));
      await people.createSession(sessionOf('s1', 'ada'));
      await people.createSession(sessionOf('s2', 'ada', { membershipId: 'm2' }));
      await people.removeMember('member-ada');
      expect(await people.getSession('s1')).toBeNull();
      expect((await people.getSession('s2'))!.member.id).toBe('m2');
      expect(await people.getPasskey('k')).not.toBeNull();
      await people.removeMember('m2');
      expect([await people.getPerson('ada'), await people.getPasskey('k'), await people.getSession('s2')]).toEqual([
        null,
        null,
        null,
      ]);
      await expect(people.removeMember('m2')).rejects.toMatchObject({ code: 'not-found' });
    });

    test('add passkeys, use and delete them', async (people) => {
      await join(people, personOf('ada'), undefined, passkeyOf('k2', 'ada'));
      await people.addPasskey(passkeyOf('k1', 'ada'));
      expect(idsOf(await people.listPasskeys('ada'))).toEqual(['k1', 'k2']);
      await expect(people.addPasskey(passkeyOf('k1', 'ada'))).rejects.toMatchObject({ code: 'already-exists' });
      await expect(people.addPasskey(passkeyOf('k3', 'none'))).rejects.toMatchObject({ code: 'not-found' });
      await people.setPasskeyCounter('k1', 7);
      expect(await people.getPasskey('k1')).toEqual({ ...passkeyOf('k1', 'ada'), counter: 7 });
      await people.deletePasskey('k1');
      expect(await people.getPasskey('k1')).toBeNull();
      await expect(people.deletePasskey('k1')).rejects.toMatchObject({ code: 'not-found' });
      await expect(people.setPasskeyCounter('k1', 1)).rejects.toMatchObject({ code: 'not-found' });
    });

    test('are invited, and found by the token or their address', async (people) => {
      await people.createInvitation(invitationOf('b'));
      await people.createInvitation(invitationOf('a', { email: 'b@example.org', organizationId: 'other' }));
      expect(await people.findInvitation('digest-of-b')).toEqual(invitationOf('b'));
      expect(await people.findInvitation('none')).toBeNull();
      expect(idsOf(await people.listInvitations({ email: 'b@example.org' }))).toEqual(['a', 'b']);
      expect(idsOf(await people.listInvitations({ organizationId: 'org' }))).toEqual(['b']);
      await expect(people.deleteInvitation('other', 'b')).rejects.toMatchObject({ code: 'not-found' });
      await people.deleteInvitation('org', 'b');
      await expect(people.deleteInvitation('org', 'b')).rejects.toMatchObject({ code: 'not-found' });
      await expect(people.createInvitation(invitationOf('a'))).rejects.toMatchObject({ code: 'already-exists' });
    });

    test('are logged in as one of their memberships', async (people) => {
      await join(people, personOf('ada'));
      await join(people, personOf('ada'), membershipOf('ada', { id: 'm2', organizationId: 'other', role: 'owner' }));
      await join(people, personOf('bob'));
      await people.createSession(sessionOf('s', 'ada'));
      const open = (await people.getSession('s'))!;
      expect(open.session).toEqual(sessionOf('s', 'ada'));
      expect(open.member).toEqual({ ...membershipOf('ada'), timeSeen: testNow, person: personOf('ada') });
      await people.switchSession('s', 'm2');
      expect((await people.getSession('s'))!.member).toMatchObject({ id: 'm2', role: 'owner' });
      for (const id of ['member-bob', 'none']) {
        await expect(people.switchSession('s', id)).rejects.toMatchObject({ code: 'not-found' });
      }
      await expect(people.switchSession('none', 'm2')).rejects.toMatchObject({ code: 'not-found' });
      const foreign = sessionOf('t', 'ada', { membershipId: 'member-bob' });
      await expect(people.createSession(foreign)).rejects.toMatchObject({ code: 'not-found' });
      await expect(people.createSession(sessionOf('t', 'none'))).rejects.toMatchObject({ code: 'not-found' });
      expect(await people.getSession('t')).toBeNull();
    });

    test('are logged in for longer while they work, and no longer than it may last', async (people) => {
      await join(people, personOf('ada'));
      await people.createSession(sessionOf('s', 'ada'));
      const until = async () => (await people.getSession('s'))!.session.until - testNow;
      await people.renewSession('s', testNow + 300, testNow + 50);
      expect([await until(), (await people.getMember('member-ada'))!.timeSeen]).toEqual([300, testNow + 50]);
      await people.renewSession('s', testNow + 200, testNow + 20);
      expect([await until(), (await people.getMember('member-ada'))!.timeSeen]).toEqual([300, testNow + 50]);
      await people.renewSession('s', testNow + 5000, testNow + 60);
      expect(await until()).toBe(1000);
      await expect(people.renewSession('none', 1, 1)).rejects.toMatchObject({ code: 'not-found' });
    });

    test('are logged out, here or everywhere', async (people) => {
      await join(people, personOf('ada'));
      await join(people, personOf('ada'), membershipOf('ada', { id: 'm2' }));
      for (const id of ['s1', 's2']) await people.createSession(sessionOf(id, 'ada'));
      for (const id of ['s3', 's4']) await people.createSession(sessionOf(id, 'ada', { membershipId: 'm2' }));
      const open = async () => {
        const found = await Promise.all(['s1', 's2', 's3', 's4'].map((id) => people.getSession(id)));
        return found.flatMap((one) => one?.session.id ?? []);
      };
      await people.deleteSession('s1');
      await people.deleteSession('s1');
      expect(await open()).toEqual(['s2', 's3', 's4']);
      await people.deleteSessionsOf('ada');
      expect(await open()).toEqual([]);
    });

    test('are logged out of one membership alone, and do not come back to it with a session from before', async (people) => {
      await join(people, personOf('ada'));
      await join(people, personOf('ada'), membershipOf('ada', { id: 'm2', organizationId: 'other' }));
      for (const [id, membershipId] of [
        ['here', 'member-ada'],
        ['there', 'm2'],
      ] as const)
        await people.createSession(sessionOf(id, 'ada', { membershipId }));
      await people.endMemberSessions('member-ada', testNow);
      expect(await people.getSession('here')).toBeNull();
      await expect(people.switchSession('there', 'member-ada')).rejects.toMatchObject({ code: 'not-found' });
      expect((await people.getSession('there'))!.member.id).toBe('m2');
      await people.createSession(sessionOf('later', 'ada', { membershipId: 'm2', timeCreated: testNow + 1 }));
      await people.switchSession('later', 'member-ada');
      expect((await people.getSession('later'))!.member.id).toBe('member-ada');
      await expect(people.endMemberSessions('none', testNow)).rejects.toMatchObject({ code: 'not-found' });
    });

    test('are no longer known to be invited or logged in when that is over', async (people, store) => {
      await join(people, personOf('ada'));
      await people.createSession(sessionOf('old', 'ada', { until: testNow + 10 }));
      await people.createSession(sessionOf('new', 'ada', { until: testNow + 11 }));
      await people.createInvitation(invitationOf('old', { expires: testNow + 10 }));
      await people.createInvitation(invitationOf('new', { expires: testNow + 11 }));
      const before = await rowsOf(store);
      await people.forgetOver(testNow + 10);
      expect([await people.getSession('old'), await people.findInvitation('digest-of-old')]).toEqual([null, null]);
      expect((await people.getSession('new'))!.session.id).toBe('new');
      expect(await people.findInvitation('digest-of-new')).not.toBeNull();
      expect(await rowsOf(store)).toEqual(before);
    });

    test('leave a row in the audit with each change, without what would let someone in', async (_, store) => {
      const people = store.as(eve).people!;
      const [member, who] = ['member-ada', 'name of ada'];
      const invited = { name: 'name of i', email: 'i@example.org', role: 'annotator', locationId: null, partId: null };
      const ada = { name: who, role: 'annotator', locationId: null, partId: null };
      const origin = { origin: 'https://data.example' };
      const changes: readonly (readonly [() => Promise<void>, readonly unknown[]])[] = [
        [() => people.createInvitation(invitationOf('i')), [['invitation', 'i', null, invited]]],
        [
          () => people.join('i', personOf('ada'), membershipOf('ada'), passkeyOf('k', 'ada')),
          [
            ['invitation', 'i', invited, null],
            ['member', member, null, ada],
            ['passkey', 'ada', null, { passkey: 'name of k' }],
          ],
        ],
        [() => people.addPasskey(passkeyOf('k2', 'ada')), [['passkey', 'ada', null, { passkey: 'name of k2' }]]],
        [() => people.deletePasskey('k2'), [['passkey', 'ada', { passkey: 'name of k2' }, null]]],
        [
          () => people.changeMember(member, { role: 'reviewer', locationId: null, partId: null }),
          [['member', member, { role: 'annotator' }, { role: 'reviewer' }]],
        ],
        [() => people.changeMember(member, { role: 'reviewer', locationId: null, partId: null }), []],
        [() => people.createSession(sessionOf('secret-s', 'ada')), [['session', 'ada', null, origin]]],
        [() => people.renewSession('secret-s', testNow + 500, testNow + 1), []],
        [() => people.deleteSession('secret-s'), [['session', 'ada', origin, null]]],
        [() => people.deleteSession('secret-s'), []],
        [() => people.createSession(sessionOf('secret-t', 'ada')), [['session', 'ada', null, origin]]],
        [
          () => people.removeMember(member),
          [
            ['member', member, { ...ada, role: 'reviewer' }, null],
            ['session', 'ada', origin, null],
          ],
        ],
        [() => people.createInvitation(invitationOf('j')), [['invitation', 'j', null, expect.anything()]]],
        [() => people.deleteInvitation('org', 'j'), [['invitation', 'j', expect.anything(), null]]],
      ];
      for (const [change, expected] of changes) {
        const known = new Set(idsOf(await rowsOf(store)));
        await change();
        const added = (await rowsOf(store)).filter(({ id }) => !known.has(id));
        const short = added.map(({ what, objectId, before, after }) => [what, objectId, before, after]);
        expect(short.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual(expected);
        expect(added.every(({ actor }) => actor.id === 'eve')).toBe(true);
      }
      // Without ids and times of the clock: either may hold 255.
      const text = JSON.stringify((await rowsOf(store)).map((row) => ({ ...row, id: '', time: 0 })));
      for (const word of ['digest', 'secret', '255']) expect(text).not.toContain(word);
    });

    test('leave no row where the change is refused, or only copied', async (people, store) => {
      await join(people, personOf('ada'), membershipOf('ada', { role: 'owner' }));
      const before = await rowsOf(store);
      await expect(people.removeMember('member-ada')).rejects.toMatchObject({ code: 'last-owner' });
      await store.as(null).people!.createInvitation(invitationOf('copied'));
      expect(await rowsOf(store)).toEqual(before);
    });

    test('are the same for others who have the store open, with odd texts', async (people) => {
      const odd = personOf('nul\0', { name: '\ud800', issuer: 'x'.repeat(900), subject: '"\0' });
      await join(people, odd);
      await people.createSession(sessionOf('s', 'nul\0'));
      const other = (await subject().openAgain?.()) ?? subject().store;
      expect(await other.people!.findPerson(odd.issuer, odd.subject)).toEqual(odd);
      expect((await other.people!.getSession('s'))!.member.person).toEqual(odd);
      await other.people!.deleteSessionsOf(odd.id);
      expect(await people.getSession('s')).toBeNull();
    });
  });
}
