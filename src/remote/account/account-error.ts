/**
 * Why a call to an account service failed.
 * - `no-answer`: it cannot be reached, or does not allow calls from web pages
 * - `no-account-service`: another kind of server answers at the address
 * - `wrong-key`: it does not accept the key
 * - `not-allowed`: the key lacks the permission
 * - `not-found`: no machine or part has this id
 * - `busy`: it asks to try again later
 * - `failed`: another error, with the service's own message
 * - `unreadable`: the configuration is not valid JSON
 */
export type AccountErrorCode =
  'no-answer' | 'no-account-service' | 'wrong-key' | 'not-allowed' | 'not-found' | 'busy' | 'failed' | 'unreadable';

/** A failed call to an account service. The message tells a person what failed and what to try. */
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
