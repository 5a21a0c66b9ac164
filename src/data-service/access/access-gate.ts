import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { isAtLeast, type ApiKey, type Role } from '../ports/access-store.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { takeAccessToken } from './access-token.ts';
import { requirementOf, type Requirement } from './operation-roles.ts';
import { principalKey } from './principal.ts';
import type { Principal } from '../ports/principal.ts';
import { permissionDenied, placeWord } from './require-access.ts';
import { principalOfSession, renewSession, sessionOf, sessionTokenValue, type SessionToken } from './sessions.ts';

/**
 * Admits a call by a key's token, or by a person's session, whose role is high enough, and attaches the principal to the call.
 * It reads the headers alone: a caller without the right cannot make the service read a message.
 */
export function accessGate(dependencies: DataServiceDependencies): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    const requirement = requirementOf(context.method);
    if (requirement.role === null) return;
    const session = context.values.get(sessionTokenValue);
    const authorization = context.requestHeader.get('authorization');
    const { principal, use } = await authenticated(dependencies, authorization, session);
    // An upload may take longer than an unused token or session lives, so its end renews it too.
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
 * Authenticates a request by its `authorization` header, or where it has none by its session.
 * @throws ConnectError Unauthenticated
 */
export async function authenticated(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'limits' | 'withoutToken'>,
  authorization: string | null,
  session: SessionToken | null,
): Promise<Authenticated> {
  const { withoutToken, limits } = dependencies;
  if (authorization === null && withoutToken !== null) return { principal: withoutToken, use: async () => undefined };
  if (authorization === null && session !== null) return inSession(dependencies, session);
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

async function inSession(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'limits'>,
  session: SessionToken,
): Promise<Authenticated> {
  const open = await sessionOf(dependencies, session);
  if (open === null) throw unauthenticated('Your session has ended; log in again.');
  const use = () => renewSession(dependencies, open);
  await use();
  return { principal: principalOfSession(open), use };
}

/** "60 minutes" or "2 s". */
const inWords = (ms: number): string => (ms < 120_000 ? `${ms / 1000} s` : `${Math.round(ms / 60_000)} minutes`);

export const principalOfKey = ({ id, organizationId, locationId, partId, role, name }: ApiKey): Principal => ({
  keyId: id,
  membershipId: '',
  organizationId,
  locationId,
  partId,
  role,
  actor: { kind: 'key', id, name },
});

export const unauthenticated = (message: string): ConnectError => new ConnectError(message, Code.Unauthenticated);

function requireRole(principal: Principal, { role, wholeOrganization }: Requirement, operation: string): void {
  const isKey = principal.membershipId === '';
  if (role !== null && !isAtLeast(principal.role, role)) {
    throw permissionDenied(
      isKey
        ? `${operation} needs a key with the role ${role}; this one is ${withArticle(principal.role)}.`
        : `${operation} needs the role ${role}; you are ${withArticle(principal.role)} here.`,
    );
  }
  if (wholeOrganization && principal.locationId !== null) {
    const place = placeWord(principal);
    throw permissionDenied(
      isKey
        ? `${operation} needs a key of the whole organization; this one is for one ${place}.`
        : `${operation} needs access to the whole organization; yours is to one ${place}.`,
    );
  }
}

const withArticle = (role: Role): string => (role === 'reviewer' ? `a ${role}` : `an ${role}`);
