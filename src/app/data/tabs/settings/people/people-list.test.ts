import { createRouterTransport, type Transport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { SessionService } from '../../../../../gen/sightglass/people/v1/people_pb.ts';
import { codeOf, startDataService } from '../../../../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../../../../tests/session-host.ts';
import { refusalOf } from '../../../context/rights.ts';
import { PeopleList, type PeopleRow } from './people-list.svelte.ts';

const { signal } = new AbortController();
const home = { organizationId: 'a', locationId: '', partId: 'lab-part' };

/** A service with an owner, a reviewer of the yard and an annotator, as each of them sees it. */
async function open() {
  const service = await startDataService();
  const { dependencies } = service;
  const owner = await addMember(dependencies, 'owner');
  const reviewer = await addMember(dependencies, 'reviewer', 'yard');
  const annotator = await addMember(dependencies, 'annotator');
  async function listOf(member: typeof owner): Promise<PeopleList> {
    const { transport } = service.inSession(await logMemberIn(dependencies, member));
    const who = { role: member.role, locationId: member.locationId ?? '', partId: member.partId ?? '' };
    const list = new PeopleList({ transport, home, refusal: (method) => refusalOf(who, method) });
    await list.read(signal);
    return list;
  }
  return { service, owner, reviewer, annotator, listOf };
}

const nameOf = (row: PeopleRow): string => (row.kind === 'member' ? row.member.personName : row.invitation.name);

it('lists members by name and then invitations, and finds them by name, role and place', async () => {
  const { listOf, owner, reviewer, annotator } = await open();
  const list = await listOf(owner);
  await list.invite({ role: 'reviewer', locationId: 'yard', partId: '', name: 'Bob', email: 'bob@example.org' });
  const names = [annotator, owner, reviewer].map(({ person }) => person.name);
  expect(list.matching('').map(nameOf)).toEqual([...names, 'Bob']);
  expect(list.matching(' REVIEWER').map(nameOf)).toEqual([reviewer.person.name, 'Bob']);
  expect(list.matching('yard').map(nameOf)).toEqual([reviewer.person.name, 'Bob']);
  expect(list.matching('bob@').map(nameOf)).toEqual(['Bob']);
  expect(list.places).toEqual(['lab', 'yard'].map((id) => ({ id, name: id })));
});

it('invites, so that the link’s token is taken by the service, and withdraws', async () => {
  const { service, listOf, owner } = await open();
  const list = await listOf(owner);
  const token = await list.invite({ role: 'operator', locationId: '', partId: '', name: 'Bob', email: '' });
  const asked = () => service.anonymous.of(SessionService).getInvitation({ token });
  expect(await asked()).toMatchObject({ role: 'operator', name: 'Bob', organizationName: 'Organization a' });
  await list.withdraw(list.invitations[0]!.id);
  expect(list.invitations).toEqual([]);
  expect(await codeOf(asked())).toBe('NotFound');
});

it('changes role and place, ends sessions, and removes', async () => {
  const { service, listOf, owner, annotator } = await open();
  const session = await logMemberIn(service.dependencies, annotator);
  const who = async () => (await service.inSession(session).of(SessionService).getSession({})).membership?.role;
  const list = await listOf(owner);
  await list.change(annotator.id, { role: 'operator', locationId: 'yard', partId: '' });
  expect(await who()).toBe('operator');
  expect(list.members.find(({ id }) => id === annotator.id)).toMatchObject({ role: 'operator', locationName: 'yard' });
  await list.endSessions(annotator.id);
  expect(await who()).toBeUndefined();
  await list.remove(annotator.id);
  expect(list.members.map(({ id }) => id)).not.toContain(annotator.id);
  await list.read(signal);
  expect(list.members.map(({ id }) => id)).not.toContain(annotator.id);
});

it('offers the parts of a location, and names that of a member and of an invitation', async () => {
  const { service, listOf, owner, annotator } = await open();
  const { access } = service.dependencies.store;
  await access.createPart({ ...(await access.getPart('yard-part'))!, id: 'arm', name: 'arm' });
  const list = await listOf(owner);
  const yard = [
    { id: 'arm', name: 'yard robot / arm' },
    { id: 'yard-part', name: 'yard robot / yard main' },
  ];
  expect(await list.partsOf('yard')).toEqual(yard);
  const atArm = { role: 'operator', locationId: 'yard', partId: 'arm' };
  await list.change(annotator.id, atArm);
  await list.invite({ ...atArm, name: 'Bob', email: '' });
  const named = { ...atArm, partName: 'yard robot / arm' };
  expect(list.members.find(({ id }) => id === annotator.id)).toMatchObject(named);
  expect(list.invitations).toMatchObject([named]);
  expect(list.matching('robot / arm').map(nameOf)).toEqual([annotator.person.name, 'Bob']);
  await list.read(signal);
  expect(list.members.find(({ id }) => id === annotator.id)).toMatchObject(named);
  await list.change(annotator.id, { ...atArm, partId: '' });
  expect(list.members.find(({ id }) => id === annotator.id)).toMatchObject({ partId: '', partName: '' });
  expect(await codeOf(list.partsOf('ship'))).toBe('NotFound');
});

it('keeps the list as it is where a change is refused, as for the last owner', async () => {
  const { listOf, owner } = await open();
  const list = await listOf(owner);
  expect(await codeOf(list.remove(owner.id))).toBe('FailedPrecondition');
  expect(await codeOf(list.change(owner.id, { role: 'annotator', locationId: '', partId: '' }))).toBe(
    'FailedPrecondition',
  );
  expect(list.members.find(({ id }) => id === owner.id)?.role).toBe('owner');
});

it('shows who is there to whoever may not change it, and says why they may not', async () => {
  const { listOf, reviewer, annotator } = await open();
  const list = await listOf(annotator);
  expect(list.refusal).toBe('Only an owner may do this; you are an annotator.');
  expect([list.isRead, list.failure, list.members.length]).toEqual([true, null, 3]);
  expect((await listOf(reviewer)).members.map(({ email }) => email)).toContain('');
});

it('takes the word of the service where a key shows the data', async () => {
  const { service } = await open();
  const asKey = async (transport: Transport) => {
    const list = new PeopleList({ transport, home, refusal: () => '' });
    await list.read(signal);
    return list;
  };
  expect((await asKey(service.owner.transport)).refusal).toBe('');
  const list = await asKey(service.operator.transport);
  expect([list.isRead, list.refusal === '']).toEqual([true, false]);
  const other = await asKey(createRouterTransport(() => undefined));
  expect([other.isUntold, other.failure]).toEqual([true, null]);
  const nobody = await asKey(service.anonymous.transport);
  expect([nobody.isRead, nobody.failure?.message]).toEqual([false, expect.any(String)]);
});
