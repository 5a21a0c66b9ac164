/**
 * Why an account service did not do what it was asked.
 * - `no-answer`: out of reach, or it does not let pages call it. `no-account-service`: something else answers there.
 * - `wrong-key`: it does not take this key. `not-allowed`: the key may not. `not-found`: nothing has this id.
 * - `busy`: later. `failed`: in its own words. `unreadable`: a configuration that is no JSON.
 */
export type AccountErrorCode =
  'no-answer' | 'no-account-service' | 'wrong-key' | 'not-allowed' | 'not-found' | 'busy' | 'failed' | 'unreadable';

/** Says what failed and what to try, in words for the person who asked. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;
  readonly cure: string;
  constructor(code: AccountErrorCode, message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.cure = cure;
  }
}
