import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import { createSession, type SessionToken } from '../access/sessions.ts';
import { PeopleService, SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import type { PasskeyCeremonies } from '../ports/passkey-ceremonies.ts';
import type { Member } from '../ports/people-store.ts';
import { createInvitation, takeInvitation } from './invitations.ts';

let service: TestService;
let member: Member;
let session: SessionToken;
beforeEach(async () => {
  service = await startDataService({ logIn: { passkeys: {} as PasskeyCeremonies, providerName: 'Acme' } });
  member = await addMember(service.dependencies, 'reviewer', 'yard');
  session = await logMemberIn(service.dependencies, member);
});

const sessionClient = (one: SessionToken = session) => service.inSession(one).of(SessionService);

/** Makes the member one of organization b, too. */
async function joinB(): Promise<Member> {
  const of = {
    organizationId: 'b',
    locationId: null,
    partId: null,
    role: 'owner',
    name: 'x',
    email: '',
    invitedBy: '',
  } as const;
  const { invitation } = await createInvitation(service.dependencies, of);
  return takeInvitation(service.dependencies, invitation, member.person, null);
}

describe('GetSession', () => {
  it('tells anyone how to log in, and nothing more', async () => {
    const answer = await service.anonymous.of(SessionService).getSession({});
    expect(answer).toMatchObject({ hasPasskeys: true, providerName: 'Acme', partId: '', memberships: [] });
    expect([answer.person, answer.membership]).toEqual([undefined, undefined]);
    const stolen = await sessionClient({ ...session, origin: 'https://evil.example' }).getSession({});
    expect(stolen).toEqual(answer);
  });

  it('tells who is logged in, where, as what, and where to upload', async () => {
    const passkey = { publicKey: Uint8Array.of(1), counter: 0, transports: [], timeCreated: 0 };
    const { people } = service.dependencies.store;
    await people!.addPasskey({ ...passkey, id: 'k', personId: member.personId, name: 'phone' });
    const answer = await sessionClient().getSession({});
    expect(answer).toMatchObject({
      hasPasskeys: true,
      providerName: 'Acme',
      person: { id: member.personId, name: member.person.name, email: member.person.email },
      membership: { id: member.id, organizationId: 'a', locationId: 'yard', locationName: 'yard', role: 'reviewer' },
      partId: 'yard-part',
      passkeyNames: ['phone'],
    });
    expect(answer.memberships.map(({ id }) => id)).toEqual([member.id]);
  });
});

describe('SwitchMembership', () => {
  it('goes on in another place of the person', async () => {
    const other = await joinB();
    await sessionClient().switchMembership({ membershipId: other.id });
    const answer = await sessionClient().getSession({});
    expect(answer).toMatchObject({
      membership: { id: other.id, organizationName: 'Organization b' },
      partId: 'ship-part',
    });
    expect(answer.memberships.map(({ organizationId }) => organizationId)).toEqual(['a', 'b']);
    const { datasets } = service.inSession(session);
    expect(await codeOf(datasets.createDataset({ organizationId: 'b', name: 'x' }))).toBe('ok');
    expect(await codeOf(datasets.listDatasetsByOrganizationID({ organizationId: 'a' }))).toBe('PermissionDenied');
  });

  it('takes nobody out of reach of those who end sessions in an organization, nor into the reach of another', async () => {
    const other = await joinB();
    const { switchMembership } = sessionClient();
    await switchMembership({ membershipId: other.id });
    await service.owner.of(PeopleService).endSessions({ organizationId: 'a', id: member.id });
    expect((await sessionClient().getSession({})).membership!.id).toBe(other.id);
    expect(await codeOf(switchMembership({ membershipId: member.id }))).toBe('NotFound');
    service.time.now += 1;
    const next = await logMemberIn(service.dependencies, other);
    expect(await codeOf(sessionClient(next).switchMembership({ membershipId: member.id }))).toBe('ok');
    await service.owner.of(PeopleService).endSessions({ organizationId: 'a', id: member.id });
    expect(await codeOf(service.inSession(next).datasets.listDatasetsByIDs({}))).toBe('Unauthenticated');
    expect(
      await codeOf(service.inSession(session).datasets.listDatasetsByOrganizationID({ organizationId: 'b' })),
    ).toBe('ok');
  });

  it('goes nowhere else', async () => {
    const stranger = await addMember(service.dependencies, 'owner', null, 'b');
    for (const membershipId of [stranger.id, 'none']) {
      expect(await codeOf(sessionClient().switchMembership({ membershipId }))).toBe('NotFound');
    }
    expect((await sessionClient().getSession({})).membership!.id).toBe(member.id);
  });
});

describe('LogOut', () => {
  it('ends this session, and clears the cookie', async () => {
    const other = await logMemberIn(service.dependencies, member);
    await sessionClient().logOut({});
    expect(service.cookies).toEqual([null]);
    expect(await codeOf(service.inSession(session).data.binaryDataByFilter({}))).toBe('Unauthenticated');
    expect(await codeOf(service.inSession(other).data.binaryDataByFilter({}))).toBe('ok');
  });

  it('ends all sessions of the person, in all places', async () => {
    const other = await logMemberIn(service.dependencies, await joinB());
    const stranger = await logMemberIn(service.dependencies, await addMember(service.dependencies, 'owner'));
    await sessionClient().logOut({ everywhere: true });
    for (const one of [session, other]) {
      expect(await codeOf(service.inSession(one).data.binaryDataByFilter({}))).toBe('Unauthenticated');
    }
    expect(await codeOf(service.inSession(stranger).data.binaryDataByFilter({}))).toBe('ok');
  });

  it('ends nothing from a page of another origin', async () => {
    await sessionClient({ ...session, origin: 'https://evil.example' }).logOut({ everywhere: true });
    expect(await codeOf(service.inSession(session).data.binaryDataByFilter({}))).toBe('ok');
  });
});

describe('an invitation to the address that a provider has verified', () => {
  const day = 86_400e6;
  const invite = (organizationId: string, email: string) =>
    createInvitation(service.dependencies, {
      organizationId,
      locationId: null,
      partId: null,
      role: 'operator',
      name: 'Ada',
      email,
      invitedBy: 'owner',
    });
  const withAddress = async (verifiedEmail: string) => {
    const of = { membershipId: member.id, origin: session.origin, ...(verifiedEmail !== '' && { verifiedEmail }) };
    return sessionClient({ token: await createSession(service.dependencies, of), origin: session.origin });
  };

  it('is shown to whoever has the address, the oldest first, until it is over', async () => {
    const { invitation: first } = await invite('b', 'ada@example.org');
    service.time.now += day;
    const { invitation: second } = await invite('b', 'ada@example.org');
    await invite('b', '');
    const shown = async (email: string) => (await (await withAddress(email)).getSession({})).invitations;
    expect(await shown('ada@example.org')).toMatchObject([
      { id: first.id, invitedBy: 'owner', organizationName: 'Organization b', role: 'operator' },
      { id: second.id },
    ]);
    expect([await shown('eve@example.org'), await shown('')]).toEqual([[], []]);
    service.time.now = first.expires;
    expect((await shown('ada@example.org')).map(({ id }) => id)).toEqual([second.id]);
  });

  it('is taken, or deleted, by them alone', async () => {
    const [{ invitation: taken }, { invitation: declined }, { invitation: open }] = [
      await invite('b', 'ada@example.org'),
      await invite('b', 'ada@example.org'),
      await invite('b', 'eve@example.org'),
    ];
    const ada = await withAddress('ada@example.org');
    await ada.answerInvitation({ id: taken.id, join: true });
    await ada.answerInvitation({ id: declined.id, join: false });
    for (const { id } of [open, taken, declined])
      expect(await codeOf(ada.answerInvitation({ id, join: true }))).toBe('NotFound');
    const { memberships } = await ada.getSession({});
    expect(memberships.map(({ organizationName, role }) => [organizationName, role])).toEqual([
      ['Organization a', 'reviewer'],
      ['Organization b', 'operator'],
    ]);
    const left = await service.dependencies.store.people!.listInvitations({ organizationId: 'b' });
    expect(left.map(({ id }) => id)).toEqual([open.id]);
    expect(await codeOf(service.owner.of(SessionService).answerInvitation({ id: open.id, join: true }))).toBe(
      'FailedPrecondition',
    );
  });
});
