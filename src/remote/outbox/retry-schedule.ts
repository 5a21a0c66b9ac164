import type { UploadError, UploadFailureCode } from './upload-error.ts';

/** What follows a failure: another attempt after a delay, a new key first, or nothing. */
export type Retry =
  { readonly kind: 'after'; readonly delayMs: number } | { readonly kind: 'with-key' } | { readonly kind: 'never' };

// The machine's own figures: https://github.com/viamrobotics/rdk, services/datamanager/builtin/sync, exponential retry.
const firstDelayMs = 200;
const factor = 2;
const longestDelayMs = 60 * 60 * 1000;
const unavailableDelayMs = 60_000;

/** Decides when to retry after `failures` failures in a row (at least 1), the last of which was `error`. */
export function retryAfter(error: Pick<UploadError, 'code' | 'retryAfterMs'>, failures: number): Retry {
  switch (reactionTo[error.code]) {
    case 'never':
      return { kind: 'never' };
    case 'with-key':
      return { kind: 'with-key' };
    case 'later':
      return { kind: 'after', delayMs: error.retryAfterMs ?? unavailableDelayMs };
    case 'back-off': {
      const delayMs = Math.min(longestDelayMs, firstDelayMs * factor ** Math.min(failures - 1, 30));
      return { kind: 'after', delayMs: Math.max(delayMs, error.retryAfterMs ?? 0) };
    }
  }
}

const reactionTo: Readonly<Record<UploadFailureCode, 'later' | 'back-off' | 'with-key' | 'never'>> = {
  unavailable: 'later',
  'rate-limited': 'back-off',
  'server-full': 'back-off',
  'not-stored': 'back-off',
  unexpected: 'back-off',
  unauthenticated: 'with-key',
  'permission-denied': 'never',
  invalid: 'never',
  'too-large': 'never',
  'capture-missing': 'never',
  cancelled: 'never',
};

/** Failures after which all entries of the target wait, not only this one. */
export const concernsTarget: ReadonlySet<UploadFailureCode> = new Set(['unavailable', 'rate-limited', 'server-full']);

/** Failures that cannot have stored anything. */
export const storedNothing: ReadonlySet<UploadFailureCode> = new Set([
  'unauthenticated',
  'permission-denied',
  'invalid',
  'too-large',
  'rate-limited',
  'capture-missing',
]);
