import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Principal } from '../ports/principal.ts';

export const principalKey = createContextKey<Principal | null>(null, { description: 'on whose behalf a call is made' });

/** The principal of a call. Call it only behind the access gate, which always sets it. */
export function principalOf(context: HandlerContext): Principal {
  const principal = context.values.get(principalKey);
  if (principal === null) throw new Error(`${context.method.name} is not behind the access gate.`);
  return principal;
}
