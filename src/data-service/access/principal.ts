import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Role } from '../ports/access-store.ts';

/** On whose behalf a call is made. */
export interface Principal {
  readonly keyId: string;
  readonly organizationId: string;
  /** null: the whole organization; else this location only */
  readonly locationId: string | null;
  readonly role: Role;
}

export const principalKey = createContextKey<Principal | null>(null, { description: 'on whose behalf a call is made' });

/** Who calls. Only operations behind the access gate may ask, and there it is never missing. */
export function principalOf(context: HandlerContext): Principal {
  const principal = context.values.get(principalKey);
  if (principal === null) throw new Error(`${context.method.name} is not behind the access gate.`);
  return principal;
}
