import { Code, ConnectError } from '@connectrpc/connect';
import type { CaptureFilter } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import { locationOf, organizationOf } from '../wire/binary-data-id.ts';
import { requireText } from '../wire/invalid-argument.ts';
import type { Principal } from '../ports/principal.ts';

export const permissionDenied = (message: string): ConnectError => new ConnectError(message, Code.PermissionDenied);

/** By what a caller is admitted. */
const callerWord = ({ membershipId }: Principal): string => (membershipId === '' ? 'key' : 'membership');

/** To what a caller is limited who does not reach the whole organization. */
export const placeWord = ({ partId }: Principal): 'location' | 'part' => (partId === null ? 'location' : 'part');

/** @throws ConnectError InvalidArgument for an empty id, PermissionDenied for another organization's */
export function requireOrganization(principal: Principal, organizationId: string): void {
  requireText(organizationId, 'organization_id');
  if (organizationId !== principal.organizationId) {
    const caller = callerWord(principal);
    throw permissionDenied(
      `This ${caller} is not of organization ${organizationId}; use a ${caller} of that organization.`,
    );
  }
}

/**
 * Requires that the caller has access to the named data.
 * @throws ConnectError PermissionDenied
 */
export async function requireBinaryAccess(
  stores: Pick<DataStore, 'binary'>,
  principal: Principal,
  ids: readonly string[],
): Promise<void> {
  const places = await foreignPlaces(stores, principal, ids);
  const index = places.findIndex((place) => place !== null);
  if (index !== -1)
    throw permissionDenied(
      `Binary data ${ids[index]} belongs to another ${places[index]} than this ${callerWord(principal)}.`,
    );
}

/** Those of the ids whose data the caller has access to. */
export async function reachableIds(
  stores: Pick<DataStore, 'binary'>,
  principal: Principal,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const places = await foreignPlaces(stores, principal, ids);
  return new Set(ids.filter((_, index) => places[index] === null));
}

/**
 * For each id: whether its data belongs to another organization, location or part than the caller's; null: the caller has access to it.
 * For a caller of an organization or a location only the ids are compared, so the answer does not reveal what others have stored. An id
 * does not name the part that captured the data, so for a caller of one part the data is looked up; data that does not exist counts as
 * that of another part.
 */
async function foreignPlaces(
  { binary }: Pick<DataStore, 'binary'>,
  { organizationId, locationId, partId }: Principal,
  ids: readonly string[],
): Promise<readonly ('organization' | 'location' | 'part' | null)[]> {
  // An id without a slash belongs to nobody: it is not found later.
  const named = ids.filter((id) => organizationOf(id) !== '');
  const found = partId === null ? [] : await binary.get(organizationId, named);
  const own = new Set(found.flatMap((record) => (record?.partId === partId ? [record.id] : [])));
  return ids.map((id) => {
    if (organizationOf(id) === '') return null;
    if (organizationOf(id) !== organizationId) return 'organization';
    if (locationId !== null && locationOf(id) !== locationId) return 'location';
    return partId === null || own.has(id) ? null : 'part';
  });
}

/** The captures that a call asks for; `locationIds` [] and `partId` '' ask for all. */
export type AskedPlace = Pick<CaptureFilter, 'locationIds' | 'partId'>;

const everywhere: AskedPlace = { locationIds: [], partId: '' };

/** What a call asks for, narrowed to what its caller may see. @throws ConnectError PermissionDenied where it asks for more */
export function withinReach(principal: Principal, asked: AskedPlace = everywhere): AskedPlace {
  const { locationId, partId } = principal;
  const foreign = asked.locationIds.find((id) => id !== (locationId ?? id));
  if (foreign !== undefined)
    throw permissionDenied(`This ${callerWord(principal)} does not reach location ${foreign}.`);
  if (partId !== null && asked.partId !== '' && asked.partId !== partId)
    throw permissionDenied(`This ${callerWord(principal)} does not reach part ${asked.partId}.`);
  return { locationIds: locationId === null ? asked.locationIds : [locationId], partId: partId ?? asked.partId };
}
