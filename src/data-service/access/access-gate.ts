import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import type { ApiKey } from '../ports/access-store.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { keyOfAccessToken } from './access-token.ts';
import { requirementOf, type Requirement } from './operation-roles.ts';
import { principalKey, type Principal } from './principal.ts';
import { permissionDenied } from './require-access.ts';

/**
 * Lets a call pass whose token stands for a key of the needed role, and notes on whose behalf it is. It runs on the
 * headers alone: nobody makes the service read a message who may not send it.
 */
export function accessGate(dependencies: DataServiceDependencies): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    const requirement = requirementOf(context.method);
    if (requirement.role === null) return;
    const principal = await authenticated(dependencies, context.requestHeader.get('authorization'));
    requireRole(principal, requirement, context.method.name);
    context.values.set(principalKey, principal);
  };
}

/** On whose behalf a request with this `authorization` header is. @throws ConnectError Unauthenticated */
export async function authenticated(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'withoutToken'>,
  authorization: string | null,
): Promise<Principal> {
  if (authorization === null && dependencies.withoutToken !== null) return dependencies.withoutToken;
  if (authorization === null) throw unauthenticated('authentication required');
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  const key = token === undefined ? null : await keyOfAccessToken(dependencies, token);
  if (key === null) {
    throw unauthenticated(
      'The access token is not valid, or its key was revoked; authenticate again with a current key.',
    );
  }
  return principalOfKey(key);
}

export const principalOfKey = ({ id, organizationId, locationId, role }: ApiKey): Principal => ({
  keyId: id,
  organizationId,
  locationId,
  role,
});

export const unauthenticated = (message: string): ConnectError => new ConnectError(message, Code.Unauthenticated);

function requireRole(principal: Principal, requirement: Requirement, operation: string): void {
  if (requirement.role === 'owner' && principal.role !== 'owner') {
    throw permissionDenied(`${operation} needs a key with the role owner; this one is an operator.`);
  }
  if (requirement.wholeOrganization && principal.locationId !== null) {
    throw permissionDenied(`${operation} needs a key of the whole organization; this one is of one location.`);
  }
}
