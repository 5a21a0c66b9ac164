import type { Part, Place } from '../ports/access-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';

/**
 * Requires that a location and a part, where they are given, are of an organization.
 * @param store where locations and parts are
 * @param organizationId of the place
 * @param asked a location, a part, both, or neither (null): all of the organization
 * @returns the place: with a part, also the location of the part
 * @throws StoreError not-found
 * @example
 * const store = { access: { getLocation: async () => null, getPart: async () => ({ id: 'arm', organizationId: 'a', locationId: 'lab' }) } };
 * await requirePlace(store, 'a', { locationId: null, partId: null }); // => { locationId: null, partId: null }
 * await requirePlace(store, 'a', { locationId: null, partId: 'arm' }); // => { locationId: 'lab', partId: 'arm' }
 * await requirePlace(store, 'a', { locationId: 'moon', partId: null }); // throws: There is no location moon in this organization.
 * await requirePlace(store, 'a', { locationId: 'yard', partId: 'arm' }); // throws: There is no part arm in location yard.
 */
export async function requirePlace(
  { access }: { readonly access: Pick<DataStore['access'], 'getLocation' | 'getPart'> },
  organizationId: string,
  { locationId, partId }: Place,
): Promise<Place> {
  if (partId !== null) {
    const part = await access.getPart(partId);
    if (part?.organizationId === organizationId && isWithin({ locationId, partId }, part))
      return { locationId: part.locationId, partId };
    throw missing(`part ${partId}`, locationId === null ? 'this organization' : `location ${locationId}`, partId);
  }
  if (locationId !== null && (await access.getLocation(locationId))?.organizationId !== organizationId)
    throw missing(`location ${locationId}`, 'this organization', locationId);
  return { locationId, partId };
}

const missing = (thing: string, where: string, subject: string): StoreError =>
  new StoreError('not-found', `There is no ${thing} in ${where}.`, { subject });

/**
 * Whether a part lies within a place.
 * @param place of a key or a member, of the organization of the part
 * @param part a registered one
 * @returns false: it is elsewhere
 * @example
 * isWithin({ locationId: 'lab', partId: null }, { id: 'arm', locationId: 'lab' }); // => true
 * isWithin({ locationId: 'lab', partId: 'leg' }, { id: 'arm', locationId: 'lab' }); // => false
 */
export const isWithin = (place: Place, part: Pick<Part, 'id' | 'locationId'>): boolean =>
  (place.locationId ?? part.locationId) === part.locationId && (place.partId ?? part.id) === part.id;
