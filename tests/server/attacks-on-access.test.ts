import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/data-service/ports/store-error.ts';
import type { Role } from '../../src/data-service/ports/access-store.ts';
import { uploadPicture } from '../data-service-fixture.ts';
import { cookieOf, startPeopleServer } from './people-at-work.ts';
import { callAs, invite } from './people-server.ts';

// Each test is an attack, named by the requirement of OWASP's Application Security Verification Standard 4.0.3 that it would break.

/** An owner of organization `a`, and one of `b` whose membership and invitation the other one knows by their ids. */
async function start() {
  const people = await startPeopleServer();
  const owner = await people.join({ role: 'owner' });
  const victim = await people.join({ role: 'owner', organizationId: 'b' });
  await invite(people.server, { organizationId: 'b', role: 'annotator' });
  const store = people.server.service.dependencies.store.people!;
  const [invitation] = await store.listInvitations({ organizationId: 'b' });
  const ofVictim = async () => ({
    members: await store.listMembers({ organizationId: 'b' }),
    invitations: await store.listInvitations({ organizationId: 'b' }),
  });
  return { ...people, store, owner, victim, invitation: invitation!, ofVictim };
}

describe('ASVS 4.2.1: ids of other organizations (insecure direct object references)', () => {
  it.each(['a', 'b'])('ids of b with organization_id %s', async (organizationId) => {
    const { owner, victim, invitation, ofVictim } = await start();
    const before = await ofVictim();
    const id = victim.membershipId;
    const calls: readonly (readonly [string, object])[] = [
      ['ChangeMember', { organizationId, id, role: 'annotator' }],
      ['RemoveMember', { organizationId, id }],
      ['EndSessions', { organizationId, id }],
      ['DeleteInvitation', { organizationId, id: invitation.id }],
    ];
    for (const [call, message] of calls) {
      const { code } = await owner.call(`PeopleService/${call}`, message);
      expect([call, code]).toEqual([call, organizationId === 'a' ? 'not_found' : 'permission_denied']);
    }
    expect(await ofVictim()).toEqual(before);
    expect((await victim.call('DataService/TagsByFilter')).code).toBe('');
  });

  it('the people and invitations of another organization are not listed, nor anybody invited there', async () => {
    const { owner, ofVictim } = await start();
    const before = await ofVictim();
    for (const call of ['ListMembers', 'ListInvitations', 'InviteMember']) {
      const message = { organizationId: 'b', name: 'Eve', role: 'owner' };
      expect([call, (await owner.call(`PeopleService/${call}`, message)).code]).toEqual([call, 'permission_denied']);
    }
    expect(await ofVictim()).toEqual(before);
  });

  it('a member is not moved to a location of another organization, nor invited there', async () => {
    const { owner } = await start();
    const of = { organizationId: 'a', locationId: 'ship', role: 'owner', name: 'Eve' };
    expect((await owner.call('PeopleService/ChangeMember', { ...of, id: owner.membershipId })).code).toBe('not_found');
    expect((await owner.call('PeopleService/InviteMember', of)).code).toBe('not_found');
  });

  it('nobody works as a member who is somebody else (SwitchMembership)', async () => {
    const { owner, victim } = await start();
    const switched = await owner.call('SessionService/SwitchMembership', { membershipId: victim.membershipId });
    expect(switched.code).toBe('not_found');
    expect((await owner.call('SessionService/GetSession')).json).toMatchObject({ membership: { organizationId: 'a' } });
    expect((await owner.call('PeopleService/ListMembers', { organizationId: 'b' })).code).toBe('permission_denied');
  });
});

describe('ASVS 4.1: more than one’s role', () => {
  it.each<[Role, string | null, string | null]>([
    ['annotator', null, null],
    ['reviewer', null, null],
    ['operator', null, null],
    ['owner', 'lab', null],
    ['owner', 'lab', 'lab-part'],
  ])(
    '4.1.3 %s of location %s, part %s: promotes neither themselves nor others, invites nobody, and ends no sessions',
    async (role, locationId, partId) => {
      const { join, store, owner } = await start();
      const eve = await join({ role, locationId, partId });
      const before = await store.listMembers({ organizationId: 'a' });
      const id = eve.membershipId;
      const calls: readonly (readonly [string, object])[] = [
        ['ChangeMember', { id, role: 'owner' }],
        ['ChangeMember', { id, role, locationId: 'lab' }],
        ['ChangeMember', { id: owner.membershipId, role: 'annotator' }],
        ['RemoveMember', { id: owner.membershipId }],
        ['EndSessions', { id: owner.membershipId }],
        ['InviteMember', { role: 'owner', name: 'Eve again' }],
        ['InviteMember', { role: 'annotator', name: 'Eve again' }],
        ['ListInvitations', {}],
      ];
      for (const [call, message] of calls) {
        const { code } = await eve.call(`PeopleService/${call}`, { organizationId: 'a', ...message });
        expect([call, code]).toEqual([call, 'permission_denied']);
      }
      const after = await store.listMembers({ organizationId: 'a' });
      expect(after.map((member) => [member.id, member.role])).toEqual(before.map((member) => [member.id, member.role]));
      expect((await store.listInvitations({ organizationId: 'a' })).length).toBe(0);
      expect((await owner.call('DataService/TagsByFilter')).code).toBe('');
    },
  );

  it('4.1.2 nothing that a caller sends makes the role or the place another', async () => {
    const { join, server, origin } = await start();
    const eve = await join({ role: 'annotator', locationId: 'lab' });
    const id = await uploadPicture(server.service.owner);
    for (const header of ['x-role', 'x-organization-id', 'x-membership-id', 'x-forwarded-user', 'x-original-url']) {
      const headers = { [header]: 'owner' };
      const message = { binaryDataIds: [id], role: 'owner', membershipId: 'x', organizationId: 'b' };
      expect((await callAs(eve.browser, origin, 'DataService/DeleteBinaryDataByIDs', message, { headers })).code).toBe(
        'permission_denied',
      );
    }
    expect((await eve.call('DataService/TagsByFilter', { filter: { organizationIds: ['b'] } })).code).toBe(
      'permission_denied',
    );
    expect((await eve.call('DataService/TagsByFilter', { filter: { locationIds: ['yard'] } })).code).toBe(
      'permission_denied',
    );
  });

  it('4.2.1 ids and filters of another part of the same location, also by its file’s address', async () => {
    const { join, server, origin } = await start();
    const { owner, dependencies } = server.service;
    const { access } = dependencies.store;
    await access.createPart({ ...(await access.getPart('lab-part'))!, id: 'lab-arm' });
    const eve = await join({ role: 'owner', locationId: 'lab', partId: 'lab-part' });
    const own = await uploadPicture(owner);
    const id = await uploadPicture(owner, { partId: 'lab-arm' });
    const calls: readonly (readonly [string, object])[] = [
      ['BinaryDataByIDs', { binaryDataIds: [id] }],
      ['BinaryDataByIDs', { binaryDataIds: [own, id] }],
      ['DeleteBinaryDataByIDs', { binaryDataIds: [id] }],
      ['CreateBinaryDataSignedURL', { binaryDataId: id }],
      ['TagsByFilter', { filter: { partId: 'lab-arm' } }],
      ['DeleteBinaryDataByFilter', { filter: { organizationIds: ['a'], partId: 'lab-arm' } }],
    ];
    for (const [call, message] of calls)
      expect([call, (await eve.call(`DataService/${call}`, message)).code]).toEqual([call, 'permission_denied']);
    const headers = { cookie: cookieOf(eve), 'sec-fetch-site': 'same-origin' };
    const statusOf = async (file: string) => (await fetch(`${origin}/data/files/${file}`, { headers })).status;
    // a file that does not exist is answered like one of another part
    expect([await statusOf(own), await statusOf(id), await statusOf('a/lab/none')]).toEqual([200, 403, 403]);
    await eve.call('DataService/DeleteBinaryDataByFilter', { filter: { organizationIds: ['a'] } });
    expect((await owner.data.binaryDataByFilter({})).data.map(({ metadata }) => metadata!.binaryDataId)).toEqual([id]);
  });

  it('4.1.2 a role that is no role is refused, and nothing is between the lines', async () => {
    const { owner } = await start();
    for (const role of ['', 'admin', 'Owner', 'owner ', '__proto__', 'constructor', 'toString']) {
      const answer = await owner.call('PeopleService/InviteMember', { organizationId: 'a', role, name: 'Eve' });
      expect([role, answer.code]).toEqual([role, 'invalid_argument']);
    }
  });

  it('4.1.3 a demotion counts from the next call on, in the sessions that there are', async () => {
    const { join, owner } = await start();
    const bob = await join({ role: 'owner' });
    expect((await bob.call('PeopleService/ListInvitations', { organizationId: 'a' })).code).toBe('');
    await owner.call('PeopleService/ChangeMember', { organizationId: 'a', id: bob.membershipId, role: 'annotator' });
    expect((await bob.call('PeopleService/ListInvitations', { organizationId: 'a' })).code).toBe('permission_denied');
  });

  it('4.1.5 the last owner of an organization does not leave it without one', async () => {
    const { owner, join } = await start();
    const of = { organizationId: 'a', id: owner.membershipId };
    const tries = [
      ['RemoveMember', of],
      ['ChangeMember', { ...of, role: 'operator' }],
      ['ChangeMember', { ...of, role: 'owner', locationId: 'lab' }],
    ] as const;
    for (const [call, message] of tries)
      expect((await owner.call(`PeopleService/${call}`, message)).code).toBe('failed_precondition');
    const next = await join({ role: 'owner' });
    expect((await next.call('PeopleService/RemoveMember', of)).code).toBe('');
    expect((await owner.call('DataService/TagsByFilter')).code).toBe('unauthenticated');
  });

  it('4.1.5 a store that fails lets nobody in', async () => {
    const { owner, server, store } = await start();
    const working = store.getSession;
    for (const error of [new StoreError('unavailable', 'The database is away.'), new Error('a defect')]) {
      Object.assign(store, { getSession: () => Promise.reject(error) });
      expect(['unavailable', 'internal']).toContain((await owner.call('DataService/TagsByFilter')).code);
      expect(['unavailable', 'internal']).toContain(
        (await owner.call('PeopleService/ListMembers', { organizationId: 'a' })).code,
      );
    }
    Object.assign(store, { getSession: working });
    expect((await owner.call('DataService/TagsByFilter')).code).toBe('');
    expect(server.service.defects.length).toBe(2);
  });

  it('11.1.4 nobody makes invitations by the hundred', async () => {
    const { join } = await startPeopleServer({ limits: { authenticateBurst: 5, authenticatePerMinute: 1 } });
    const [owner, another] = [await join({ role: 'owner' }), await join({ role: 'owner' })];
    const inviteBy = ({ call }: typeof owner) =>
      call('PeopleService/InviteMember', { organizationId: 'a', role: 'annotator', name: 'Bob' });
    for (let count = 0; count < 5; count++) expect((await inviteBy(owner)).code).toBe('');
    const [refused, other] = [await inviteBy(owner), await inviteBy(another)];
    expect([refused.code, other.code]).toEqual(['resource_exhausted', '']);
    expect(refused.json['message']).toBe('Too many attempts to invite people; try again in 60 s.');
  });

  it('8.3.1 an invitation’s token is told once: no list has it, nor its hash', async () => {
    const { owner } = await start();
    const made = (
      await owner.call('PeopleService/InviteMember', { organizationId: 'a', role: 'annotator', name: 'Bob' })
    ).json;
    const token = String(made['token']);
    expect(token).toMatch(/^[\w-]{43}$/);
    const hash = createHash('sha256').update(token).digest('base64url');
    const listed = JSON.stringify([
      (await owner.call('PeopleService/ListInvitations', { organizationId: 'a' })).json,
      (await owner.call('AuditService/ListChanges', { organizationId: 'a' })).json,
      made['invitation'],
    ]);
    expect(listed).toContain('Bob');
    for (const secret of [token, hash]) expect(listed).not.toContain(secret);
  });

  it('4.1.1 and 3.3.1 a member who is removed is out: in the next call, at the other host, and at every file', async () => {
    const { owner, join, server, origin, otherHost } = await start();
    const bob = await join({ role: 'operator' });
    const id = await uploadPicture(server.service.owner);
    const headers = { cookie: cookieOf(bob), 'sec-fetch-site': 'same-origin' };
    const file = (host: string) => fetch(`${host}/data/files/${id}`, { headers });
    expect((await file(origin)).status).toBe(200);
    await owner.call('PeopleService/RemoveMember', { organizationId: 'a', id: bob.membershipId });
    const { port } = await otherHost();
    for (const host of [origin, `http://localhost:${port}`]) expect((await file(host)).status).toBe(401);
    expect((await bob.call('DataService/TagsByFilter')).json['message']).toBe('Your session has ended; log in again.');
  });

  it('3.3.1 a download that is under way does not go on for somebody who was removed', async () => {
    const people = await startPeopleServer({ limits: { sessionCheckMs: 20 } });
    const [owner, bob] = [await people.join({ role: 'owner' }), await people.join()];
    const content = 'x'.repeat(32 * 2 ** 20); // more than the connection takes by itself
    const id = await uploadPicture(people.server.service.owner, {}, undefined, content);
    const headers = { cookie: cookieOf(bob), 'sec-fetch-site': 'same-origin' };
    const asked = get(`${people.origin}/data/files/${id}`, { headers });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    await owner.call('PeopleService/RemoveMember', { organizationId: 'a', id: bob.membershipId });
    await expect.poll(() => people.server.log()).toContain('"operation":"download"'); // it has ended
    let received = 0;
    await new Promise((resolve) => {
      answer.on('data', (chunk: Buffer) => (received += chunk.length));
      answer.on('error', resolve).on('end', resolve);
    });
    expect(received).toBeLessThan(content.length);
    expect(answer.complete).toBe(false);
  });
});
