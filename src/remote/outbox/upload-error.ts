/**
 * Why an upload failed.
 * - `unavailable`: unreachable or offline, or the host says so. `rate-limited`, `server-full`: try later.
 * - `unauthenticated`: the key is missing or wrong. `permission-denied`: the key lacks the right.
 * - `invalid`, `too-large`: the same content will never be accepted.
 * - `capture-missing`: the frame is no longer stored here. `cancelled`: by the person.
 * - `unexpected`: any other error.
 */
export type UploadFailureCode =
  | 'unavailable'
  | 'rate-limited'
  | 'server-full'
  | 'unauthenticated'
  | 'permission-denied'
  | 'invalid'
  | 'too-large'
  | 'not-stored'
  | 'capture-missing'
  | 'cancelled'
  | 'unexpected';

export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly code: UploadFailureCode;
  /** how long the target asked to wait, ms */
  readonly retryAfterMs: number | null;
  constructor(
    code: UploadFailureCode,
    message: string,
    options: { readonly retryAfterMs?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
