import type { DescMethod } from '@bufbuild/protobuf';
import type { Membership } from '../../../gen/sightglass/people/v1/people_pb.ts';
import { requirementOf } from '../../../data-service/face/access.ts';
import { isAtLeast, isRole } from '../../../data-service/face/accounts.ts';
import { roleWords } from './role-words.ts';

/** What a member or a key may do, and where. */
type Reach = Pick<Membership, 'role' | 'locationId'> & Partial<Pick<Membership, 'partId'>>;

/**
 * Why the service would refuse a call, in words, by its own table of roles. '' where it would not, and where only the service knows:
 * the role is one of a newer server, or its tokens do not tell that of a key.
 */
export function refusalOf(who: Reach | null, method: DescMethod, by: 'membership' | 'key' = 'membership'): string {
  if (!who || !isRole(who.role)) return '';
  const { role, wholeOrganization } = requirementOf(method);
  const isKey = by === 'key';
  if (role !== null && !isAtLeast(who.role, role)) {
    const more = role === 'owner' ? '' : ', or somebody with more rights';
    return `Only ${roleWords[role]} may do this${more}; ${isKey ? 'your key is that of' : 'you are'} ${roleWords[who.role]}.`;
  }
  if (!wholeOrganization || who.locationId === '') return '';
  const place = who.partId ? 'part' : 'location';
  return isKey
    ? `Only a key of the whole organization may do this; yours is for one ${place}.`
    : `Only members of the whole organization may do this; you are a member of one ${place}.`;
}
