import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { PeopleService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { requirePlace } from '../access/place.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { isRole, roles, type Place, type Role } from '../ports/access-store.ts';
import type { Member } from '../ports/people-store.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { createInvitation } from './invitations.ts';
import { invitationMessage, memberMessages } from './people-messages.ts';
import { requireEmail, requireName } from './person-fields.ts';
import { requirePeople } from './require-people.ts';

/** '' asks for all of them. */
interface PlaceOfRequest {
  readonly locationId: string;
  readonly partId: string;
}

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
  const placeOf = (organizationId: string, { locationId, partId }: PlaceOfRequest): Promise<Place> =>
    requirePlace(store, organizationId, { locationId: locationId || null, partId: partId || null });

  return {
    async listMembers({ organizationId }, context) {
      const caller = callerIn(context, organizationId);
      const all = await requirePeople(store).listMembers({ organizationId });
      // a caller of one location or part sees who may work there
      const reached = all.filter((member) => haveCommon(caller, member));
      const members = await memberMessages(store.access, reached);
      if (caller.role === 'owner' && caller.locationId === null) return { members };
      return { members: members.map(({ lastSeen: _seen, joined: _joined, ...member }) => ({ ...member, email: '' })) };
    },
    async inviteMember({ organizationId, role, name, email, ...place }, context) {
      const { actor } = callerIn(context, organizationId);
      requirePeople(store);
      const { invitation, token } = await createInvitation(dependencies, {
        organizationId,
        ...(await placeOf(organizationId, place)),
        role: requireRoleName(role),
        name: requireName(name),
        email: requireEmail(email),
        invitedBy: actor.name,
      });
      return { token, invitation: await invitationMessage(store.access, invitation) };
    },
    async listInvitations({ organizationId }, context) {
      callerIn(context, organizationId);
      const invitations = await requirePeople(store).listInvitations({ organizationId });
      const now = clock.now();
      const open = invitations.filter(({ expires }) => expires > now);
      return { invitations: await Promise.all(open.map((one) => invitationMessage(store.access, one))) };
    },
    async deleteInvitation({ organizationId, id }, context) {
      callerIn(context, organizationId);
      requireText(id, 'id');
      await requirePeople(store).deleteInvitation(organizationId, id);
      return {};
    },
    async changeMember({ organizationId, id, role, ...place }, context) {
      callerIn(context, organizationId);
      const powers = { role: requireRoleName(role), ...(await placeOf(organizationId, place)) };
      await memberOf(organizationId, id);
      await requirePeople(store).changeMember(id, powers);
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
      await memberOf(organizationId, id);
      // those in which they work elsewhere go on there, and cannot be switched back
      await requirePeople(store).endMemberSessions(id, clock.now());
      return {};
    },
  };
}

/** Whether some data of their organization is within the reach of both. */
const haveCommon = (a: Place, b: Place): boolean =>
  (a.locationId ?? b.locationId) === (b.locationId ?? a.locationId) &&
  (a.partId ?? b.partId) === (b.partId ?? a.partId);

function requireRoleName(role: string): Role {
  if (isRole(role)) return role;
  throw invalidArgument(`role is ${JSON.stringify(role)}; it is one of ${roles.join(', ')}.`);
}
