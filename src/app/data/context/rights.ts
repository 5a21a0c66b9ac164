import type { DescMethod } from '@bufbuild/protobuf';
import type { Membership } from '../../../gen/sightglass/people/v1/people_pb.ts';
import { requirementOf } from '../../../data-service/access/operation-roles.ts';
import { isAtLeast, isRole } from '../../../data-service/ports/access-store.ts';
import { roleWords } from './role-words.ts';

/**
 * Why the service would refuse a call, in words, by its own table of roles. '' where it would not, and where only the service knows:
 * nobody is logged in (a key shows the data), or the role is one of a newer server.
 */
export function refusalOf(who: Pick<Membership, 'role' | 'locationId'> | null, method: DescMethod): string {
  if (!who || !isRole(who.role)) return '';
  const { role, wholeOrganization } = requirementOf(method);
  if (role !== null && !isAtLeast(who.role, role))
    return `Only ${roleWords[role]} may do this${role === 'owner' ? '' : ', or who may do more'}; you are ${roleWords[who.role]}.`;
  if (wholeOrganization && who.locationId !== '')
    return 'Only members of the whole organization may do this; you are a member of one location.';
  return '';
}
