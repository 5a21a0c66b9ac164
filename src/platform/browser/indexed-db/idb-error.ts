import { BrowserStoreError } from '../../ports/browser-store-error.ts';

/** The error for a database of the browser that does not open. */
export function notOpened(cause: unknown): BrowserStoreError {
  const { message } = cause as Error;
  return new BrowserStoreError('unavailable', `This browser gives the page no storage: ${message}`, { cause });
}

/** The error for a write that failed; `what` begins the sentence: "The model". */
export function notWritten(cause: unknown, what: string, byteLength: number): BrowserStoreError {
  const { name, message } = cause as DOMException;
  if (name === 'QuotaExceededError') {
    const megabytes = (byteLength / 1e6).toFixed(1);
    return new BrowserStoreError('quota-exceeded', `The browser's storage has no room for ${megabytes} MB.`, { cause });
  }
  return new BrowserStoreError('unavailable', `${what} could not be stored: ${message}`, { cause });
}
