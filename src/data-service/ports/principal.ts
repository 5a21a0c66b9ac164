import type { Place, Role } from './access-store.ts';
import { actorKey, type Actor } from './audit-store.ts';

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
