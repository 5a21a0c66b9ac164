import { createContextKey } from '@connectrpc/connect';
import type { ApiKey } from '../ports/access-store.ts';

/** Verifies a key's secret; null: it is wrong. `signal` aborts when the caller no longer waits. */
export type VerifyKey = (keyId: string, secret: string, signal: AbortSignal) => Promise<ApiKey | null>;

/** The host's own key verification, which limits that slow work; null: `verifyApiKey`. */
export const verifyKeyValue = createContextKey<VerifyKey | null>(null, { description: 'how keys are checked' });
