import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import type { ApiKey } from '../ports/access-store.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { takeAccessToken } from './access-token.ts';
import { requirementOf, type Requirement } from './operation-roles.ts';
import { principalKey, type Principal } from './principal.ts';
import { permissionDenied } from './require-access.ts';

/**
 * Admits a call whose token belongs to a key with the needed role, and attaches the principal to the call. It reads
 * the headers alone: a caller without the right cannot make the service read a message.
 */
export function accessGate(dependencies: DataServiceDependencies): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    const requirement = requirementOf(context.method);
    if (requirement.role === null) return;
    const { principal, use } = await authenticated(dependencies, context.requestHeader.get('authorization'));
    // An upload may take longer than an unused token lives, so its end renews the token.
    context.signal.addEventListener('abort', () => void use());
    requireRole(principal, requirement, context.method.name);
    context.values.set(principalKey, principal);
  };
}

/** Who makes a request, and the function to call when the request has ended. */
export interface Authenticated {
  readonly principal: Principal;
  readonly use: () => Promise<void>;
}

/**
 * Authenticates a request by its `authorization` header.
 * @throws ConnectError Unauthenticated
 */
export async function authenticated(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'limits' | 'withoutToken'>,
  authorization: string | null,
): Promise<Authenticated> {
  const { withoutToken, limits } = dependencies;
  if (authorization === null && withoutToken !== null) return { principal: withoutToken, use: async () => undefined };
  if (authorization === null) throw unauthenticated('authentication required');
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  const taken = token === undefined ? 'invalid' : await takeAccessToken(dependencies, token);
  if (taken === 'expired') {
    throw unauthenticated(
      `The access token was not used for ${inWords(limits.tokenLifeMs)} and has expired; connect again with the key.`,
    );
  }
  if (taken === 'early') {
    throw unauthenticated(
      'The access token was issued at a time that is still to come, since the clock was set back; connect again with the key.',
    );
  }
  if (taken === 'invalid') {
    throw unauthenticated(
      'The access token is not valid, or its key was revoked; authenticate again with a current key.',
    );
  }
  return { principal: principalOfKey(taken.key), use: taken.use };
}

/** "60 minutes" or "2 s". */
const inWords = (ms: number): string => (ms < 120_000 ? `${ms / 1000} s` : `${Math.round(ms / 60_000)} minutes`);

export const principalOfKey = ({ id, organizationId, locationId, role, name }: ApiKey): Principal => ({
  keyId: id,
  organizationId,
  locationId,
  role,
  actor: { kind: 'key', id, name },
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
