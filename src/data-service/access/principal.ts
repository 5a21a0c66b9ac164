import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Place, Role } from '../ports/access-store.ts';
import { actorKey, type Actor } from '../ports/audit-store.ts';

/** Who makes a call, and to which data the caller has access. */
export interface Principal extends Place {
  /** '': no key, but a person */
  readonly keyId: string;
  /** membership of the person who is logged in; '': nobody is */
  readonly membershipId: string;
  readonly organizationId: string;
  readonly role: Role;
  /** who changes what the call changes */
  readonly actor: Actor;
}

/** Who calls, for turns that are fair among callers: a key, or a person with all sessions together. */
export const callerOf = ({ keyId, actor }: Principal): string => keyId || actorKey(actor);

export const principalKey = createContextKey<Principal | null>(null, { description: 'on whose behalf a call is made' });

/** The principal of a call. Call it only behind the access gate, which always sets it. */
export function principalOf(context: HandlerContext): Principal {
  const principal = context.values.get(principalKey);
  if (principal === null) throw new Error(`${context.method.name} is not behind the access gate.`);
  return principal;
}
