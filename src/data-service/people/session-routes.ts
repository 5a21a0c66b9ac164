import type { ConnectError, ServiceImpl } from '@connectrpc/connect';
import type { SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { isWithin } from '../access/place.ts';
import { noteRefusedLogInValue } from '../access/refused-log-in.ts';
import { peopleAs, sessionOfCall, setSessionCookieValue } from '../access/sessions.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Invitation, Member } from '../ports/people-store.ts';
import { failedPrecondition, notFound, requireText } from '../wire/invalid-argument.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { openInvitation, openInvitationsTo, takeInvitation } from './invitations.ts';
import { passkeyDomain } from './passkey-domain.ts';
import { invitedPart, memberMessages } from './people-messages.ts';
import { requirePeople } from './require-people.ts';

type SessionRoutes = Pick<
  ServiceImpl<typeof SessionService>,
  'getSession' | 'switchMembership' | 'answerInvitation' | 'logOut' | 'getInvitation'
>;

/** Who is logged in. */
export function sessionRoutes(
  dependencies: Pick<
    DataServiceDependencies,
    'store' | 'clock' | 'ids' | 'secrets' | 'limits' | 'logIn' | 'publicOrigin'
  >,
): SessionRoutes {
  const { store } = dependencies;
  const { passkeys, providerName } = dependencies.logIn;
  const { access } = store;

  /** The part that a member uploads to: the first one in their place; '': there is none. */
  const firstPartOf = async (member: Member): Promise<string> => {
    const parts = await access.listParts(member.organizationId);
    return parts.find((part) => isWithin(member, part))?.id ?? '';
  };

  /** What an invitation offers. */
  const offered = async (invitation: Invitation) => {
    const { organizationId, locationId, role, expires } = invitation;
    return {
      organizationName: (await access.getOrganization(organizationId))?.name ?? '',
      locationName: locationId === null ? '' : ((await access.getLocation(locationId))?.name ?? ''),
      partName: await invitedPart(access, invitation),
      role,
      expires: toTimestamp(expires),
    };
  };

  return {
    async getSession(_, context) {
      const open = await sessionOfCall(dependencies, context);
      const origin = dependencies.publicOrigin({ url: context.url, header: context.requestHeader });
      const ways = { hasPasskeys: passkeys !== null && passkeyDomain(origin) !== null, providerName };
      if (open === null) return ways;
      const { member } = open;
      const people = requirePeople(store);
      const all = await people.listMembers({ personId: member.personId });
      const messages = await memberMessages(access, all);
      const memberships = messages.sort((a, b) => (a.organizationName < b.organizationName ? -1 : 1));
      const { id, name, email } = member.person;
      return {
        ...ways,
        person: { id, name, email },
        membership: memberships.find((one) => one.id === member.id)!,
        memberships,
        partId: await firstPartOf(member),
        passkeyNames: (await people.listPasskeys(id)).map((passkey) => passkey.name),
        invitations: await Promise.all(
          (await openInvitationsTo(dependencies, open.session.verifiedEmail ?? '')).map(async (invitation) => ({
            id: invitation.id,
            invitedBy: invitation.invitedBy,
            ...(await offered(invitation)),
          })),
        ),
      };
    },
    async switchMembership({ membershipId }, context) {
      requireText(membershipId, 'membership_id');
      const people = requirePeople(store);
      const open = await sessionOfCall(dependencies, context);
      if (open === null) {
        throw failedPrecondition('A key has one place and one role; only people who are logged in switch.');
      }
      await people.switchSession(open.session.id, membershipId);
      return {};
    },
    async answerInvitation({ id, join }, context) {
      requireText(id, 'id');
      const open = await sessionOfCall(dependencies, context);
      if (open === null)
        throw failedPrecondition('A key is nobody who can be invited; only people who are logged in are.');
      const { member, session } = open;
      const all = await openInvitationsTo(dependencies, session.verifiedEmail ?? '');
      const invitation = all.find((one) => one.id === id);
      if (invitation === undefined) throw unknownInvitation();
      if (join) await takeInvitation(dependencies, invitation, member.person, null);
      else await peopleAs(store, member.person).deleteInvitation(invitation.organizationId, id);
      return {};
    },
    async logOut({ everywhere }, context) {
      const open = await sessionOfCall(dependencies, context);
      if (open !== null) {
        const people = peopleAs(store, open.member.person);
        const { id, personId } = open.session;
        await (everywhere ? people.deleteSessionsOf(personId) : people.deleteSession(id));
      }
      context.values.get(setSessionCookieValue)?.(null);
      return {};
    },
    async getInvitation({ token }, context) {
      requireText(token, 'token');
      const invitation = await openInvitation(dependencies, token, context.values.get(noteRefusedLogInValue));
      if (invitation === null) throw unknownInvitation();
      const { name, email } = invitation;
      return { ...(await offered(invitation)), name, email };
    },
  };
}

/** For an invitation that nobody may take. */
export const unknownInvitation = (): ConnectError =>
  notFound('This invitation was taken, or it is over. Ask an owner of the organization for another one.');
