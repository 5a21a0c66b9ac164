/**
 * Why an upload failed.
 * - `unavailable`: out of reach, offline, or it says so. `rate-limited`, `server-full`: later.
 * - `unauthenticated`: the key is missing or wrong. `permission-denied`: the key may not.
 * - `invalid`, `too-large`: never as it is.
 * - `capture-missing`: the frame is no longer kept here. `cancelled`: by the person.
 * - `unexpected`: whatever else.
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
  /** how long the target asked to wait */
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
