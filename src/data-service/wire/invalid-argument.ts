import { Code, ConnectError } from '@connectrpc/connect';

/** The error for a request that can never succeed unchanged. The message says what was received and what to try. */
export const invalidArgument = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);

export const notFound = (message: string): ConnectError => new ConnectError(message, Code.NotFound);

/** The error for a request that what is there does not allow now: the message says what has to be done first. */
export const failedPrecondition = (message: string): ConnectError => new ConnectError(message, Code.FailedPrecondition);

/** @throws ConnectError InvalidArgument for an empty text */
export function requireText(value: string, field: string): string {
  if (value.trim() === '') throw invalidArgument(`${field} is empty; it must be given.`);
  return value;
}
