import { Code, ConnectError } from '@connectrpc/connect';
import { locationOf, organizationOf } from '../wire/binary-data-id.ts';
import { requireText } from '../wire/invalid-argument.ts';
import type { Principal } from './principal.ts';

export const permissionDenied = (message: string): ConnectError => new ConnectError(message, Code.PermissionDenied);

/** By what a caller is admitted. */
const callerWord = ({ membershipId }: Principal): string => (membershipId === '' ? 'key' : 'membership');

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
 * Requires that the key has access to the named data. Only the ids are compared, so the answer does not reveal what
 * others have stored.
 * @throws ConnectError PermissionDenied
 */
export function requireBinaryAccess(principal: Principal, ids: readonly string[]): void {
  for (const id of ids) {
    const organizationId = organizationOf(id);
    // An id without a slash belongs to nobody: it is not found later.
    if (organizationId !== '' && organizationId !== principal.organizationId) {
      throw permissionDenied(`Binary data ${id} is of another organization than this ${callerWord(principal)}.`);
    }
    if (organizationId !== '' && principal.locationId !== null && locationOf(id) !== principal.locationId) {
      throw permissionDenied(`Binary data ${id} is of another location than this ${callerWord(principal)}.`);
    }
  }
}

/** The locations a call may see, of those it asks for ([] = all). @throws ConnectError PermissionDenied */
export function visibleLocations(principal: Principal, asked: readonly string[]): readonly string[] {
  if (principal.locationId === null) return asked;
  const foreign = asked.find((id) => id !== principal.locationId);
  if (foreign !== undefined)
    throw permissionDenied(`This ${callerWord(principal)} does not reach location ${foreign}.`);
  return [principal.locationId];
}
