import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { PeopleService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { requireLocation } from '../access/api-keys.ts';
import { principalOf, type Principal } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { isRole, roles, type Role } from '../ports/access-store.ts';
import type { Member } from '../ports/people-store.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { createInvitation } from './invitations.ts';
import { invitationMessage, memberMessages } from './people-messages.ts';
import { requireEmail, requireName } from './person-fields.ts';
import { requirePeople } from './require-people.ts';

/** Who belongs to an organization, and as what. */
export function peopleRoutes(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets' | 'limits'>,
): ServiceImpl<typeof PeopleService> {
  const { store, clock } = dependencies;

  const callerIn = (context: HandlerContext, organizationId: string): Principal => {
    const principal = principalOf(context);
    requireOrganization(principal, organizationId);
    return principal;
  };
  const memberOf = async (organizationId: string, id: string): Promise<Member> => {
    requireText(id, 'id');
    const member = await requirePeople(store).getMember(id);
    if (member?.organizationId !== organizationId) throw notFound(`There is no member ${id} in this organization.`);
    return member;
  };
  const placeOf = async (organizationId: string, locationId: string): Promise<string | null> => {
    if (locationId === '') return null;
    await requireLocation(store, { organizationId, locationId });
    return locationId;
  };

  return {
    async listMembers({ organizationId }, context) {
      const { role, locationId } = callerIn(context, organizationId);
      const all = await requirePeople(store).listMembers({ organizationId });
      // a caller of one location sees who may work there
      const reached = all.filter(
        (member) => locationId === null || member.locationId === null || member.locationId === locationId,
      );
      const members = await memberMessages(store.access, reached);
      if (role === 'owner' && locationId === null) return { members };
      return { members: members.map(({ lastSeen: _seen, joined: _joined, ...member }) => ({ ...member, email: '' })) };
    },
    async inviteMember({ organizationId, locationId, role, name, email }, context) {
      const { actor } = callerIn(context, organizationId);
      requirePeople(store);
      const { invitation, token } = await createInvitation(dependencies, {
        organizationId,
        locationId: await placeOf(organizationId, locationId),
        role: requireRoleName(role),
        name: requireName(name),
        email: requireEmail(email),
        invitedBy: actor.name,
      });
      return { token, invitation: invitationMessage(invitation) };
    },
    async listInvitations({ organizationId }, context) {
      callerIn(context, organizationId);
      const invitations = await requirePeople(store).listInvitations({ organizationId });
      const now = clock.now();
      return { invitations: invitations.filter(({ expires }) => expires > now).map(invitationMessage) };
    },
    async deleteInvitation({ organizationId, id }, context) {
      callerIn(context, organizationId);
      requireText(id, 'id');
      await requirePeople(store).deleteInvitation(organizationId, id);
      return {};
    },
    async changeMember({ organizationId, id, role, locationId }, context) {
      callerIn(context, organizationId);
      const change = { role: requireRoleName(role), locationId: await placeOf(organizationId, locationId) };
      await memberOf(organizationId, id);
      await requirePeople(store).changeMember(id, change);
      return {};
    },
    async removeMember({ organizationId, id }, context) {
      callerIn(context, organizationId);
      await memberOf(organizationId, id);
      await requirePeople(store).removeMember(id);
      return {};
    },
    async endSessions({ organizationId, id }, context) {
      callerIn(context, organizationId);
      const { personId } = await memberOf(organizationId, id);
      // also those in which they work elsewhere now: a session can be switched back
      await requirePeople(store).deleteSessionsOf(personId);
      return {};
    },
  };
}

function requireRoleName(role: string): Role {
  if (isRole(role)) return role;
  throw invalidArgument(`role is ${JSON.stringify(role)}; it is one of ${roles.join(', ')}.`);
}
