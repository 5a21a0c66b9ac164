import { create } from '@bufbuild/protobuf';
import {
  InvitationSchema,
  MembershipSchema,
  type Invitation as InvitationMessage,
  type Membership as MembershipMessage,
} from '../../gen/sightglass/people/v1/people_pb.ts';
import type { AccessStore, Part } from '../ports/access-store.ts';
import type { Invitation, Member } from '../ports/people-store.ts';
import { toTimestamp } from '../wire/timestamps.ts';

/** Members as clients get them, with the names of their places. */
export async function memberMessages(
  access: Pick<AccessStore, 'getOrganization' | 'listLocations' | 'listParts'>,
  members: readonly Member[],
): Promise<MembershipMessage[]> {
  const [placeNames, partNames] = [new Map<string, string>(), new Map<string, string>()];
  for (const id of new Set(members.map(({ organizationId }) => organizationId))) {
    placeNames.set(id, (await access.getOrganization(id))?.name ?? '');
    for (const location of await access.listLocations(id)) placeNames.set(`${id}/${location.id}`, location.name);
    if (!members.some((member) => member.organizationId === id && member.partId !== null)) continue;
    for (const part of await access.listParts(id)) partNames.set(`${id}/${part.id}`, partName(part));
  }
  return members.map(({ id, personId, person, organizationId, locationId, partId, role, timeCreated, timeSeen }) =>
    create(MembershipSchema, {
      id,
      personId,
      personName: person.name,
      email: person.email,
      organizationId,
      organizationName: placeNames.get(organizationId) ?? '',
      locationId: locationId ?? '',
      locationName: placeNames.get(`${organizationId}/${locationId}`) ?? '',
      partId: partId ?? '',
      partName: partNames.get(`${organizationId}/${partId}`) ?? '',
      role,
      joined: toTimestamp(timeCreated),
      ...(timeSeen !== null && { lastSeen: toTimestamp(timeSeen) }),
    }),
  );
}

/** What a part is called to people: many parts are called "main". */
const partName = ({ name, robotName }: Pick<Part, 'name' | 'robotName'>): string => `${robotName} / ${name}`;

/** An invitation as owners get it. */
export async function invitationMessage(
  access: Pick<AccessStore, 'getPart'>,
  invitation: Invitation,
): Promise<InvitationMessage> {
  const { id, organizationId, locationId, partId, role, name, email, expires, invitedBy } = invitation;
  const of = { id, organizationId, role, name, email, invitedBy, expires: toTimestamp(expires) };
  const place = { locationId: locationId ?? '', partId: partId ?? '', partName: await invitedPart(access, invitation) };
  return create(InvitationSchema, { ...of, ...place });
}

/** What the part of an invitation is called; its id where it is no longer registered; '': it is for all parts. */
export async function invitedPart(
  access: Pick<AccessStore, 'getPart'>,
  { organizationId, partId }: Pick<Invitation, 'organizationId' | 'partId'>,
): Promise<string> {
  const part = partId === null ? null : await access.getPart(partId);
  return part?.organizationId === organizationId ? partName(part) : (partId ?? '');
}
