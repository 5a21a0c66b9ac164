import { createContextKey } from '@connectrpc/connect';
import type { ShownLogIn } from '../ports/access-store.ts';

/** Notes that what somebody tried to log in with is known here, but does not fit, so that its organization learns of it. */
export type NoteRefusedLogIn = (shown: ShownLogIn) => void;

/** The note of a call; null: the host keeps none. */
export const noteRefusedLogInValue = createContextKey<NoteRefusedLogIn | null>(null);
