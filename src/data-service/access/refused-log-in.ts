import { createContextKey } from '@connectrpc/connect';
import type { ShownLogIn } from '../ports/access-store.ts';

/** Notes a refused log-in with a known key, passkey, invitation, account or user, so that its organization learns of it. */
export type NoteRefusedLogIn = (shown: ShownLogIn) => void;

/** The note of a call; null: the host keeps none. */
export const noteRefusedLogInValue = createContextKey<NoteRefusedLogIn | null>(null);
