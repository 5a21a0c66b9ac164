import { createContextKey } from '@connectrpc/connect';
import type { ApiKey } from '../ports/access-store.ts';

/** The key, if this is its secret; null: it is not. `signal` aborts when nobody waits for the answer any more. */
export type VerifyKey = (keyId: string, secret: string, signal: AbortSignal) => Promise<ApiKey | null>;

/** How the host of a call checks keys, where it guards that slow work; null: by the plain `verifyApiKey`. */
export const verifyKeyValue = createContextKey<VerifyKey | null>(null, { description: 'how keys are checked' });
