import { StoreError } from '../../../data-service/face/stores.ts';

// Primary result codes, https://sqlite.org/rescode.html; node:sqlite gives the extended code, whose low byte it is.
const busy = 5;
const locked = 6;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

const resultCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

export const isBusy = (error: unknown): boolean => resultCode(error) === busy || resultCode(error) === locked;

/** What callers may act on as a StoreError; any other error as it is. @param path of the database */
export function storeErrorOf(error: unknown, path: string): unknown {
  const { message } = error as Error;
  switch (resultCode(error)) {
    case full:
      return new StoreError(
        'resource-exhausted',
        'The disk of the data folder is full. Nothing of the call was kept.',
        { cause: error },
      );
    case busy:
    case locked:
      return new StoreError('unavailable', 'The database is locked by another process. Try again.', { cause: error });
    case ioError:
    case cannotOpen:
      return new StoreError('unavailable', `The database cannot be reached: ${message}.`, { cause: error });
    case corrupt:
    case notADatabase:
      return new StoreError('damaged', `The database "${path}" is damaged (${message}). ${cure(path)}`, {
        cause: error,
      });
    default:
      return error;
  }
}

const cure = (path: string): string =>
  `Stop the server and restore the latest backup into a new folder: sightglass restore BACKUP --data FOLDER. ` +
  `Without a backup, save what can be read: sqlite3 "${path}" .recover | sqlite3 recovered.db, and put recovered.db in its place.`;
