import { Code, ConnectError } from '@connectrpc/connect';

const cures: Partial<Record<Code, string>> = {
  [Code.ResourceExhausted]: 'Delete what is no longer needed, or see Settings for the room that is left.',
  [Code.Unavailable]: 'Try again in a moment; if it stays so, reload the page.',
  [Code.Aborted]: 'It was changed from elsewhere meanwhile: try again.',
  [Code.Internal]: 'This is a bug in the app; the browser’s console has the cause.',
};

/** The message of an error, and what to do about it: '' for nothing. */
export interface ErrorWords {
  readonly message: string;
  readonly cure: string;
}

/** The words for an error of the data service; null for a cancelled call. */
export function errorWords(error: unknown): ErrorWords | null {
  const known = ConnectError.from(error);
  if (known.code === Code.Canceled) return null;
  return { message: known.rawMessage, cure: cures[known.code] ?? '' };
}

/** The same for a file that is opened by its URL: if it is missing, it existed when the URL was made. */
export function openFailureWords(error: unknown): ErrorWords | null {
  if (ConnectError.from(error).code !== Code.NotFound) return errorWords(error);
  return { message: 'It has been deleted, and is no longer stored here.', cure: 'The list shows what is stored.' };
}
