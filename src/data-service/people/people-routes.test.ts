import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startDataService, startTime, type TestService } from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import { PeopleService, SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { takeInvitation } from './invitations.ts';

const ofA = { organizationId: 'a' };
const week = 7 * 24 * 3600e6;

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const peopleOf = (who: 'owner' | 'operator' | 'annotator' | 'local' | 'atPart') => service[who].of(PeopleService);
const offer = { ...ofA, role: 'reviewer', name: ' Ada ', email: ' Ada@Example.org' };

describe('ListMembers', () => {
  it('says who may do what, by name', async () => {
    const ada = await addMember(service.dependencies, 'owner');
    await addMember(service.dependencies, 'annotator', 'yard');
    await logMemberIn(service.dependencies, ada);
    const { members } = await peopleOf('owner').listMembers(ofA);
    expect(members.map(({ personName }) => personName)).toEqual(members.map(({ personName }) => personName).toSorted());
    expect(members.find(({ id }) => id === ada.id)).toMatchObject({
      personId: ada.personId,
      personName: ada.person.name,
      email: ada.person.email,
      organizationId: 'a',
      organizationName: 'Organization a',
      locationId: '',
      locationName: '',
      role: 'owner',
      joined: toTimestamp(startTime),
      lastSeen: toTimestamp(startTime),
    });
    expect(members.find(({ id }) => id !== ada.id)).toMatchObject({ locationId: 'yard', locationName: 'yard' });
    expect(members.find(({ id }) => id !== ada.id)!.lastSeen).toBeUndefined();
  });

  it('gives those who own nothing names, and none of another location or part', async () => {
    const ofLab = await addMember(service.dependencies, 'operator', 'lab');
    const ofYard = await addMember(service.dependencies, 'operator', 'yard');
    const ofAll = await addMember(service.dependencies, 'reviewer');
    const { access } = service.dependencies.store;
    await access.createPart({ ...(await access.getPart('yard-part'))!, id: 'yard-arm' });
    const [ofPart, ofArm] = [
      await addMember(service.dependencies, 'reviewer', 'yard', 'a', 'yard-part'),
      await addMember(service.dependencies, 'reviewer', 'yard', 'a', 'yard-arm'),
    ];
    const idsOf = (...members: readonly { readonly id: string }[]) => members.map(({ id }) => id).sort();
    const seenBy = async (who: Parameters<typeof peopleOf>[0]) => (await peopleOf(who).listMembers(ofA)).members;
    const all = idsOf(ofLab, ofYard, ofAll, ofPart, ofArm);
    expect(idsOf(...(await seenBy('annotator')))).toEqual(all);
    expect(idsOf(...(await seenBy('local')))).toEqual(idsOf(ofYard, ofAll, ofPart, ofArm));
    expect(idsOf(...(await seenBy('atPart')))).toEqual(idsOf(ofYard, ofAll, ofPart));
    for (const who of ['annotator', 'local', 'atPart'] as const) {
      for (const { email, joined, lastSeen } of await seenBy(who)) {
        expect([email, joined, lastSeen]).toEqual(['', undefined, undefined]);
      }
    }
  });
});

describe('an invitation', () => {
  it('to one part has the location of the part, and makes a member of that part', async () => {
    const { token, invitation } = await peopleOf('owner').inviteMember({ ...offer, partId: 'yard-part' });
    expect(invitation).toMatchObject({ locationId: 'yard', partId: 'yard-part' });
    const told = await service.anonymous.of(SessionService).getInvitation({ token });
    expect(told).toMatchObject({ locationName: 'yard', partName: 'yard robot / yard main' });
    const { dependencies } = service;
    const [open] = await dependencies.store.people!.listInvitations(ofA);
    const person = { id: 'ada', name: 'Ada', email: '', issuer: '', subject: '', timeCreated: startTime };
    const member = await takeInvitation(dependencies, open!, person, null);
    expect(member).toMatchObject({ locationId: 'yard', partId: 'yard-part' });
    const session = service.inSession(await logMemberIn(dependencies, member)).of(SessionService);
    const { membership, partId } = await session.getSession({});
    expect([membership!.partId, partId]).toEqual(['yard-part', 'yard-part']);
  });

  it('is told by its token until it is over', async () => {
    const { token, invitation } = await peopleOf('owner').inviteMember({ ...offer, locationId: 'yard' });
    expect(token).toMatch(/^[\w-]{43}$/);
    const expires = toTimestamp(startTime + week);
    expect(invitation).toMatchObject({
      ...ofA,
      locationId: 'yard',
      role: 'reviewer',
      name: 'Ada',
      email: 'ada@example.org',
      invitedBy: 'owner',
      expires,
    });
    const ask = () => service.anonymous.of(SessionService).getInvitation({ token });
    const places = { organizationName: 'Organization a', locationName: 'yard' };
    expect(await ask()).toMatchObject({ ...places, role: 'reviewer', name: 'Ada', email: 'ada@example.org', expires });
    service.time.now += week;
    expect(await codeOf(ask())).toBe('NotFound');
    expect((await peopleOf('owner').listInvitations(ofA)).invitations).toEqual([]);
  });

  it('is listed without its token, and ends when it is deleted', async () => {
    const { token, invitation } = await peopleOf('owner').inviteMember(offer);
    expect((await peopleOf('owner').listInvitations(ofA)).invitations).toEqual([invitation]);
    expect(Object.values(invitation!)).not.toContain(token);
    await peopleOf('owner').deleteInvitation({ ...ofA, id: invitation!.id });
    expect(await codeOf(service.anonymous.of(SessionService).getInvitation({ token }))).toBe('NotFound');
    expect(await codeOf(peopleOf('owner').deleteInvitation({ ...ofA, id: invitation!.id }))).toBe('NotFound');
  });

  it.each([
    ['no role', { role: '' }, 'InvalidArgument', 'role is ""; it is one of annotator, reviewer, operator, owner.'],
    ['another role', { role: 'king' }, 'InvalidArgument', 'role is "king"'],
    ['no name', { name: ' ' }, 'InvalidArgument', 'name is empty'],
    ['a long name', { name: 'x'.repeat(201) }, 'InvalidArgument', 'name has 201 characters'],
    ['no address', { email: 'ada at home' }, 'InvalidArgument', 'email is "ada at home"'],
    ['a long address', { email: `${'x'.repeat(251)}@a.b` }, 'InvalidArgument', 'not an e-mail address'],
    ['no such location', { locationId: 'moon' }, 'NotFound', 'There is no location moon'],
    ['a location of others', { locationId: 'ship' }, 'NotFound', 'There is no location ship'],
    ['no such part', { partId: 'moon' }, 'NotFound', 'There is no part moon'],
    ['a part of others', { partId: 'ship-part' }, 'NotFound', 'There is no part ship-part'],
    [
      'a part of another location',
      { locationId: 'lab', partId: 'yard-part' },
      'NotFound',
      'no part yard-part in location lab',
    ],
  ])('is refused with %s', async (_, changes, code, words) => {
    const invited = peopleOf('owner').inviteMember({ ...offer, ...changes });
    await expect(invited).rejects.toThrow(words);
    expect(await codeOf(peopleOf('owner').inviteMember({ ...offer, ...changes }))).toBe(code);
    expect((await peopleOf('owner').listInvitations(ofA)).invitations).toEqual([]);
  });
});

describe('a member', () => {
  it('gets another role and place', async () => {
    const { id } = await addMember(service.dependencies, 'annotator');
    await peopleOf('owner').changeMember({ ...ofA, id, role: 'operator', locationId: 'yard' });
    const [member] = (await peopleOf('owner').listMembers(ofA)).members;
    expect(member).toMatchObject({ id, role: 'operator', locationId: 'yard' });
    expect(await codeOf(peopleOf('owner').changeMember({ ...ofA, id, role: 'x' }))).toBe('InvalidArgument');
    expect(await codeOf(peopleOf('owner').changeMember({ ...ofA, id: 'none', role: 'owner' }))).toBe('NotFound');
    for (const elsewhere of [{ locationId: 'ship' }, { partId: 'ship-part' }]) {
      const changed = peopleOf('owner').changeMember({ ...ofA, id, role: 'owner', ...elsewhere });
      expect(await codeOf(changed)).toBe('NotFound');
    }
    await peopleOf('owner').changeMember({ ...ofA, id, role: 'operator', partId: 'yard-part' });
    expect((await peopleOf('owner').listMembers(ofA)).members).toMatchObject([
      { locationId: 'yard', partId: 'yard-part', partName: 'yard robot / yard main' },
    ]);
  });

  it('stays an owner, and a member, while there is no other one', async () => {
    const { id } = await addMember(service.dependencies, 'owner');
    const refusals = [
      peopleOf('owner').removeMember({ ...ofA, id }),
      peopleOf('owner').changeMember({ ...ofA, id, role: 'operator' }),
    ];
    expect(await Promise.all(refusals.map(codeOf))).toEqual(['FailedPrecondition', 'FailedPrecondition']);
    await addMember(service.dependencies, 'owner');
    await peopleOf('owner').removeMember({ ...ofA, id });
    expect((await peopleOf('owner').listMembers(ofA)).members).toHaveLength(1);
  });

  it('is logged out by an owner, and comes again', async () => {
    const member = await addMember(service.dependencies, 'annotator');
    const sessions = [await logMemberIn(service.dependencies, member), await logMemberIn(service.dependencies, member)];
    const code = async () =>
      Promise.all(sessions.map((one) => codeOf(service.inSession(one).data.binaryDataByFilter({}))));
    expect(await code()).toEqual(['ok', 'ok']);
    await peopleOf('owner').endSessions({ ...ofA, id: member.id });
    expect(await code()).toEqual(['Unauthenticated', 'Unauthenticated']);
    sessions.push(await logMemberIn(service.dependencies, member));
    expect((await code())[2]).toBe('ok');
  });
});

describe('a member of another organization', () => {
  it('is out of reach of an owner here, as one that is not there', async () => {
    const { id } = await addMember(service.dependencies, 'owner', null, 'b');
    await addMember(service.dependencies, 'owner', null, 'b');
    const session = await logMemberIn(service.dependencies, (await memberAt(id))!);
    const { changeMember, removeMember, endSessions } = peopleOf('owner');
    const calls = [
      changeMember({ ...ofA, id, role: 'annotator' }),
      removeMember({ ...ofA, id }),
      endSessions({ ...ofA, id }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(['NotFound', 'NotFound', 'NotFound']);
    expect(await memberAt(id)).toMatchObject({ organizationId: 'b', role: 'owner' });
    expect(await codeOf(service.inSession(session).data.binaryDataByFilter({}))).toBe('ok');
  });

  const memberAt = async (id: string) => {
    const members = await service.dependencies.store.people!.listMembers({ organizationId: 'b' });
    return members.find((member) => member.id === id) ?? null;
  };
});

it('says of a store of one person that there are no people', async () => {
  const { store } = service.dependencies;
  Object.assign(store, { people: null });
  const as = store.as.bind(store);
  Object.assign(store, { as: (actor: Parameters<typeof as>[0]) => ({ ...as(actor), people: null }) });
  const calls = [peopleOf('owner').listMembers(ofA), peopleOf('owner').inviteMember(offer)];
  const refused = (call: Promise<unknown>) =>
    expect(call).rejects.toThrow(/failed_precondition.*keeps the data of one person/);
  await Promise.all(calls.map(refused));
  expect(await service.anonymous.of(SessionService).getSession({})).toMatchObject({ hasPasskeys: false, partId: '' });
});
