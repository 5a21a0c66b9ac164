import { create } from '@bufbuild/protobuf';
import {
  InvitationSchema,
  MembershipSchema,
  type Invitation as InvitationMessage,
  type Membership as MembershipMessage,
} from '../../gen/sightglass/people/v1/people_pb.ts';
import type { AccessStore } from '../ports/access-store.ts';
import type { Invitation, Member } from '../ports/people-store.ts';
import { toTimestamp } from '../wire/timestamps.ts';

/** Members as clients get them, with the names of their places. */
export async function memberMessages(
  access: Pick<AccessStore, 'getOrganization' | 'listLocations'>,
  members: readonly Member[],
): Promise<MembershipMessage[]> {
  const placeNames = new Map<string, string>();
  for (const id of new Set(members.map(({ organizationId }) => organizationId))) {
    placeNames.set(id, (await access.getOrganization(id))?.name ?? '');
    for (const location of await access.listLocations(id)) placeNames.set(`${id}/${location.id}`, location.name);
  }
  return members.map(({ id, personId, person, organizationId, locationId, role, timeCreated, timeSeen }) =>
    create(MembershipSchema, {
      id,
      personId,
      personName: person.name,
      email: person.email,
      organizationId,
      organizationName: placeNames.get(organizationId) ?? '',
      locationId: locationId ?? '',
      locationName: placeNames.get(`${organizationId}/${locationId}`) ?? '',
      role,
      joined: toTimestamp(timeCreated),
      ...(timeSeen !== null && { lastSeen: toTimestamp(timeSeen) }),
    }),
  );
}

/** An invitation as owners get it. */
export const invitationMessage = (invitation: Invitation): InvitationMessage => {
  const { id, organizationId, locationId, role, name, email, expires, invitedBy } = invitation;
  const of = { id, organizationId, locationId: locationId ?? '', role, name, email, invitedBy };
  return create(InvitationSchema, { ...of, expires: toTimestamp(expires) });
};
