import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startDataService, uploadPicture, type TestService } from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn, sessionOrigin } from '../../../tests/session-host.ts';
import type { Member } from '../ports/people-store.ts';
import { createSession, type SessionToken } from './sessions.ts';

const hour = 3600e6;

let service: TestService;
let member: Member;
let session: SessionToken;
beforeEach(async () => {
  service = await startDataService();
  member = await addMember(service.dependencies, 'operator');
  session = await logMemberIn(service.dependencies, member);
});

const callWith = (changes: Partial<SessionToken> = {}): Promise<string> =>
  codeOf(service.inSession({ ...session, ...changes }).data.tagsByFilter({}));
const people = () => service.dependencies.store.people!;

describe('a session', () => {
  it('lets a person do what the membership allows, as that person', async () => {
    const image = await uploadPicture(service.inSession(session));
    await service.inSession(session).data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['mug'] });
    const interval = { start: null, end: null };
    const filter = { each: true, organizationId: 'a', actor: null, what: 'tags', objectId: '', interval } as const;
    const [row] = await service.dependencies.store.audit.page(filter, null, 1);
    expect(row!.actor).toEqual({ kind: 'person', id: member.personId, name: member.person.name });
    const refused = service.inSession(session).data.deleteBinaryDataByIDs({ binaryDataIds: [image] });
    await expect(refused).rejects.toMatchObject({
      rawMessage: 'DeleteBinaryDataByIDs needs the role owner; you are an operator here.',
    });
  });

  it('says to whom it belongs that it is of one location', async () => {
    const local = await logMemberIn(service.dependencies, await addMember(service.dependencies, 'owner', 'yard'));
    const clients = service.inSession(local);
    await expect(clients.data.listIndexes({ organizationId: 'a' })).rejects.toMatchObject({
      rawMessage: 'ListIndexes needs access to the whole organization; yours is to one location.',
    });
    const foreign = clients.data.binaryDataByFilter({ dataRequest: { filter: { locationIds: ['lab'] } } });
    await expect(foreign).rejects.toMatchObject({ rawMessage: 'This membership does not reach location lab.' });
  });

  it.each([
    ['another token', { token: 'x'.repeat(43) }],
    ['an empty token', { token: ' ' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['the same host over plain http', { origin: 'http://data.example' }],
    ['another port', { origin: 'https://data.example:8443' }],
    ['an opaque origin', { origin: 'null' }],
  ])('is not that of %s', async (_, changes) => {
    expect(await callWith()).toBe('ok');
    expect(await callWith(changes)).toBe('Unauthenticated');
  });

  it('is stored by the hash of its token alone', async () => {
    const other = await logMemberIn(service.dependencies, member);
    expect(other.token).toMatch(/^[\w-]{43}$/);
    expect(other.token).not.toBe(session.token);
    for (const id of [session.token, other.token]) expect(await people().getSession(id)).toBeNull();
  });

  it('counts for nothing beside a token of a key, right or wrong', async () => {
    const { keys, owner } = service;
    const { accessToken } = await owner.auth.authenticate({
      entity: keys.stranger.id,
      credentials: { type: 'api-key', payload: keys.stranger.secret },
    });
    const call = async (authorization: string): Promise<string> => {
      const options = { headers: { authorization } };
      return codeOf(service.inSession(session).datasets.listDatasetsByOrganizationID({ organizationId: 'a' }, options));
    };
    expect(await call(`Bearer ${accessToken}`)).toBe('PermissionDenied');
    expect(await call('Bearer x')).toBe('Unauthenticated');
    expect(await call('Basic x')).toBe('Unauthenticated');
  });

  it('ends when it is not used for eight hours', async () => {
    service.time.now += 8 * hour - 1;
    expect(await callWith()).toBe('ok');
    service.time.now += 8 * hour - 1;
    expect(await callWith()).toBe('ok');
    service.time.now += 8 * hour;
    expect(await callWith()).toBe('Unauthenticated');
  });

  it('ends after a week, however much it is used', async () => {
    for (let hours = 0; hours < 7 * 24 - 4; hours += 4) {
      service.time.now += 4 * hour;
      expect(await callWith()).toBe('ok');
    }
    service.time.now += 4 * hour - 1;
    expect(await callWith()).toBe('ok');
    service.time.now += 1;
    expect(await callWith()).toBe('Unauthenticated');
  });

  it('is not good by a clock that is behind by more than it may be idle', async () => {
    service.time.now -= 8 * hour;
    expect(await callWith()).toBe('ok');
    service.time.now -= 1;
    expect(await callWith()).toBe('Unauthenticated');
  });

  it('writes that it is used at most each twelfth of its idle life', async () => {
    const seen = async () => (await people().getMember(member.id))!.timeSeen! - member.timeCreated;
    service.time.now += hour / 2;
    await callWith();
    expect(await seen()).toBe(0);
    service.time.now += hour / 2;
    await callWith();
    expect(await seen()).toBe(hour);
  });

  it('goes on where the store cannot write that it is used', async () => {
    Object.assign(people(), { renewSession: () => Promise.reject(new Error('disk full')) });
    service.time.now += 2 * hour;
    expect(await callWith()).toBe('ok');
    expect(service.defects).toEqual([]);
  });

  it('ends with its membership, and changes with it, from the next call on', async () => {
    const owner = await addMember(service.dependencies, 'owner');
    const image = await uploadPicture(service.owner);
    const remove = () => codeOf(service.inSession(session).data.deleteBinaryDataByIDs({ binaryDataIds: [image] }));
    expect(await remove()).toBe('PermissionDenied');
    await people().changeMember(member.id, { role: 'owner', locationId: 'yard', partId: null });
    expect(await remove()).toBe('PermissionDenied'); // the member is bound to another location
    await people().changeMember(member.id, { role: 'owner', locationId: null, partId: null });
    expect(await remove()).toBe('ok');
    await people().removeMember(member.id);
    expect(await callWith()).toBe('Unauthenticated');
    expect(await people().getMember(owner.id)).not.toBeNull();
  });

  it('is not made for who is no member', async () => {
    const made = createSession(service.dependencies, { membershipId: 'none', origin: sessionOrigin });
    await expect(made).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is forgotten once it is over, when somebody logs in', async () => {
    service.time.now += 8 * hour;
    await logMemberIn(service.dependencies, member);
    service.time.now -= 8 * hour;
    expect(await callWith()).toBe('Unauthenticated');
  });
});
