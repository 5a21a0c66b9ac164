/** "quota-exceeded": there is no room; "unavailable": the browser gives the page no storage, or it failed. */
export type BrowserStoreErrorCode = 'quota-exceeded' | 'unavailable';

/** Why the browser keeps something not, in words for the person at the page. */
export class BrowserStoreError extends Error {
  override readonly name = 'BrowserStoreError';
  readonly code: BrowserStoreErrorCode;
  constructor(code: BrowserStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
