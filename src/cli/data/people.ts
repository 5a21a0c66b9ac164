import { requirePlace, webCryptoSecrets } from '../../data-service/face/access.ts';
import { defaultLimits } from '../../data-service/face/hosts.ts';
import { createInvitation, type Invitation, linkOfInvitation, type Member } from '../../data-service/face/accounts.ts';
import { notFound } from '../../data-service/face/stores.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { isoTime } from './iso-time.ts';
import { answerManaged, ids, organizationFor, terminalActor, type Managed } from './manage.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { PeopleArguments } from './data-records.ts';

/**
 * Runs `sightglass people`: lists, invites, changes and removes the people of an organization, in a data folder or in a database that
 * many hosts serve. A server that runs on it sees the change at once: a person who is removed is logged out.
 * @param command parsed arguments
 * @param terminal receives one object a member or invitation
 * @returns exit code: 0
 * @throws CliError not-found
 * @example
 * const command = { name: 'people', verb: 'list', dataDir: '/missing', database: null, organizationId: null };
 * await people(command, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export const people = (command: PeopleArguments, terminal: Terminal): Promise<number> =>
  answerManaged(command, terminal, answer);

async function answer(command: PeopleArguments, store: Managed): Promise<readonly object[]> {
  switch (command.verb) {
    case 'list': {
      const of = { organizationId: await organizationFor(command.organizationId, store.access) };
      const now = systemClock.now();
      const open = (await store.people.listInvitations(of)).filter(({ expires }) => expires > now);
      return [...(await store.people.listMembers(of)).map(describeMember), ...open.map(describeInvitation)];
    }
    case 'invite':
      return [await invite(command, store)];
    case 'change': {
      const member = await memberOf(command.id, store);
      const { locationId, partId } =
        command.place === null ? member : await requirePlace(store, member.organizationId, command.place);
      const powers = { role: command.role ?? member.role, locationId, partId };
      await store.people.changeMember(member.id, powers);
      return [describeMember({ ...member, ...powers })];
    }
    case 'remove':
      return [await remove(command.id, store)];
  }
}

async function invite(
  { organizationId: given, person, email, powers, origin }: Extract<PeopleArguments, { verb: 'invite' }>,
  store: Managed,
): Promise<object> {
  const organizationId = await organizationFor(given, store.access);
  const place = await requirePlace(store, organizationId, powers);
  const dependencies = { store, ids, clock: systemClock, secrets: webCryptoSecrets(crypto), limits: defaultLimits };
  const of = { ...powers, ...place, organizationId, name: person, email, invitedBy: terminalActor().id };
  const { invitation, token } = await createInvitation(dependencies, of);
  return {
    ...describeInvitation(invitation),
    ...(origin === null ? { token } : { link: linkOfInvitation(origin, token) }),
  };
}

async function memberOf(id: string, store: Managed): Promise<Member> {
  const member = await store.people.getMember(id);
  if (member === null) throw notFound('member', id);
  return member;
}

/** A member, or an invitation that nobody has taken. */
async function remove(id: string, { access, people: store }: Managed): Promise<object> {
  if ((await store.getMember(id)) !== null) {
    await store.removeMember(id);
    return { member: id, removed: true };
  }
  for (const { id: organizationId } of await access.listOrganizations()) {
    const invitations = await store.listInvitations({ organizationId });
    if (!invitations.some((invitation) => invitation.id === id)) continue;
    await store.deleteInvitation(organizationId, id);
    return { invitation: id, removed: true };
  }
  throw notFound('member or invitation', id);
}

const describeMember = ({ id, person, role, organizationId, locationId, partId, timeSeen }: Member) => ({
  member: id,
  person: person.id, // as "audit --who" names them
  name: person.name,
  email: person.email,
  role,
  organization: organizationId,
  location: locationId,
  part: partId,
  lastSeen: timeSeen === null ? null : isoTime(timeSeen),
});

const describeInvitation = ({ id, name, email, role, organizationId, locationId, partId, expires }: Invitation) => ({
  invitation: id,
  name,
  email,
  role,
  organization: organizationId,
  location: locationId,
  part: partId,
  expires: isoTime(expires),
});
