import { StoreError } from '../../../data-service/ports/store-error.ts';

// Primary result codes, https://sqlite.org/rescode.html; node:sqlite gives the extended code, whose low byte it is.
const busy = 5;
const locked = 6;
const ioError = 10;
const full = 13;
const cannotOpen = 14;

const resultCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

export const isBusy = (error: unknown): boolean => resultCode(error) === busy || resultCode(error) === locked;

/** What callers may act on as a StoreError; any other error as it is. */
export function storeErrorOf(error: unknown): unknown {
  const { message } = error as Error;
  switch (resultCode(error)) {
    case full:
      return new StoreError(
        'resource-exhausted',
        'The disk of the data folder is full. Nothing of the call was kept.',
        {
          cause: error,
        },
      );
    case busy:
    case locked:
      return new StoreError('unavailable', 'The database is locked by another process. Try again.', { cause: error });
    case ioError:
    case cannotOpen:
      return new StoreError('unavailable', `The database cannot be reached: ${message}.`, { cause: error });
    default:
      return error;
  }
}
